package io.bloomgate.gateway.doctor;

import io.bloomgate.config.settings.Settings.Downstream.UpstreamTls;
import io.bloomgate.gateway.doctor.DoctorFinding.At;
import io.bloomgate.gateway.relay.MailRoutes;
import io.bloomgate.gateway.relay.MailServer;
import io.bloomgate.gateway.relay.UpstreamException;
import io.bloomgate.gateway.relay.UpstreamExtensions;
import io.bloomgate.gateway.relay.UpstreamSession;
import io.bloomgate.gateway.smtp.MailCommand;
import io.bloomgate.gateway.smtp.RcptCommand;
import io.bloomgate.gateway.smtp.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Checks one mail server behind the gateway as a foreign client. No message is sent. Used by {@link
 * Doctor}, one object per server.
 */
final class UpstreamChecks {

  private final ExaminedGateway gateway;
  private final MailServer server;
  private final String where;

  UpstreamChecks(ExaminedGateway gateway, MailRoutes.Server placed) {
    this.gateway = gateway;
    this.server = placed.upstream();
    this.where =
        placed.route().equals(MailRoutes.DEFAULT_ROUTE)
            ? server.name()
            : server.name() + " for " + placed.route();
  }

  private At at(Doctor.Check check) {
    return check.at(where);
  }

  private UpstreamSession openAsStranger() throws UpstreamException {
    return server.openNew(gateway.stranger());
  }

  private DoctorFinding unreachable(At at, UpstreamException e) {
    return unreachable(at, String.valueOf(e.getMessage()));
  }

  /** The finding when a check did not end in time. A slow server that mail reaches is no fault. */
  DoctorFinding unfinished(Doctor.Check check) {
    At at = at(check);
    return server.state().up()
        ? at.warn(
            Doctor.NOT_ENDED + ": the mail server is slow, though mail has reached it",
            "try it again; see what the mail server waits for, often a name server")
        : unreachable(at, Doctor.NOT_ENDED + ": the mail server does not answer in time");
  }

  private DoctorFinding unreachable(At at, String what) {
    return at.fail(
        what,
        "see that the mail server runs and takes connections from here; downstream.host, port, tls"
            + " and client_address set how the gateway connects to it; "
            + proxyHint());
  }

  /** A server that waits for a PROXY header sends nothing, or closes, when none comes. */
  private String proxyHint() {
    return server.clientAddress().byProxyHeader()
        ? "if it does not expect a PROXY header, set downstream.client_address: auto"
        : "if it takes the connection and then sends nothing or closes it, it may expect a PROXY"
            + " header: set downstream.client_address: proxy-v2 (or proxy-v1)";
  }

  List<DoctorFinding> reachable() {
    At at = at(Doctor.Check.UPSTREAM);
    try (UpstreamSession session = openAsStranger()) {
      List<DoctorFinding> findings = new ArrayList<>();
      findings.add(
          at.ok(
              "it answers; the gateway connects from "
                  + server.ownAddress()
                  + "; it offers "
                  + words(session.extensions())));
      lacking(at, session.extensions(), findings);
      return findings;
    } catch (UpstreamException e) {
      return List.of(unreachable(at, e));
    }
  }

  private void lacking(At at, UpstreamExtensions offers, List<DoctorFinding> findings) {
    if (!offers.eightBitMime()) {
      findings.add(
          at.warn(
              "8BITMIME is missing: senders of 8-bit mail must convert it or bounce",
              "switch 8BITMIME on in the mail server"));
    }
    long size = offers.sizeOctets();
    if (size > 0 && size < gateway.settings().limits().messageSizeOctets()) {
      findings.add(at.ok("its limit of " + size + " octets a message is announced to senders"));
    }
    if (offers.startTls() && server.tls() == UpstreamTls.NONE) {
      findings.add(
          at.warn(
              "it offers STARTTLS and mail goes there in plaintext",
              "set downstream.tls: opportunistic, or verify; needless on the same machine"));
    }
  }

