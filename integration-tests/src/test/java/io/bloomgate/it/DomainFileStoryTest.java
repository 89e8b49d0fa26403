package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.cli.CommandLineInProcess;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Own domains of a file: a change counts without a command, a broken file changes nothing. */
class DomainFileStoryTest {

  private static final ControlRequest.Doctor DOCTOR =
      new ControlRequest.Doctor(false, false, false, false);

  @TempDir Path folder;

  private GatewayFixture fixture(ScriptedUpstream upstream) {
    return GatewayFixture.in(folder, upstream.port())
        .with("domains", "[example.com, \"file:" + folder + "/relay_domains\"]")
        .with("allow", "{never_block: [loopback, domains]}");
  }

  private void domains(String... lines) throws IOException {
    Files.writeString(folder.resolve("relay_domains"), String.join("\n", lines) + "\n");
  }

  private static String rcpt(GatewayFixture gateway, String to) throws IOException {
    return gateway.rcpt("198.18.0.1", "a@partner.example", to);
  }

  private static boolean takes(GatewayFixture gateway, String domain) throws IOException {
    return rcpt(gateway, "bob@" + domain).startsWith("250");
  }

  @Test
  void aNewDomainCountsForSessionsThatBeginLater() throws IOException {
    domains("a.example OK", "b.example OK", "c.example OK");
    try (ScriptedUpstream upstream = ScriptedUpstream.start();
        GatewayFixture gateway = fixture(upstream).start()) {
      assertTrue(takes(gateway, "a.example"));
      assertTrue(rcpt(gateway, "bob@new.example").startsWith("554 5.7.1"));
      try (SmtpClient open = SmtpClient.proxied(gateway.port("mx"), "198.18.0.2")) {
        open.lines();
        open.command("EHLO mail.partner.example");
        open.command("MAIL FROM:<a@partner.example>");
        domains("b.example OK", "new.example OK");
        Conditions.await("the file is read", () -> takes(gateway, "new.example"));
        assertFalse(takes(gateway, "a.example"));
        SmtpClient.expect("250", open.command("RCPT TO:<bob@a.example>"));
      }
      // Whatever knows own domains knows the new one: entries, exempt recipients, lists.
      assertEquals(2, gateway.cli("block", "add", "new.example").exitCode());
      assertEquals(0, gateway.cli("block", "add", "a.example").exitCode());
      gateway.write("names.txt", "new.example", "other.example");
      gateway.refresh();
      SmtpClient.expect("250", gateway.rcpt("198.18.0.3", "a@new.example", "bob@example.com"));
      SmtpClient.expect(
          "250", gateway.rcpt("203.0.113.7", "a@x.example", "postmaster@new.example"));
      String status = gateway.status().toString();
      assertTrue(status.contains("domains=JsonObject[members={all=JsonNumber[literal=3]"), status);
      assertTrue(status.contains("relay_domains"), status);
      assertTrue(
          gateway.control(DOCTOR).items().toString().contains("3 domains: 1 of the settings"));
    }
  }

  @Test
  void aBrokenFileChangesNothingAndIsAnAlarm() throws IOException {
    domains("a.example", "b.example", "c.example");
    try (ScriptedUpstream upstream = ScriptedUpstream.start();
        GatewayFixture gateway = fixture(upstream).start()) {
      for (String broken : List.of("", "a.example")) {
        domains(broken);
        Conditions.await(
            "the alarm", () -> gateway.status().toString().contains("the former names count"));
        assertTrue(takes(gateway, "c.example"));
        assertTrue(gateway.control(DOCTOR).items().toString().contains("the former names count"));
        domains("a.example", "b.example", "c.example");
        Conditions.await(
            "no alarm", () -> !gateway.status().toString().contains("the former names count"));
      }
      domains("a.example");
      Conditions.await(
          "the alarm", () -> gateway.status().toString().contains("the former names count"));
      gateway.control(new ControlRequest.ConfigReload(false));
      assertTrue(takes(gateway, "c.example"), "a reload is no consent");
      CommandLineInProcess.Result accepted = gateway.cli("config", "reload", "--accept-domains");
      assertEquals(0, accepted.exitCode(), accepted.err());
      assertFalse(takes(gateway, "c.example"));
      assertFalse(gateway.status().toString().contains("the former names count"));
      domains("a.example", "not_a_domain");
      Conditions.await("the line", () -> gateway.status().toString().contains("relay_domains:2:1"));
    }
  }

  @Test
  void aStartWithoutTheFileUsesTheNamesOfBefore() throws IOException {
    try (ScriptedUpstream upstream = ScriptedUpstream.start()) {
      IllegalStateException failed =
          assertThrows(IllegalStateException.class, fixture(upstream)::start);
      assertTrue(failed.getMessage().contains("relay_domains cannot be read"), failed.toString());
      domains("a.example");
      try (GatewayFixture gateway = fixture(upstream).start()) {
        Conditions.await(
            "the names are kept",
            () -> Files.exists(folder.resolve("state").resolve("domains.kept")));
        assertTrue(takes(gateway, "a.example"));
      }
      Files.delete(folder.resolve("relay_domains"));
      try (GatewayFixture gateway = fixture(upstream).start()) {
        assertTrue(takes(gateway, "a.example"));
        assertTrue(gateway.status().toString().contains("the former names count"));
        CommandLineInProcess.Result checked =
            CommandLineInProcess.run("config", "validate", gateway.settingsFile().toString());
        assertEquals(0, checked.exitCode(), checked.out());
        assertTrue(checked.out().contains("2 domains: 1 of the settings, 1 of file:"));
      }
    }
  }
}
