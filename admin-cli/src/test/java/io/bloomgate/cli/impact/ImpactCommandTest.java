package io.bloomgate.cli.impact;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.impact.PastSession;
import io.bloomgate.blocklists.impact.PastSession.Outcome;
import io.bloomgate.blocklists.impact.PastSessions;
import io.bloomgate.blocklists.workbench.WorkbenchTools;
import io.bloomgate.cli.LeftState;
import io.bloomgate.cli.Shell;
import io.bloomgate.cli.command.AnswerStream;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.GlobalOptions;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.Surroundings;
import io.bloomgate.cli.command.Values;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.settings.Settings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code impact} over a state directory that a gateway left behind, and sessions of the test. */
class ImpactCommandTest {

  private static final Instant NOW = Instant.parse("2026-11-21T07:40:00Z");
  private static final String SETTINGS =
      """
      mode: observe
      hostname: mx.example.com
      domains: [example.com]
      state_dir: state
      downstream: {host: 192.0.2.25}
      feeds:
        sources:
          weak: {file: weak.txt, action: observe}
          late: {file: late.txt, action: reject}
      """;

  private static final String URLS = "http://evil.example/a\nhttps://evil.example/b?c\n";

  @TempDir Path folder;
  private final List<PastSession> sessions = new ArrayList<>();
  private final List<Instant> asked = new ArrayList<>();

  @BeforeEach
  void leaveStateBehind() throws Exception {
    Files.writeString(folder.resolve("bloomgate.yaml"), SETTINGS);
    Path state = Files.createDirectories(folder.resolve("state"));
    LeftState.lists(state, List.of(List.of("weak", "45.66.0.9")));
    session("45.66.0.9", "x@bulk.example", 1);
    session("45.66.1.9", "ann@partner.example", 1);
    session("45.66.1.9", "ann@partner.example", 2);
    session("45.66.2.9", "\u001b[2Jx@new.example", 2);
  }

  private void session(String client, String from, int day) {
    session(client, from, day, false);
  }

  private void session(String client, String from, int day, boolean noted) {
    session(client, from, "bob", day, noted);
  }

  private void session(String client, String from, String to, int day, boolean noted) {
    sessions.add(
        new PastSession(
            NOW.minus(Duration.ofDays(7)).plus(Duration.ofDays(day)),
            "",
            Facts.ofClient(IpAddress.parse(client).toOptional().orElseThrow())
                .withSender(MailAddress.parse(from).toOptional().orElse(null))
                .withRecipient(new Facts.Recipient(to, "example.com", true)),
            Set.of(),
            Outcome.ACCEPTED,
            noted,
            List.of(),
            false,
            1));
  }

  private Shell.Result impact(String... args) {
    return run(true, args);
  }

