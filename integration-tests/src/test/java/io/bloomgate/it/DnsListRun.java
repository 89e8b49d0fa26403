package io.bloomgate.it;

import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.SettingsResult;
import io.bloomgate.gateway.dns.DnsListAnswers;
import io.bloomgate.gateway.session.DnsLists;
import io.bloomgate.gateway.testkit.LoopbackDns;
import io.bloomgate.gateway.testkit.LoopbackDns.Mood;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * What DNS lists cost: the answer to a final dot behind their answers; a session whose answers are
 * all kept, and a clean mail while no name server answers and many sessions are open. Started by
 * {@code integration-tests/bench/dns.sh}.
 */
final class DnsListRun {

  private static final int ROUNDS = 7;
  private static final int SESSIONS_A_ROUND = 200_000;
  private static final int MAILS = 20;

  private static final String LISTS =
      """
      a: {dns: a.example}
          b: {dns: b.example, checks: [client_ip, helo]}
          c: {dns: c.example, checks: [client_ip, helo, sender_domain]}
          d: {dns: d.example, checks: [helo, sender_domain]}
          e: {dns: e.example, checks: [sender_domain], timeout: 2s}
      """;

  private DnsListRun() {}

  /**
   * Entry point; the argument is the number of idle sessions. These are opened by a second process
   * ({@code idle PORT SESSIONS}), because one may not have enough open files for both ends.
   */
  public static void main(String[] args) throws Exception {
    if (args[0].equals("idle")) {
      idle(Integer.parseInt(args[1]), Integer.parseInt(args[2]));
      return;
    }
    Path folder = Files.createTempDirectory("dns-lists");
    try (LoopbackDns dns = LoopbackDns.start()) {
      for (String zone : List.of("a", "b", "c")) {
        dns.forward("2.0.0.127." + zone + ".example", "127.0.0.2");
      }
      dns.forward("test.d.example", "127.0.0.2").forward("test.e.example", "127.0.0.2");
      dot(dns, Files.createTempDirectory("dns-content"));
      kept(dns);
      dead(dns, folder, Integer.parseInt(args[0]));
    }
  }

  private static String servers(LoopbackDns dns) {
    return "{servers: [\"127.0.0.1:" + dns.address().getPort() + "\"]}";
  }

  private static void kept(LoopbackDns dns) throws IOException {
    DnsListAnswers lists =
        new DnsListAnswers(
            name -> true,
            Thread.ofVirtual().factory(),
            InstantSource.system(),
            System::nanoTime,
            new Random(1));
    String yaml =
        "domains: [example.com]\ndownstream: {host: mail.example.com}\ndns: "
            + servers(dns)
            + "\nfeeds:\n  sources:\n    "
            + LISTS;
    if (!(SettingsFile.parse("b.yaml", yaml, Map.of(), () -> "mx.example.com")
        instanceof SettingsResult.Loaded loaded)) {
      throw new IllegalStateException("the settings are not valid");
    }
    lists.configure(loaded.settings());
    lists.tick();
    Conditions.await("tests of the DNS lists", () -> lists.alarms().isEmpty());
    IpAddress client = IpAddress.parse("192.0.2.66").toOptional().orElseThrow();
    Map<Check, ListKey> subjects =
        Map.of(
            Check.CLIENT_IP, client,
            Check.HELO, DomainName.parse("mail.shop.example").toOptional().orElseThrow(),
            Check.SENDER_DOMAIN, DomainName.parse("shop.example").toOptional().orElseThrow());
    double[] nanos = new double[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      long begin = System.nanoTime();
      for (int i = 0; i < SESSIONS_A_ROUND; i++) {
        List<DnsLists.Pending> asked = new ArrayList<>();
        subjects.forEach((check, subject) -> asked.add(lists.ask(check, subject, client)));
        asked.forEach(pending -> pending.await());
      }
      nanos[round] = (double) (System.nanoTime() - begin) / SESSIONS_A_ROUND;
    }
    Arrays.sort(nanos);
    System.out.printf(
        Locale.ROOT,
        "5 lists, 9 questions a session, all answers kept: %.2f us a session (%.2f to %.2f)%n",
        nanos[ROUNDS / 2] / 1_000,
        nanos[0] / 1_000,
        nanos[ROUNDS - 1] / 1_000);
  }