  private static String words(UpstreamExtensions offers) {
    List<String> words = new ArrayList<>();
    add(words, offers.pipelining(), "PIPELINING");
    add(words, offers.eightBitMime(), "8BITMIME");
    add(words, offers.smtpUtf8(), "SMTPUTF8");
    add(words, offers.dsn(), "DSN");
    add(words, offers.startTls(), "STARTTLS");
    add(words, offers.sizeOctets() >= 0, "SIZE " + offers.sizeOctets());
    add(words, !offers.xclientAttributes().isEmpty(), "XCLIENT");
    add(words, !offers.xforwardAttributes().isEmpty(), "XFORWARD");
    return words.isEmpty() ? "no extensions" : String.join(", ", words);
  }

  private static void add(List<String> words, boolean offered, String word) {
    if (offered) {
      words.add(word);
    }
  }

  // ---- identity

  List<DoctorFinding> identity() {
    At at = at(Doctor.Check.IDENTITY);
    String identity;
    try (UpstreamSession _ = openAsStranger()) {
      identity = server.state().identity();
    } catch (UpstreamException e) {
      return List.of(unreachable(at, e));
    }
    DoctorFinding byFour = identity(at, identity);
    return identity.equals("none") ? List.of(byFour) : bothFamilies(at, byFour);
  }

  /** A server without IPv6 takes no client that has such an address. */
  private List<DoctorFinding> bothFamilies(At at, DoctorFinding byFour) {
    try (UpstreamSession _ = server.openNew(gateway.strangerBySix())) {
      return List.of(byFour, at.ok("it takes clients with IPv6 addresses too"));
    } catch (UpstreamException e) {
      String what =
          "it takes no client with an IPv6 address, so such senders get 451: " + e.getMessage();
      String hint = software().ipv6Hint();
      return List.of(byFour, gateway.mayMeetSix() ? at.fail(what, hint) : at.warn(what, hint));
    }
  }

  private ServerSoftware software() {
    return ServerSoftware.greetingWith(server.lastGreeting());
  }

  private String ownAddress() {
    return server.ownAddress();
  }

  private DoctorFinding identity(At at, String identity) {
    return switch (identity) {
      case "xclient" -> at.ok("it took the client's address by XCLIENT and greeted again");
      case "proxy-v1", "proxy-v2" ->
          at.ok(
              "it greeted behind a PROXY header; its log must show 192.0.2.1 for this visit, not"
                  + " the gateway");
      case "xforward" ->
          at.warn(
              "it learns the client's address by XFORWARD for its log only; its own checks see the"
                  + " gateway",
              software().identityHint(ownAddress()));
      default ->
          at.warn(
              "it does not learn the client's address: it sees the gateway as the client of all"
                  + " mail",
              software().identityHint(ownAddress()));
    };
  }

  // ---- open relay

  List<DoctorFinding> openRelay() {
    At at = at(Doctor.Check.OPEN_RELAY);
    String foreign = gateway.foreignDomain();
    try (UpstreamSession session = openAsStranger()) {
      String to = "relay-probe@" + foreign;
      Reply reply = session.mailAndRcpt(new MailCommand("doctor@" + foreign), new RcptCommand(to));
      if (!reply.positive()) {
        return List.of(at.ok("it refuses to relay for strangers: " + oneLine(reply)));
      }
      return List.of(relays(at, to));
    } catch (UpstreamException e) {
      return List.of(unreachable(at, e));
    }
  }

  private DoctorFinding relays(At at, String to) {
    String identity = server.state().identity();
    if (identity.equals("none") || identity.equals("xforward")) {
      return at.warn(
          "it takes mail to <"
              + to
              + "> from the gateway's address, for every client; only"
              + " the gateway's own check keeps it from relaying",
          software().relayHint(ownAddress())
              + "; or let it learn the client: "
              + software().identityHint(ownAddress()));
    }
    return at.fail(
        "it takes mail to <"
            + to
            + "> from strangers: it is an open relay for every client that reaches it",
        software().relayHint("strangers"));
  }

