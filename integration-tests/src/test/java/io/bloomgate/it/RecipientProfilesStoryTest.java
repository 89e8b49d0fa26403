package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real Postfix and a real Exim send mail to recipients with different profiles, where content may
 * refuse it: each gets a good mail once, by the next queue runs; a listed link reaches those whose
 * profiles let it, with a tag where they say so. Exim does the same with recipients of two routes.
 */
class RecipientProfilesStoryTest {

  private static final List<String> RECIPIENTS =
      List.of("bob", "postmaster", "quiet", "sales", "help");
  private static final String LISTED = "see http://evil.example.net/login now";

  private static final String EXIM =
      """
      primary_hostname = exim.example.com
      local_interfaces = 127.0.0.1
      daemon_smtp_ports = PORT
      tls_advertise_hosts =
      host_lookup =
      rfc1413_query_timeout = 0s
      queue_run_max = 1
      acl_smtp_rcpt = anybody
      begin acl
      anybody:
        accept
      begin routers
      bounces:
        driver = redirect
        domains = sender.example
        data = :blackhole:
      gateway:
        driver = manualroute
        route_list = * 127.0.0.1
        self = send
        transport = gateway
      begin transports
      gateway:
        driver = smtp
        port = GATEWAY
        allow_localhost
        hosts_try_chunking =
      begin retry
      * * F,1h,1s
      """;

  private static final String EXIM_SCRIPT =
      """
      user Debian-exim 31026
      cp exim.conf /etc/exim4/exim4.conf
      chown root: /etc/exim4/exim4.conf
      chmod 644 /etc/exim4/exim4.conf
      mkdir -p /var/spool/exim4/input /var/spool/exim4/msglog /var/spool/exim4/db /var/log/exim4
      mkdir -p /run/exim4
      chown -R Debian-exim: /var/spool/exim4 /var/log/exim4 /run/exim4
      tail -F /var/log/exim4/mainlog &
      exim4 -bdf -q1s
      """;

  @TempDir Path folder;

  /** Says which mail the sender has given up for whom, by its log. */
  @FunctionalInterface
  private interface SenderLog {
    String text() throws IOException;
  }

  @Test
  void postfixSendsTheMailAgainToThoseWhoAreJudgedApart() throws Exception {
    int port = FreePort.next();
    try (ScriptedUpstream sink = ScriptedUpstream.start();
        GatewayFixture gateway = gateway(sink.port());
        PostfixServer postfix = postfix(port, gateway.port("plain"))) {
      deliversOnce(
          port,
          sink,
          () -> Files.readString(postfix.log()),
          "(?s).*to=<bob@example.com>[^\\n]*status=bounced[^\\n]*554 5.7.1 Service unavailable;"
              + " URL.*");
    }
  }

  @Test
  void eximSendsTheMailAgainToThoseWhoAreJudgedApart() throws Exception {
    int port = FreePort.next();
    try (ScriptedUpstream sink = ScriptedUpstream.start();
        GatewayFixture gateway = gateway(sink.port())) {
      Files.writeString(
          folder.resolve("exim.conf"),
          EXIM.replace("PORT", "" + port).replace("GATEWAY", "" + gateway.port("plain")));
      try (UnpackedPackage exim =
          UnpackedPackage.startOrSkip(
              "exim4-daemon-heavy", folder, EXIM_SCRIPT, "127.0.0.1", port)) {
        deliversOnce(
            port,
            sink,
            exim::output,
            "(?s).* \\*\\* bob@example.com [^\n]*554 5.7.1 Service unavailable; URL.*");
      }
    }
  }

  private static void deliversOnce(
      int port, ScriptedUpstream sink, SenderLog log, String refusedForBob) throws Exception {
    try {
      delivers(port, sink, log, refusedForBob);
    } catch (AssertionError e) {
      String said = log.text().replaceAll("(?m)^.* queue run: .*\\n", "");
      throw new AssertionError("the sender's log: " + said, e);
    }
  }

  private static void delivers(int port, ScriptedUpstream sink, SenderLog log, String refusedForBob)
      throws Exception {
    send(port, "hello");
    List<String> good = new ArrayList<>();
    List<Integer> together = new ArrayList<>();
    while (good.size() < RECIPIENTS.size()) {
      ScriptedUpstream.Delivery delivery = sink.nextDelivery();
      good.addAll(recipients(delivery));
      together.add(delivery.to().size());
    }
    assertEquals(RECIPIENTS.stream().sorted().toList(), good.stream().sorted().toList());
    assertEquals(
        List.of(1, 1, 3), together.stream().sorted().toList(), "as few mails as there can be");
    send(port, LISTED);
    List<String> tagged = new ArrayList<>();
    List<String> plain = new ArrayList<>();
    while (tagged.size() + plain.size() < RECIPIENTS.size() - 1) {
      ScriptedUpstream.Delivery delivery = sink.nextDelivery();
      boolean hasTag = delivery.content().contains("X-Spam-Flag: YES");
      (hasTag ? tagged : plain).addAll(recipients(delivery));
    }
    assertEquals(List.of("help", "postmaster", "sales"), tagged.stream().sorted().toList());
    assertEquals(List.of("quiet"), plain);
    Conditions.await("the mail is refused for bob", () -> log.text().matches(refusedForBob));
    assertEquals(5, sink.deliveredCount(), "and nothing comes twice");
  }

  private GatewayFixture gateway(int upstream) throws IOException {
    Path own = Files.createDirectory(folder.resolve("gateway"));
    GatewayFixture fixture = GatewayFixture.in(own, upstream);
    fixture.write("urls.txt", "http://evil.example.net/login");
    return fixture
        .with("profiles", "{tag-only: {most: tag}}")
        .with(
            "recipients",
            "{quiet@example.com: off, sales@example.com: tag-only, help@example.com: tag-only}")
        .with(
            "feeds",
            "{sources: {urls: {file: "
                + own
                + "/urls.txt, format: urls, checks: [url],"
                + " action: reject}}}")
        .start();
  }

  private PostfixServer postfix(int port, int gateway) throws IOException, InterruptedException {
    return PostfixServer.start(
        folder,
        // A queue run within the second of the first attempt can meet a file that the client still
        // holds, and Postfix then leaves that file for five minutes.
        "relay_transport = relay:[127.0.0.1]:"
            + gateway
            + "\n"
            + "default_transport = discard:bounces\n"
            + "queue_run_delay = 1s\n"
            + "minimal_backoff_time = 4s\n",
        "127.0.0.1:"
            + port
            + """
             inet n - n - 10 smtpd
            relay unix - - n - - smtp
            smtp unix - - n - - smtp
            discard unix - - n - - discard
            error unix - - n - - error
            retry unix - - n - - error
            defer unix - - n - 0 bounce
            trace unix - - n - 0 bounce
            """,
        port);
  }

  private static void send(int port, String text) throws IOException {
    try (SmtpClient client = new SmtpClient(port)) {
      client.reply();
      client.command("EHLO client.example");
      SmtpClient.expect("250", client.command("MAIL FROM:<alice@sender.example>"));
      for (String name : RECIPIENTS) {
        SmtpClient.expect("250", client.command("RCPT TO:<" + name + "@example.com>"));
      }
      SmtpClient.expect("250", client.message("Subject: x\r\n\r\n" + text + "\r\n"));
    }
  }

  private static List<String> recipients(ScriptedUpstream.Delivery delivery) {
    return delivery.to().stream().map(to -> to.substring(1, to.indexOf('@'))).toList();
  }
}
