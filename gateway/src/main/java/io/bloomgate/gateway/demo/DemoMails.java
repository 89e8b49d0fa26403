package io.bloomgate.gateway.demo;

import io.bloomgate.blocklists.generation.ListAnswer;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.Keyed;
import io.bloomgate.gateway.demo.DemoMails.DemoMail.Verdict;
import io.bloomgate.gateway.relay.SimpleClient;
import io.bloomgate.gateway.wire.ProxyHeader;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * The twenty mails of the demo, in the order in which they are sent. Only documentation addresses
 * (RFC 5737, RFC 3849) and names under .example (RFC 2606).
 */
final class DemoMails {

  /** The operator allows this listed host. */
  static final String ALLOWED_HOST = "203.0.113.80";

  /** The operator allows this listed domain. */
  static final String ALLOWED_DOMAIN = "partner.example";

  /** The operator allows this listed domain, but only from its own listed network. */
  static final String BRANCH_DOMAIN = "branch.example";

  static final String BRANCH_NETWORK = "198.51.100.48/28";

  private static final String LISTED = "203.0.113.7";
  private static final String CLEAN = "192.0.2.25";
  private static final String ALICE = "alice@company.example";

  /** RFC 3849; unlisted addresses in it are tried until one hits the filter by chance. */
  private static final long TRIED_PREFIX = 0x2001_0db8_0000_0000L;

  /** Networks of 48 bits in that prefix. */
  private static final int TRIED_NETWORKS = 1 << 16;

  /** Hosts tried in each of them. */
  private static final int TRIED_HOSTS = 200;

  private final List<DemoMail> mails = new ArrayList<>();

  private DemoMails() {}

  /**
   * All twenty.
   *
   * @param falsePositive the client that hits a filter though no list knows it
   */
  static List<DemoMail> all(String falsePositive) {
    DemoMails all = new DemoMails();
    all.refused("IPv4 host listed", LISTED, "shop.example", "offers@shop.example");
    all.refused("network listed", "198.51.100.23", "shop.example", "offers@shop.example");
    all.refused("IPv6 network listed", "2001:db8:bad::25", "shop.example", "offers@shop.example");
    all.refused("HELO name listed", CLEAN, "h23.dynamic-pool.example", "joe@home.example");
    all.passed("null sender, not listed", CLEAN, "mail.home.example", "", ALICE);
    all.refused(
        "sender address listed", CLEAN, "mail.freemail.example", "spammer@freemail.example");
    all.refused("sender domain listed", CLEAN, "mail.home.example", "offers@junk-shop.example");
    all.refused("subdomain of it", CLEAN, "mail.home.example", "news@list.junk-shop.example");
    all.refused("IDN in upper case", CLEAN, "mail.home.example", "INFO@M\u00dcLL-SHOP.EXAMPLE");
    all.passed("allowed by IP", ALLOWED_HOST, "mail.home.example", "joe@home.example", ALICE);
    all.passed("allowed by domain", CLEAN, "mx.partner.example", "bob@partner.example", ALICE);
    all.refused("the same from a listed IP", LISTED, "mx.partner.example", "bob@partner.example");
    all.passed(
        "allowed with --from", "198.51.100.50", "mx.branch.example", "eve@branch.example", ALICE);
    all.refused("allow entry expired", "203.0.113.90", "mail.home.example", "joe@home.example");
    all.passed(
        "Bloom filter hit by chance",
        falsePositive,
        "mail.home.example",
        "joe@home.example",
        ALICE);
    all.passed(
        "postmaster is exempt",
        LISTED,
        "shop.example",
        "offers@shop.example",
        "postmaster@company.example");
    all.add(
        "feed asks to come again",
        "198.51.100.140",
        "joe@home.example",
        ALICE,
        "rcpt",
        Verdict.TEMPFAIL);
    all.add("feed asks for a tag", CLEAN, "x7@throwaway.example", ALICE, "data", Verdict.TAG);
    all.add(
        "mail server refuses",
        CLEAN,
        "joe@home.example",
        LoopbackServer.UNKNOWN_USER + "@company.example",
        "rcpt",
        Verdict.REJECT);
    all.add("mail server is down", CLEAN, "joe@home.example", ALICE, "rcpt", Verdict.TEMPFAIL);
    return List.copyOf(all.mails);
  }

