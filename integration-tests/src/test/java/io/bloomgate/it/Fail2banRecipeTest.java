package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The section "fail2ban" of config/recipes.md, with a real fail2ban under Debian's settings. What
 * closes the firewall is replaced by what writes a line.
 */
class Fail2banRecipeTest {

  private static final String TITLE = "fail2ban";
  private static final Path SERVER = Path.of("/usr/bin/fail2ban-server");
  private static final Path DEBIAN = Path.of("/etc/fail2ban");
  private static final String JAIL = "/etc/fail2ban/jail.d/bloomgate.conf";
  private static final int MAX_RETRY = 3;

  @TempDir Path folder;

  @Test
  void clientsThatWereRefusedAreBannedAndNobodyElse() throws Exception {
    assumeTrue(Files.isExecutable(SERVER), "fail2ban is not installed");
    RecipePage page = RecipePage.load();
    try (ScriptedUpstream sink = RecipeProof.startSink();
        GatewayFixture gateway =
            page.into(
                GatewayFixture.in(Files.createDirectory(folder.resolve("gateway")), sink.port()),
                TITLE,
                "/var/log/bloomgate/",
                folder + "/")) {
      gateway.start();
      Path log = folder.resolve("bloomgate.log");
      Process fail2ban = fail2ban(page, log);
      try {
        for (int i = 0; i < MAX_RETRY; i++) {
          gateway.control(new ControlRequest.SetMode(Mode.OBSERVE, null));
          mail(gateway, "203.0.113.200", "a@spam.example");
          gateway.control(new ControlRequest.SetMode(Mode.ENFORCE, null));
          mail(gateway, "192.0.2.10", "a@partner.example");
          mail(gateway, "203.0.113.7", "a@partner.example");
          mail(gateway, "2001:db8:bad::7", "a@partner.example");
        }
        Path bans = folder.resolve("bans");
        Conditions.await(
            "both are banned", () -> Files.exists(bans) && Files.readAllLines(bans).size() >= 2);
        assertEquals(
            List.of("2001:db8:bad::7", "203.0.113.7"),
            Files.readAllLines(bans).stream().sorted().toList());
        assertTrue(fail2ban.isAlive());
      } finally {
        fail2ban.destroyForcibly().onExit().join();
      }
    }
  }

  /** {@link LogReadersStoryTest} shows that these match a journal of the shipped unit. */
  @Test
  void linesForTheJournalAreThoseThatAreTested() throws IOException {
    assertEquals(
        "backend = systemd\njournalmatch = " + LogReadersStoryTest.JOURNAL_MATCH + "\n",
        RecipePage.load().lines(TITLE, JAIL + ": with the journal"));
  }

  private Process fail2ban(RecipePage page, Path log) throws IOException {
    Path settings = folder.resolve("fail2ban");
    copy(DEBIAN, settings);
    Files.deleteIfExists(settings.resolve("jail.d/defaults-debian.conf"));
    Files.writeString(
        settings.resolve("jail.d/bloomgate.conf"),
        RecipePage.replaced(
            page.lines(TITLE, JAIL + ": with a log file"),
            "/var/log/bloomgate/bloomgate.log",
            log.toString()));
    Files.writeString(
        settings.resolve("action.d/note.conf"),
        "[Definition]\nactionban = echo <ip> >> " + folder + "/bans\n");
    Files.writeString(settings.resolve("jail.local"), "[DEFAULT]\nbanaction = note\n");
    Files.writeString(settings.resolve("fail2ban.local"), "[Definition]\ndbfile = None\n");
    Path output = folder.resolve("fail2ban.log");
    Process process =
        new ProcessBuilder(
                SERVER.toString(),
                "-f",
                "-c",
                settings.toString(),
                "-s",
                folder.resolve("fail2ban.sock").toString(),
                "-p",
                folder.resolve("fail2ban.pid").toString(),
                "--logtarget",
                output.toString(),
                "start")
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("fail2ban.out").toFile())
            .start();
    Conditions.await(
        "the jail is started",
        () ->
            !process.isAlive()
                || (Files.exists(output)
                    && Files.readString(output).contains("Jail 'bloomgate' started")));
    if (!process.isAlive()) {
      throw new AssertionError("it ended: " + Files.readString(folder.resolve("fail2ban.out")));
    }
    return process;
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path path : all.toList()) {
        Files.copy(path, to.resolve(from.relativize(path)));
      }
    }
  }

  private static void mail(GatewayFixture gateway, String address, String from) throws IOException {
    try (SmtpClient client = SmtpClient.proxied(gateway.port("mx"), address)) {
      client.rcpt("mail.partner.example", from, "bob@example.com");
      client.command("QUIT");
    }
  }
}