  private Shell.Result run(boolean human, String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    GlobalOptions options = new GlobalOptions();
    options.config = folder.resolve("bloomgate.yaml");
    options.output = human ? GlobalOptions.Format.HUMAN : GlobalOptions.Format.JSON;
    Surroundings around =
        new Surroundings(
            new ByteArrayInputStream(new byte[0]),
            AnswerStream.to(out),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Map.of("COLUMNS", "1000"),
            InstantSource.fixed(NOW),
            () -> 0,
            task -> Thread.ofVirtual().start(task),
            false,
            new WorkbenchTools(() -> new SplittableRandom(1), () -> 0, 1L << 28));
    ImpactCommand command =
        new ImpactCommand() {
          {
            in = new Invocation(around, options);
          }

          @Override
          PastSessions sessions(Settings settings, Instant from) {
            asked.add(from);
            return sessions::forEach;
          }
        };
    CommandLine line = new CommandLine(command);
    Values.register(line);
    int exitCode =
        line.setExecutionExceptionHandler(
                (e, _, _) -> {
                  err.writeBytes(((CliException) e).line().getBytes(StandardCharsets.UTF_8));
                  return ((CliException) e).exitCode();
                })
            .execute(args);
    return new Shell.Result(
        exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  @Test
  void aCandidateThatHitsAPartnerIsNamed() throws Exception {
    Path list = Files.writeString(folder.resolve("tried.txt"), "45.66.1.9\n45.66.2.9\n");
    Shell.Result result = impact("--candidate", list.toString()).exits(4);
    assertEquals(List.of(NOW.minus(Duration.ofDays(7))), asked);
    String expected =
        """
        4 sessions in 24 h (2026-11-15 to 2026-11-16), 4 with accepted mail
        candidate LIST (2 entries): refuses 3
          3 new, 3 delivered then
            1 from 1 network, of senders (network and sender domain) without accepted mail before
            2 from 1 sender whose mail was accepted before: look at these

        SENDER DOMAIN    NETWORK       SESSIONS  ACCEPTED  LIST       ENTRY
        partner.example  45.66.1.0/24         2         2  candidate  45.66.1.9

        NETWORK       SESSIONS
        45.66.1.0/24         2
        45.66.2.0/24         1

        SENDER DOMAIN    SESSIONS
        partner.example         2
        """
            .replace("LIST (", list + " (");
    assertEquals(
        expected.stripTrailing(), result.out().substring(0, expected.stripTrailing().length()));
    assertTrue(result.out().indexOf('\u001b') < 0, result.out());
  }

  @Test
  void aListThatOnlyObservesIsAskedWhatItWouldRefuse() {
    impact("--feed", "weak").ends(0, "weak: refuses 1\n");
    assertTrue(
        impact("--feed", "weak", "--action", "greylist")
            .out()
            .contains("refuses 1 (1 of them for now only"));
    assertTrue(
        impact("--feed", "weak", "--action", "tag").out().contains("weak: refuses 0, tags 1\n"));
  }

  @Test
  void aProfileForSomeRecipientsIsComparedWithTheSettings() throws Exception {
    Files.writeString(
        folder.resolve("bloomgate.yaml"),
        SETTINGS + "profiles: {hard: {lists: {weak: reject}}, soft: {lists: {weak: tag}}}\n");
    session("45.66.0.9", "y@bulk.example", "sales", 3, false);
    impact("--profile", "hard", "--for", "Sales@Example.com")
        .prints("profile hard for sales@example.com: refuses 1\n");
    assertTrue(impact("--profile", "hard", "--for", ".example.com").out().contains("refuses 2\n"));
    assertTrue(impact("--profile", "soft", "--for", "sales@").out().contains("refuses 0, tags 1"));
    assertTrue(impact("--profile", "off", "--for", "sales@").out().contains("refuses 0"));
  }

  @Test
  void aProfileNeedsItsNameAndItsRecipients() {
    impact("--profile", "hrad", "--for", "sales@")
        .fails(2, "there is no profile hrad in the settings");
    assertTrue(
        impact("--profile", "off", "--for", "@example.com").err().contains("has no local part"));
    assertTrue(impact("--profile", "off").err().contains("--profile and --for belong together"));
    assertTrue(
        impact("--profile", "off", "--for", "a@", "--mode", "enforce").err().contains("exclude"));
  }

  @Test
  void otherSettingsAreComparedOverTheSameLists() throws Exception {
    Path other =
        Files.writeString(
            folder.resolve("other.yaml"),
            SETTINGS.replace("action: observe", "action: reject").replace("state\n", "nowhere\n"));
    Shell.Result result =
        impact("--settings", other.toString())
            .prints(other + ": refuses 1\n")
            .complains("warning: feed late was never loaded here");
    run(false, "--settings", other.toString()).prints("\"hits\":{\"sessions\":1,");
    result.complainsNo("feed weak has another source");
    Files.writeString(other, SETTINGS.replace("weak.txt", "other.txt"));
    String err = impact("--settings", other.toString()).err();
    Shell.assertHas(err, "warning: feed weak has another source or reading in");
  }

  @Test
  void mailThatModeObserveDeliveredIsNotCalledRefused() throws Exception {
    Files.writeString(folder.resolve("bloomgate.yaml"), SETTINGS.replace("observe}", "reject}"));
    session("45.66.0.9", "x@bulk.example", 3, true);
    Path list = Files.writeString(folder.resolve("tried.txt"), "45.66.0.9\n");
    String out = impact("--candidate", list.toString()).out();
    Shell.assertHas(
        out,
        """
          1 refused or noted already: weak 1
            1 of them only noted, as mode observe or an exemption let them pass, 1 delivered then
          1 new, 1 delivered then
        """);
  }

  @Test
  void mailThatWasDeliveredBeforeALiveListBecameWrongIsLookedAt() throws Exception {
    Files.writeString(folder.resolve("bloomgate.yaml"), SETTINGS.replace("observe}", "reject}"));
    session("45.66.0.9", "x@bulk.example", 2);
    Path list = Files.writeString(folder.resolve("tried.txt"), "45.66.0.9\n");
    for (List<String> change :
        List.of(
            List.of("--candidate", list.toString()),
            List.of("--feed", "weak", "--action", "reject"),
            List.of("--settings", folder.resolve("bloomgate.yaml").toString()))) {
      impact(change.toArray(new String[0]))
          .ends(4, "refuses 2\n  2 new, 2 delivered then\n", "was accepted before: look at these");
    }
  }

  /**
   * All of it was delivered: "without accepted mail before" would be untrue, and 0 a false hope.
   */
  @Test
  void senderWhoseMailOnlyModeObserveLetPassIsNamedBeforeEnforcing() throws Exception {
    Files.writeString(folder.resolve("bloomgate.yaml"), SETTINGS.replace("observe}", "reject}"));
    sessions.clear();
    session("45.66.0.9", "anna@partner.example", 1, true);
    session("45.66.0.9", "anna@partner.example", 2, true);
    Shell.Result result = impact().exits(4);
    String expected =
        """
        mode enforce: refuses 2
          2 new, 2 delivered then
            0 from 0 networks, of senders (network and sender domain) without accepted mail before
            2 from 1 sender whose mail only mode observe or an exemption let pass: \
        spam or a partner, look at these before you enforce

        SENDER DOMAIN    NETWORK       SESSIONS  ACCEPTED  LIST  ENTRY
        partner.example  45.66.0.0/24         2         2  weak  45.66.0.9
        """;
    result.prints(expected);
    run(false).prints("\"noted_only\":{\"sessions\":2,\"count\":1,");
    session("45.66.0.9", "anna@partner.example", 0, false);
    assertTrue(impact().out().contains("3 from 1 sender whose mail was accepted before"));
  }

  @Test
  void enforcingSaysWhatTheSettingsWouldRefuse() throws Exception {
    Files.writeString(folder.resolve("bloomgate.yaml"), SETTINGS.replace("observe}", "reject}"));
    assertTrue(impact().out().contains("mode enforce: refuses 1\n"));
    assertTrue(impact("--mode", "enforce").out().contains("mode enforce: refuses 1\n"));
  }

  /** Zero would read as "refuses nothing". */
  @Test
  void whatNeedsTheContentOfMailsIsNotJudged() throws IOException {
    Path list = Files.writeString(folder.resolve("u.txt"), "http://evil.example/a\n45.66.1.9\n");
    Shell.Result all =
        impact("--candidate", list.toString(), "--format", "urls", "--checks", "url").exits(0);
    assertTrue(all.out().endsWith(": not judged: the contents of mails are not kept\n"), all.out());
    all.printsNo("refuses");
    impact("--candidate", list.toString(), "--format", "urls", "--checks", "url,client_ip")
        .prints(
            "(2 entries): refuses 0\n",
            "  not judged: url, as the contents of mails are not kept\n");
  }

  /** "refuses 0" would read as if they had been compared with the mail. */
  @Test
  void entriesThatNoCheckLooksUpAreNamed() throws IOException {
    String carried =
        " asks for them, but kept sessions do not hold what a mail carried, so they are not judged";
    String usual = " never looked up by client_ip,helo,sender,sender_domain; --checks ";
    Path urls = Files.writeString(folder.resolve("u.txt"), URLS);
    impact("--candidate", urls.toString())
        .complains("warning: list candidate: 2 URLs are" + usual + "url" + carried);
    Path hashes = Files.writeString(folder.resolve("h.txt"), "ab".repeat(32) + "\n");
    impact("--candidate", hashes.toString(), "--format", "sha256")
        .complains("1 SHA-256 value is" + usual + "attachment,subject,body" + carried);
    Path mixed = Files.writeString(folder.resolve("m.txt"), "a.example\n192.0.2.1-192.0.2.6\n");
    impact("--candidate", mixed.toString(), "--checks", "sender")
        .complains(
            "1 network is never looked up by sender; --checks client_ip asks",
            "1 domain is never looked up by sender; --checks helo asks");
    impact("--candidate", urls.toString(), "--checks", "url").complainsNo("never looked up");
    impact("--candidate", mixed.toString()).complainsNo("never looked up");
  }

  @Test
  void whatMakesNoSenseIsRefused() {
    impact("--feed", "weak", "--mode", "enforce").exits(2);
    impact("--mode", "soft").exits(2);
    impact("--checks", "client_ip").exits(2);
    impact("--action", "tag").exits(2);
    impact("--feed", "nothing").fails(2, "there is no feed nothing in the settings");
    impact("--candidate", folder.resolve("no.txt").toString()).exits(2);
    assertEquals(List.of(), asked);
  }

  @Test
  void withoutKeptSessionsTheCommandNamesReplay() {
    String file = folder.resolve("bloomgate.yaml").toString();
    Shell.run("-c", file, "impact")
        .fails(1, "no sessions are kept in ", "`bloomgate replay LOG -c " + file + "`");
  }
}