  /** The time from the final dot to its answer, of mails with four links. */
  private static void dot(LoopbackDns dns, Path folder) throws IOException {
    dns.forward("test.links.example", "127.0.0.14").forward("test.more.example", "127.0.0.2");
    for (String checks : List.of("helo", "url_host, from_domain")) {
      try (ScriptedUpstream upstream = ScriptedUpstream.start();
          GatewayFixture gateway = GatewayFixture.in(folder, upstream.port())) {
        String names = ", checks: [" + checks + "], test_name: test";
        gateway
            .with("rules", "{}")
            .with("dns", servers(dns))
            .with(
                "feeds",
                "{sources: {hosts: {file: "
                    + folder.resolve("names.txt")
                    + ", format: domains, checks: [url_host, from_domain], action: reject},"
                    + " links: {dns: links.example, hosts: [registered], bits: [2]"
                    + names
                    + "}, more: {dns: more.example"
                    + names
                    + "}}}");
        gateway.start();
        Conditions.await(
            "tests of the DNS lists",
            () -> !gateway.control(new ControlRequest.Status()).toString().contains("DNS list"));
        boolean isAsked = !checks.equals("helo");
        dot(gateway, 2_000, "warm", "");
        dot(gateway, 4_000, isAsked ? "2 lists, answers kept" : "no DNS list of content", "");
        if (isAsked) {
          dot(gateway, 1_000, "2 lists, 10 new questions a mail", "n");
        }
      }
    }
  }

  private static void dot(GatewayFixture gateway, int mails, String what, String fresh)
      throws IOException {
    double[] millis = new double[mails];
    try (SmtpClient smtp = SmtpClient.proxied(gateway.port("mx"), "192.0.2.9")) {
      smtp.lines();
      smtp.command("EHLO mail.sender.example");
      for (int i = 0; i < mails; i++) {
        String of = fresh.isEmpty() ? "kept" : fresh + i;
        StringBuilder mail = new StringBuilder("From: a@from" + of + ".example\r\n\r\n");
        for (int link = 0; link < 4; link++) {
          mail.append("http://www.l" + link + of + ".example/a\r\n");
        }
        smtp.command("MAIL FROM:<a@sender.example>");
        smtp.command("RCPT TO:<bob@example.com>");
        smtp.command("DATA");
        smtp.raw(mail.toString());
        long begin = System.nanoTime();
        smtp.raw(".\r\n");
        SmtpClient.expect("250", smtp.lines().getLast());
        millis[i] = (System.nanoTime() - begin) / 1e6;
      }
    }
    Arrays.sort(millis);
    if (!what.equals("warm")) {
      System.out.printf(
          Locale.ROOT,
          "from the dot to its answer, %s: %.2f ms at p50, %.2f at p99%n",
          what,
          millis[mails / 2],
          millis[mails * 99 / 100]);
    }
  }

  private static void dead(LoopbackDns dns, Path folder, int sessions) throws IOException {
    try (ScriptedUpstream upstream = ScriptedUpstream.start();
        GatewayFixture gateway = GatewayFixture.in(folder, upstream.port())) {
      gateway.with("dns", servers(dns)).with("feeds", "\n  sources:\n    " + LISTS);
      gateway.start();
      Conditions.await(
          "tests of the DNS lists",
          () -> !gateway.control(new ControlRequest.Status()).toString().contains("DNS list"));
      dns.mood(Mood.SILENT);
      for (String zone : List.of("a", "b", "c")) {
        dns.remove("A 2.0.0.127." + zone + ".example");
      }
      Process idle = startIdle(gateway.port("mx"), sessions);
      double[] millis = new double[MAILS];
      for (int mail = 0; mail < MAILS; mail++) {
        try (SmtpClient smtp = SmtpClient.proxied(gateway.port("mx"), "192.0.2." + (mail + 1))) {
          smtp.lines();
          smtp.command("EHLO clean" + mail + ".example.org");
          long begin = System.nanoTime();
          smtp.command("MAIL FROM:<a@clean" + mail + ".example.org>");
          SmtpClient.expect("250", smtp.command("RCPT TO:<bob@example.com>"));
          millis[mail] = (System.nanoTime() - begin) / 1e6;
        }
      }
      Arrays.sort(millis);
      System.out.printf(
          Locale.ROOT,
          "no name server answers, %,d idle sessions: clean MAIL and RCPT take %.0f ms (median),"
              + " %.0f ms at most; the timeout is 2,000 ms%n",
          sessions,
          millis[MAILS / 2],
          millis[MAILS - 1]);
      idle.destroy();
    }
  }

  private static Process startIdle(int port, int sessions) throws IOException {
    Process idle =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                DnsListRun.class.getName(),
                "idle",
                Integer.toString(port),
                Integer.toString(sessions))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    if (idle.inputReader().readLine() == null) {
      throw new IllegalStateException("the idle sessions were not opened");
    }
    return idle;
  }

  /** Opens sessions, says so in a line, and keeps these until the other process is gone. */
  private static void idle(int port, int sessions) throws IOException {
    List<SmtpClient> open = new ArrayList<>();
    for (int i = 0; i < sessions; i++) {
      SmtpClient smtp = SmtpClient.proxied(port, "10." + i / 250 + "." + i % 250 + ".1");
      smtp.lines();
      smtp.command("EHLO h" + i + ".example.org");
      open.add(smtp);
    }
    System.out.println(open.size());
    while (System.in.read() >= 0) {
      // Nothing is sent; the end is the end of the other process.
    }
  }
}