  /** An unlisted client address that a Bloom filter takes for a listed one. */
  static Optional<String> findFalsePositive(ListSnapshot snapshot) {
    for (long host = 1; host <= TRIED_HOSTS; host++) {
      for (long network = 0; network < TRIED_NETWORKS; network++) {
        IpAddress tried = new IpAddress(TRIED_PREFIX | network << 16, host);
        if (snapshot.ask(tried) instanceof ListAnswer.FalsePositive) {
          return Optional.of(tried.toString());
        }
      }
    }
    return Optional.empty();
  }

  private void refused(String shows, String client, String helo, String from) {
    mails.add(new DemoMail(shows, client, helo, from, ALICE, "rcpt", Verdict.REJECT, false));
  }

  private void passed(String shows, String client, String helo, String from, String to) {
    mails.add(new DemoMail(shows, client, helo, from, to, "data", Verdict.ACCEPT, true));
  }

  private void add(
      String shows, String client, String from, String to, String stage, Verdict expected) {
    mails.add(
        new DemoMail(
            shows,
            client,
            "mail.home.example",
            from,
            to,
            stage,
            expected,
            expected == Verdict.TAG));
  }

  /**
   * One mail of the demo and what must become of it. Immutable.
   *
   * @param shows what the mail is an example of
   * @param stage at which the last reply must come
   * @param expected what must become of it
   * @param delivered whether it the mail server must have it
   */
  record DemoMail(
      String shows,
      String client,
      String helo,
      String from,
      String to,
      String stage,
      Verdict expected,
      boolean delivered) {

    /** The verdict as a client can see it. */
    enum Verdict implements Keyed {
      ACCEPT,
      TAG,
      TEMPFAIL,
      REJECT;
    }
  }

  /**
   * Sends one mail as a client with another address would: the address is in a PROXY header of
   * version 2, then plain SMTP follows. Used by {@link Demo} on its thread.
   */
  static final class DemoClient {

    private static final int CLIENT_PORT = 40_025;

    /** The place of the text in a line of a reply. */
    private static final int TEXT = 4;

    private final int port;
    private final LongSupplier nanoTime;

    DemoClient(int port, LongSupplier nanoTime) {
      this.port = port;
      this.nanoTime = nanoTime;
    }

    /**
     * The last reply of a mail, and its stage.
     *
     * @param stage of the last reply: connect, helo, mail, rcpt or data
     * @param reply the last reply, its lines joined by spaces
     */
    record Result(String stage, int code, String reply, double millis) {
      boolean accepted() {
        return code < 400;
      }
    }

    /** Sends a mail; what is refused at a stage ends there. */
    Result send(DemoMail mail, byte[] message) throws IOException {
      long began = nanoTime.getAsLong();
      try (SimpleClient client = new SimpleClient(port, proxied(mail).v2())) {
        String utf8 = mail.from().chars().allMatch(c -> c < 0x80) ? "" : " SMTPUTF8";
        String[][] steps = {
          {"helo", "EHLO " + mail.helo()},
          {"mail", "MAIL FROM:<" + mail.from() + ">" + utf8},
          {"rcpt", "RCPT TO:<" + mail.to() + ">"},
          {"data", "DATA"}
        };
        Result last = result("connect", client.read(), began);
        for (String[] step : steps) {
          if (last.accepted()) {
            last = result(step[0], client.ask(step[1]), began);
          }
        }
        if (last.accepted()) {
          client.write(message); // no line of it begins with a dot
          last = result("data", client.ask("."), began);
        }
        return last;
      }
    }

    private Result result(String stage, String reply, long began) {
      String text =
          reply
              .lines()
              .map(line -> line.length() > TEXT ? line.substring(TEXT) : "")
              .collect(Collectors.joining(" "));
      int code = Integer.parseInt(reply.substring(0, TEXT - 1));
      return new Result(stage, code, text, (nanoTime.getAsLong() - began) / 1e6);
    }

    private ProxyHeader proxied(DemoMail mail) {
      return new ProxyHeader.Proxied(
          IpAddress.parse(mail.client()).toOptional().orElseThrow(),
          CLIENT_PORT,
          IpAddress.of(InetAddress.getLoopbackAddress()),
          port);
    }
  }
}
