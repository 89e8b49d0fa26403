package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The section "fail2ban" of config/recipes.md, with a real fail2ban under Debian's settings. It
 * closes a real firewall, that of a network namespace in which nothing but fail2ban is.
 */
class Fail2banRecipeTest {

  private static final String TITLE = "fail2ban";
  private static final Path SERVER = Path.of("/usr/bin/fail2ban-server");
  private static final Path NFT = Path.of("/usr/sbin/nft");
  private static final Path UNSHARE = Path.of("/usr/bin/unshare");
  private static final Path DEBIAN = Path.of("/etc/fail2ban");
  private static final String JAIL = "/etc/fail2ban/jail.d/bloomgate.conf";
  private static final int MAX_RETRY = 3;
  private static final List<String> BANNED = List.of("203.0.113.7", "2001:db8:bad::7");

  /** The first one is listed and meets mode observe. */
  private static final List<String> PASSED = List.of("203.0.113.130", "192.0.2.10");

  @TempDir Path folder;

  @Test
  void clientsThatWereRefusedAreBannedAndNobodyElse() throws Exception {
    for (Path program : List.of(SERVER, NFT, UNSHARE)) {
      assumeTrue(Files.isExecutable(program), program + " is not installed");
    }
    assumeTrue("root".equals(System.getProperty("user.name")), "namespaces are made by root only");
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
          mail(gateway, PASSED.getFirst(), "a@spam.example");
          gateway.control(new ControlRequest.SetMode(Mode.ENFORCE, null));
          mail(gateway, PASSED.getLast(), "a@partner.example");
          for (String address : BANNED) {
            mail(gateway, address, "a@partner.example");
          }
        }
        Conditions.await(
            "both are banned",
            () -> {
              String rules = firewall(fail2ban);
              return BANNED.stream().allMatch(rules::contains);
            });
        String rules = firewall(fail2ban);
        assertTrue(rules.contains("tcp dport 25 ip saddr @addr-set-bloomgate reject"), rules);
        assertTrue(rules.contains("tcp dport 25 ip6 saddr @addr6-set-bloomgate reject"), rules);
        for (String address : PASSED) {
          assertFalse(rules.contains(address), rules);
        }
        assertTrue(fail2ban.isAlive());
      } finally {
        ProcessTree.kill(fail2ban.toHandle());
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
    Files.writeString(settings.resolve("fail2ban.local"), "[Definition]\ndbfile = None\n");
    Path output = folder.resolve("fail2ban.log");
    Process process =
        new ProcessBuilder(
                UNSHARE.toString(),
                "--net",
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

  /** The rules of its namespace. */
  private static String firewall(Process fail2ban) throws IOException {
    Process listed =
        new ProcessBuilder(
                "nsenter",
                "--net=/proc/" + fail2ban.pid() + "/ns/net",
                NFT.toString(),
                "list",
                "ruleset")
            .redirectErrorStream(true)
            .start();
    return new String(listed.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
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
