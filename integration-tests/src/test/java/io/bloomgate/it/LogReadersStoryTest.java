package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomgate.checkout.Checkout;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * What others make of the decision log: the stock filter of fail2ban bans whom we refuse for good
 * and nobody else, from a file and from the journal; pflogsumm counts what was refused.
 */
class LogReadersStoryTest extends Story {

  private static final Path REGEX = Path.of("/usr/bin/fail2ban-regex");
  private static final Path FILTER = Path.of("/etc/fail2ban/filter.d/postfix.conf");
  private static final Path JOURNAL = Path.of("/lib/systemd/systemd-journal-remote");
  private static final Path PYTHON_JOURNAL = Path.of("/usr/lib/python3/dist-packages/systemd");
  private static final Path PFLOGSUMM = Path.of("/usr/sbin/pflogsumm");
  private static final Path UNIT = Checkout.root().resolve("config/systemd/bloomgate.service");

  /** Of the unit, as the handbook has it for the jail. */
  static final String JOURNAL_MATCH = "_SYSTEMD_UNIT=bloomgate.service";

  @Test
  void stockFilterMatchesRefusalsAndNothingElse() throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(REGEX) && Files.exists(FILTER), "fail2ban is not installed");
    gateway.start();
    refuse("203.0.113.7", "mail.partner.example", "a@partner.example");
    refuse("2001:db8:bad::7", "mail.partner.example", "a@partner.example");
    refuse("192.0.2.11", "mail.spam.example", "a@partner.example");
    refuse("192.0.2.12", "mail.partner.example", "a@spam.example");
    refuse("192.0.2.13", "mail.partner.example", "lottery@mixed.example");
    refuse("203.0.113.7", "x] from unknown[192.0.2.99]: 554 5.7.1", "a@spam.example");
    relay("192.0.2.14");
    awaitLines(gateway.logFile(), 7);
    assertEquals(7, matched(gateway.logFile().toString()));

    // Not counted as refusals: a delay, a match in mode observe, and a domain that may be missing
    // in
    // the settings, whose sender gets 454.
    refuse("198.51.100.9", "mail.partner.example", "a@partner.example");
    for (Mode mode : List.of(Mode.OBSERVE, Mode.SOFT)) {
      gateway.control(new ControlRequest.SetMode(mode, null));
      refuse("203.0.113.7", "mail.partner.example", "a@partner.example");
      relay("192.0.2.15");
    }
    awaitLines(gateway.logFile(), 12);
    assertEquals(7, matched(gateway.logFile().toString()));
    assertTrue(
        Files.readString(gateway.logFile())
            .contains("NOQUEUE: reject_warning: RCPT from unknown[192.0.2.15]: 454 4.7.1 "));
  }

  /** With what the gateway prints under the journal, and the name that the unit gives it. */
  @Test
  void stockFilterMatchesTheJournalOfTheShippedUnit() throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(REGEX) && Files.exists(FILTER), "fail2ban is not installed");
    assumeTrue(Files.isExecutable(JOURNAL), "systemd-journal-remote is not installed");
    assumeTrue(Files.exists(PYTHON_JOURNAL), "python3-systemd is not installed");
    int port = FreePort.next();
    GatewayFixture settings =
        GatewayFixture.in(folder, upstream.port())
            .with("log", "{target: stdout}")
            .listening(port)
            .prepare();
    try (GatewayProcess gateway = GatewayProcess.start(settings, Map.of("JOURNAL_STREAM", "8:1"))) {
      gateway.control(new ControlRequest.FeedsRefresh(List.of(), true, false));
      refuse(port, "203.0.113.7", "mail.partner.example", "a@partner.example", "bob@example.com");
      refuse(port, "192.0.2.11", "mail.spam.example", "a@partner.example", "bob@example.com");
      refuse(port, "192.0.2.14", "mail.good.example", "a@b.example", "eve@elsewhere.example");
      awaitLines(gateway.output(), 3);
      Path journal = journal(Files.readAllLines(gateway.output()));
      assertEquals(
          3, matched("-m", JOURNAL_MATCH, "systemd-journal[journalfiles=" + journal + "]"));
    }
    assertTrue(
        Files.readString(Checkout.root().resolve("config/handbook/operation.md"))
            .contains(JOURNAL_MATCH));
  }

  /** A journal file as journald writes one when a unit prints these lines. */
  private Path journal(List<String> lines) throws IOException, InterruptedException {
    StringBuilder export = new StringBuilder();
    long micros = Instant.now().getEpochSecond() * 1_000_000;
    for (String line : lines) {
      export.append("__REALTIME_TIMESTAMP=").append(++micros).append('\n');
      export.append("__MONOTONIC_TIMESTAMP=").append(micros % 1_000_000_000).append('\n');
      export.append("_BOOT_ID=0123456789abcdef0123456789abcdef\n");
      export.append("_HOSTNAME=mx1\n_PID=4121\n").append(JOURNAL_MATCH).append('\n');
      export.append("SYSLOG_IDENTIFIER=").append(syslogIdentifier()).append('\n');
      export.append("MESSAGE=").append(line).append("\n\n");
    }
    Path source = Files.writeString(folder.resolve("export"), export);
    Path journal = folder.resolve("mx1.journal");
    run(JOURNAL.toString(), "-o", journal.toString(), source.toString());
    return journal;
  }

  private static String syslogIdentifier() throws IOException {
    return Files.readAllLines(UNIT).stream()
        .filter(line -> line.startsWith("SyslogIdentifier="))
        .map(line -> line.substring(line.indexOf('=') + 1))
        .findFirst()
        .orElse("bloomgate"); // systemd's own default, the name of the program
  }

  @Test
  void pflogsummCountsRefusalsAndWarnings() throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(PFLOGSUMM), "pflogsumm is not installed");
    gateway
        .with("log", "{tag: postfix/smtpd, target: \"file:" + folder.resolve("mail.log") + "\"}")
        .start();
    refuse("203.0.113.7", "mail.partner.example", "a@partner.example");
    refuse("192.0.2.12", "mail.partner.example", "a@spam.example");
    relay("192.0.2.14");
    gateway.control(new ControlRequest.SetMode(Mode.OBSERVE, null));
    refuse("203.0.113.7", "mail.partner.example", "a@partner.example");
    relay("192.0.2.14");
    awaitLines(gateway.logFile(), 5);
    String summary = run(PFLOGSUMM.toString(), gateway.logFile().toString());
    assertTrue(summary.lines().anyMatch(line -> line.matches(" +3 +rejected .*")), summary);
    assertTrue(summary.lines().anyMatch(line -> line.matches(" +2 +reject warnings")), summary);
  }

  private void refuse(String address, String helo, String from) throws IOException {
    refuse(gateway.port("mx"), address, helo, from, "bob@example.com");
  }

  private void relay(String address) throws IOException {
    refuse(gateway.port("mx"), address, "mail.good.example", "a@b.example", "eve@other.example");
  }

  private void refuse(int port, String address, String helo, String from, String to)
      throws IOException {
    try (SmtpClient client = SmtpClient.proxied(port, address)) {
      client.lines();
      client.command("HELO mail.partner.example");
      // Where it is refused the former one counts.
      client.command("HELO " + helo);
      client.command("MAIL FROM:<" + from + ">");
      client.command("RCPT TO:<" + to + ">");
      client.command("QUIT");
    }
  }

  private static void awaitLines(Path log, int count) throws IOException {
    Conditions.await(
        count + " NOQUEUE lines",
        () ->
            Files.readAllLines(log).stream()
                    .filter(line -> line.contains("NOQUEUE: reject"))
                    .count()
                >= count);
  }

  /** How many lines the filter matches; the last word but the filter says where they are. */
  private static int matched(String... where) throws IOException, InterruptedException {
    String[] command = new String[where.length + 2];
    command[0] = REGEX.toString();
    System.arraycopy(where, 0, command, 1, where.length);
    command[where.length + 1] = "postfix[mode=more]";
    String said = run(command);
    for (String line : said.lines().toList()) {
      if (line.startsWith("Lines: ")) {
        return Integer.parseInt(line.replaceAll(".*ignored, ([0-9]+) matched.*", "$1"));
      }
    }
    throw new AssertionError("fail2ban-regex said: " + said);
  }

  private static String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return said;
  }
}
