package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The stock filter of fail2ban bans whom we refuse for good, and nobody else. */
class Fail2banStoryTest {

  private static final Path REGEX = Path.of("/usr/bin/fail2ban-regex");
  private static final Path FILTER = Path.of("/etc/fail2ban/filter.d/postfix.conf");

  @TempDir Path folder;

  @Test
  void stockFilterMatchesRefusalsAndNothingElse() throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(REGEX) && Files.exists(FILTER), "fail2ban is not installed");
    try (ScriptedUpstream upstream = ScriptedUpstream.start();
        GatewayFixture gateway = GatewayFixture.in(folder, upstream.port()).start()) {
      refuse(gateway, "203.0.113.7", "mail.partner.example", "a@partner.example");
      refuse(gateway, "2001:db8:bad::7", "mail.partner.example", "a@partner.example");
      refuse(gateway, "192.0.2.11", "mail.spam.example", "a@partner.example");
      refuse(gateway, "192.0.2.12", "mail.partner.example", "a@spam.example");
      refuse(gateway, "192.0.2.13", "mail.partner.example", "lottery@mixed.example");
      refuse(gateway, "203.0.113.7", "x] from unknown[192.0.2.99]: 554 5.7.1", "a@spam.example");
      awaitLines(gateway, 6);
      assertEquals(6, matched(gateway.logFile()));

      // A delay is no refusal, and what observe only noted was none.
      refuse(gateway, "198.51.100.9", "mail.partner.example", "a@partner.example");
      gateway.control(new ControlRequest.SetMode(Mode.OBSERVE, null));
      refuse(gateway, "203.0.113.7", "mail.partner.example", "a@partner.example");
      awaitLines(gateway, 8);
      assertEquals(6, matched(gateway.logFile()));
      assertTrue(Files.readString(gateway.logFile()).contains("NOQUEUE: reject_warning: RCPT"));
    }
  }

  private static void refuse(GatewayFixture gateway, String address, String helo, String from)
      throws IOException {
    try (SmtpClient client = SmtpClient.proxied(gateway.port("mx"), address)) {
      client.reply();
      client.command("HELO mail.partner.example");
      // Where it is refused the former one counts.
      client.command("HELO " + helo);
      client.command("MAIL FROM:<" + from + ">");
      client.command("RCPT TO:<bob@example.com>");
      client.command("QUIT");
    }
  }

  private static void awaitLines(GatewayFixture gateway, int count) throws IOException {
    Conditions.await(
        count + " NOQUEUE lines",
        () ->
            Files.readAllLines(gateway.logFile()).stream()
                    .filter(line -> line.contains("NOQUEUE: reject"))
                    .count()
                >= count);
  }

  /** How many lines the filter matches. */
  private static int matched(Path log) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(REGEX.toString(), log.toString(), "postfix[mode=more]")
            .redirectErrorStream(true)
            .start();
    List<String> lines =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .toList();
    process.waitFor();
    for (String line : lines) {
      if (line.startsWith("Lines: ")) {
        return Integer.parseInt(line.replaceAll(".*ignored, ([0-9]+) matched.*", "$1"));
      }
    }
    throw new AssertionError("fail2ban-regex said: " + lines);
  }
}