  private static String oneLine(Reply reply) {
    String text = reply.lines().isEmpty() ? "" : reply.lines().getFirst();
    return (reply.code() + " " + reply.enhanced() + " " + text).strip();
  }

  /**
   * The software of the mail server, as far as its greeting shows, and the names of its settings,
   * so that advice fits it. Pure; used by {@link UpstreamChecks}.
   */
  enum ServerSoftware {
    POSTFIX(
        "Postfix",
        "in master.cf give it a listener with smtpd_upstream_proxy_protocol=haproxy, reachable from"
            + " the gateway alone, and set downstream.client_address: proxy-v2; or one with"
            + " smtpd_authorized_xclient_hosts=%s",
        "set inet_protocols = all in main.cf and restart Postfix",
        "take %s out of mynetworks, and keep reject_unauth_destination in"
            + " smtpd_relay_restrictions"),
    EXIM(
        "Exim",
        "set hosts_proxy = %s in Exim's main section, and downstream.client_address: proxy-v2",
        "set disable_ipv6 = false in Exim's main section",
        "take %s out of the host list of the ACL that accepts relaying (relay_from_hosts)"),
    HARAKA(
        "Haraka",
        "switch the plugin xclient on in config/plugins, and write %s into config/xclient.hosts",
        "let Haraka's plugin xclient take IPv6 addresses, or update it",
        "take %s out of config/relay_acl_allow"),
    OPENSMTPD(
        "OpenSMTPD",
        "add proxy-v2 to the listen line for the gateway in smtpd.conf, and set"
            + " downstream.client_address: proxy-v2",
        "listen on an IPv6 address too in smtpd.conf, and let `match` rules name IPv6 networks",
        "let no `match` rule of smtpd.conf relay for %s (`from src`, `from any`)"),
    DOVECOT(
        "Dovecot",
        "write %s into login_trusted_networks, which lets it say XCLIENT to the LMTP service",
        "update Dovecot; its XCLIENT takes IPv6 addresses",
        "let the LMTP service take its own users only (lmtp_proxy = no)"),
    EXCHANGE(
        "Microsoft",
        "Exchange takes neither XCLIENT nor PROXY: set downstream.client_address: none, and switch"
            + " SPF and address reputation off on the receive connector for %s",
        "switch IPv6 on for the receive connector",
        "take the right ms-Exch-SMTP-Accept-Any-Recipient from anonymous senders on the receive"
            + " connector for %s"),
    OTHER(
        "",
        "let %s say XCLIENT there, or a PROXY header with downstream.client_address: proxy-v2 or"
            + " proxy-v1; its documentation names the setting",
        "switch IPv6 on in the mail server",
        "take %s out of what the mail server trusts, and let it relay for its own domains only");

    private final String word;
    private final String identity;
    private final String ipv6;
    private final String relay;

    ServerSoftware(String word, String identity, String ipv6, String relay) {
      this.word = word;
      this.identity = identity;
      this.ipv6 = ipv6;
      this.relay = relay;
    }

    /** The software with this greeting. */
    static ServerSoftware greetingWith(String greeting) {
      String said = greeting.toLowerCase(Locale.ROOT);
      for (ServerSoftware software : values()) {
        if (software != OTHER && said.contains(software.word.toLowerCase(Locale.ROOT))) {
          return software;
        }
      }
      return OTHER;
    }

    /** The setting by which it learns the client's address from us. */
    String identityHint(String ownAddress) {
      return identity.formatted(ownAddress);
    }

    /** The setting by which it takes clients with IPv6 addresses. */
    String ipv6Hint() {
      return ipv6 + "; or let no listener here take IPv6 (address: \"0.0.0.0:25\")";
    }

    /** The setting by which it stops relaying for strangers. */
    String relayHint(String ownAddress) {
      return relay.formatted(ownAddress);
    }
  }
}
