package io.bloomgate.config.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.Check;
import io.bloomgate.config.notation.HostPort;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import io.bloomgate.config.settings.SettingsResult.Invalid;
import io.bloomgate.config.settings.SettingsResult.Loaded;
import io.bloomgate.config.settings.yaml.Problem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files that can be used: values, defaults, warnings, environment; and files that cannot be read.
 */
class SettingsFileTest {

  private static final String MINIMAL =
      "domains: [example.com]\ndownstream: {host: mail.example.com}\n";

  @TempDir Path folder;

  private static SettingsResult parse(String text, Map<String, String> environment) {
    return SettingsFile.parse("/etc/bg/f.yaml", text, environment, () -> "mx.example.com");
  }

  private static Loaded loaded(String text, Map<String, String> environment) {
    return assertInstanceOf(
        Loaded.class, parse(text, environment), () -> parse(text, environment).toString());
  }

  private static Settings settings(String text) {
    return loaded(text, Map.of()).settings();
  }

  private static Settings.Listener listener(Settings s, String name) {
    return Objects.requireNonNull(s.listeners().get(name));
  }

  private static Source source(Settings s, String name) {
    return Objects.requireNonNull(s.feeds().sources().get(name));
  }

  @Test
  void theMinimalFileIsEnough() {
    Loaded loaded = loaded(MINIMAL, Map.of());
    assertEquals(List.of(), loaded.warnings());
    Settings s = loaded.settings();
    assertEquals(Mode.OBSERVE, s.mode());
    assertEquals("mx.example.com", s.hostname());
    assertEquals(new HostPort("::", 25), listener(s, "mx").address());
    assertEquals(19, s.feeds().guard().minPrefixIpv6());
    assertEquals(6, s.allow().neverBlock().size());
    assertEquals(0660, s.admin().socketMode());
    assertEquals(Path.of("/var/lib/bloomgate/control.sock"), s.admin().socket());
    assertNull(s.admin().http());
  }

  @Test
  void variablesOfLauncherAndPackageAreNoSettings() {
    Map<String, String> variables =
        Map.of("BLOOMGATE_TRAIN", "no", "BLOOMGATE_CLI_JAVA_OPTS", "-Xmx1g");
    assertEquals(List.of(), loaded(MINIMAL, variables).warnings());
  }

  @Test
  void readsEveryKindOfValue() {
    Settings s =
        settings(
            """
            mode: enforce
            hostname: MX.Example.COM
            domains: [Example.com, .example.org]
            state_dir: state
            listeners:
              in: {address: "127.0.0.1:2525", proxy_protocol: both, trusted_proxies: [127.0.0.1, "2001:db8::/32"], banner_delay: 2s}
            downstream: {host: "[2001:db8::1]", client_address: proxy-v2, connect_timeout: 90s}
            log: {target: "file:log/d.log", privacy: no_localpart, connections: on}
            admin: {http: 127.0.0.1:9190, socket_mode: 0600}
            allow: {files: [allow.d/*.list], known_good: [good.txt], never_block: []}
            feeds:
              guard: {max_turnover: none, max_shrink: 12.5%}
              sources:
                b: {file: lists/*.txt, checks: [helo, client_ip], action: reject, match: suffix, max_growth: 1000%}
                a: {url: "https://h.example/x?y=1", format: "json:items", guard: {min_prefix: {ipv4: 16}, breaker: none, known_after: 0, max_good_hits: none}}
            """);
    assertEquals("mx.example.com", s.hostname());
    assertEquals(List.of("example.com", ".example.org"), s.domains());
    assertEquals(Path.of("/etc/bg/state/control.sock"), s.admin().socket());
    assertTrue(listener(s, "in").proxyProtocol().acceptsV1());
    assertEquals("2001:db8::1", s.downstream().host());
    assertEquals(Duration.ofSeconds(90), s.downstream().connectTimeout());
    assertEquals(new LogSettings.Target.File(Path.of("/etc/bg/log/d.log")), s.log().target());
    assertEquals(LogSettings.Connections.ON, s.log().connections());
    assertEquals(0600, s.admin().socketMode());
    assertEquals(List.of(Path.of("/etc/bg/allow.d/*.list")), s.allow().files());
    assertEquals(List.of(Path.of("/etc/bg/good.txt")), s.allow().knownGood());
    assertEquals(Set.of(), s.allow().neverBlock());
    assertEquals(List.of("b", "a"), List.copyOf(s.feeds().sources().keySet()));
    Source b = source(s, "b");
    assertEquals(new Location.Files("/etc/bg/lists/*.txt"), b.location());
    assertEquals(Set.of(Check.CLIENT_IP, Check.HELO), b.checks());
    assertEquals(10.0, b.guard().maxGrowth());
    assertEquals(0.125, b.guard().maxShrink());
    assertNull(b.guard().maxTurnover());
    Source a = source(s, "a");
    assertEquals(16, a.guard().minPrefixIpv4());
    assertEquals(19, a.guard().minPrefixIpv6());
    assertNull(a.guard().breakerNetworks());
    assertNull(a.guard().maxGoodHits());
    assertEquals(5, b.guard().maxGoodHits());
    assertEquals(Duration.ZERO, a.guard().knownAfter());
    assertEquals(Duration.ofDays(3), b.guard().knownAfter());
    assertNull(a.match());
    assertEquals("json:items", a.format());
    assertEquals(Check.WITHOUT_LOOK_UP.size(), a.checks().size());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          downstream: {host: h.example, client_address: none} | 2:47 | every mail
          policy: {reject_at: connect}                        | 3:21 | cannot be spared
          listeners: {mx: {tls: starttls}}                    | 3:23 | there is no certificate, a self-signed
          admin: {socket_mode: "0666"}                        | 3:22 | everyone
          limits: {recipients: 50}                            | 3:22 | fewer than 100
          listeners: {mx: {address: "192.0.2.1:25"}}          | 2:20 | go round
          feeds: {sources: {a: {file: x, every: 5d}}}         | 3:39 | stale
          """)
  void warnsWhereMailOrIdentityIsLost(String line, String place, String words) {
    String downstream = line.startsWith("downstream") ? "" : "downstream: {host: 192.0.2.1}\n";
    Loaded loaded = loaded("domains: [example.com]\n" + downstream + line + "\n", Map.of());
    assertEquals(1, loaded.warnings().size(), loaded.warnings().toString());
    String warning = loaded.warnings().getFirst().toString();
    assertTrue(warning.startsWith("/etc/bg/f.yaml:" + place + ": warning: "), warning);
    assertTrue(warning.contains(words), warning);
  }

  @Test
  void recipientsHaveProfilesByNamesInAnyCase() {
    String text =
        MINIMAL
            + "signs: {malformed: {action: tag}}\n"
            + "profiles: {off: {}, mild: {most: greylist, lists: {malformed: none}}}\n"
            + "recipients: {Sales@EXAMPLE.com: mild, .example.com: off, Postmaster@: default}\n";
    Map<String, RecipientProfile> recipients = loaded(text, Map.of()).settings().recipients();
    assertEquals(
        "[sales@example.com, .example.com, postmaster@, abuse@]", "" + recipients.keySet());
    assertEquals(RecipientProfile.DEFAULT, recipients.get("postmaster@"));
    assertEquals(RecipientProfile.EXEMPT, recipients.get("abuse@"));
    RecipientProfile mild = Objects.requireNonNull(recipients.get("sales@example.com"));
    assertEquals(Action.TAG, mild.mostOfContent(), "content is there once only");
    assertEquals(Map.of("malformed", Optional.empty()), mild.actions());
  }

  @Test
  void profilesThatConnectCannotSpareAreDoubtful() {
    String text =
        MINIMAL
            + "policy: {reject_at: connect, exempt_recipients: []}\n"
            + "recipients: {example.com: off}\n";
    assertTrue(loaded(text, Map.of()).warnings().toString().contains("no profile"));
  }

  @Test
  void aShortHostnameIsDoubtfulAndABadOneRefused() {
    assertInstanceOf(Loaded.class, SettingsFile.parse("f", MINIMAL, Map.of(), () -> "mx1"));
    Loaded loaded = (Loaded) SettingsFile.parse("f", MINIMAL, Map.of(), () -> "mx1");
    assertTrue(loaded.warnings().getFirst().message().contains("mx1"));
    assertInstanceOf(Invalid.class, SettingsFile.parse("f", MINIMAL, Map.of(), () -> "bad name"));
  }

  @Test
  void theEnvironmentOverridesTheFile() {
    Loaded loaded =
        loaded(
            MINIMAL + "feeds: {sources: {spamhaus-drop: {url: https://a.example/}}}\n",
            Map.of(
                "BLOOMGATE_DOWNSTREAM__HOST", "192.0.2.9",
                "BLOOMGATE_DOMAINS", "a.example, b.example",
                "BLOOMGATE_ALLOW__NEVER_BLOCK", "[private, loopback]",
                "BLOOMGATE_LISTENERS__MX__ADDRESS", "127.0.0.1:2525",
                "bloomgate_feeds__sources__Spamhaus_Drop__every", "2h",
                "BLOOMGATE_FEEDS__SOURCES__EXTRA__FILE", "/x",
                "BLOOMGATE_FEEDS__GUARD__MIN_PREFIX__IPV4", "9",
                "BLOOMGATE_JAVA_OPTS", "-Xmx1g",
                "PATH", "/bin"));
    assertEquals(List.of(), loaded.warnings());
    Settings s = loaded.settings();
    assertEquals("192.0.2.9", s.downstream().host());
    assertEquals(List.of("a.example", "b.example"), s.domains());
    assertEquals(2, s.allow().neverBlock().size());
    assertEquals(2525, listener(s, "mx").address().port());
    assertEquals(Set.of("spamhaus-drop", "extra"), s.feeds().sources().keySet());
    assertEquals(Duration.ofHours(2), source(s, "spamhaus-drop").every());
    assertEquals(9, source(s, "extra").guard().minPrefixIpv4());
  }

  @Test
  void aWrongVariableIsNamedAndAnUnknownOneOnlyWarned() {
    Invalid invalid =
        assertInstanceOf(
            Invalid.class,
            parse(
                MINIMAL,
                Map.of(
                    "BLOOMGATE_MODE",
                    "loud",
                    "BLOOMGATE_DOWNSTREAM__PROT",
                    "25",
                    "BLOOMGATE_X",
                    "")));
    assertEquals(
        List.of(
            "BLOOMGATE_DOWNSTREAM__PROT: warning: no setting has this name; did you mean"
                + " BLOOMGATE_DOWNSTREAM__PORT?",
            "BLOOMGATE_MODE: `loud` is not one of: observe, soft, enforce; choose one of them",
            "BLOOMGATE_X: warning: no setting has this name; it is ignored"),
        invalid.problems().stream().map(Problem::toString).sorted().toList());
  }

  /** Its sample had them; a gateway that is upgraded starts with its old file. */
  @ParameterizedTest
  @ValueSource(strings = {"retain_incidents: 30d", "max_incidents: 200000"})
  void keysOfTheFirstReleaseAreAWarning(String setting) {
    Loaded loaded = loaded(MINIMAL + "log: {" + setting + "}\n", Map.of());
    assertEquals(1, loaded.warnings().size(), loaded::toString);
    String warning = loaded.warnings().getFirst().toString();
    assertTrue(warning.contains("has no effect: sessions are kept"), warning);
  }

  @Test
  void filesThatCannotBeReadAreOneClearProblem() throws IOException {
    Path latin = folder.resolve("latin.yaml");
    Files.write(
        latin, "mode: soft\nhostname: m\u00fc.example\n".getBytes(StandardCharsets.ISO_8859_1));
    Path big = folder.resolve("big.yaml");
    Files.writeString(big, "#".repeat(SettingsFile.MAX_OCTETS + 1));
    assertProblem(folder.resolve("none.yaml"), "there is no such file");
    assertProblem(folder, "this is a folder");
    assertProblem(latin, ":2:12: not UTF-8");
    assertProblem(big, "larger than");
  }

  private static void assertProblem(Path file, String words) {
    Invalid invalid = assertInstanceOf(Invalid.class, SettingsFile.load(file, Map.of()));
    assertEquals(1, invalid.problems().size());
    assertTrue(
        invalid.problems().getFirst().toString().contains(words),
        invalid.problems().getFirst()::toString);
  }

  @Test
  void loadsAFileWithAByteOrderMark() throws IOException {
    Path file = folder.resolve("f.yaml");
    Files.writeString(
        file, "\uFEFF" + MINIMAL + "hostname: mx.example.com\nlog: {target: 'file:x'}\n");
    Loaded loaded = assertInstanceOf(Loaded.class, SettingsFile.load(file, Map.of()));
    assertEquals(
        new LogSettings.Target.File(folder.resolve("x")), loaded.settings().log().target());
  }

  @Test
  void anyTextIsSettingsOrProblemsNeverACrash() {
    String base =
        MINIMAL
            + "feeds:\n"
            + "  sources:\n"
            + "    a: {file: x, guard: {max_shrink: 5%}}\n"
            + "listeners: {mx: {}}\n";
    for (long seed = 0; seed < 2000; seed++) {
      Random random = new Random(seed);
      StringBuilder text = new StringBuilder(base);
      for (int i = random.nextInt(6); i >= 0; i--) {
        String pool = "\t\n :[]{},&*!'\"#-?|>%@\u0007\u2028ab\ud800";
        int at = random.nextInt(text.length());
        text.setCharAt(at, pool.charAt(random.nextInt(pool.length())));
      }
      SettingsResult result = parse(text.toString(), Map.of());
      if (result instanceof Invalid(List<Problem> problems)) {
        assertTrue(!problems.isEmpty(), "seed " + seed);
        problems.forEach(p -> assertTrue(p.toString().lines().count() == 1, p::toString));
      }
    }
  }

  /** An operator asks the gateway, which runs with what the file said before. */
  @ParameterizedTest
  @ValueSource(strings = {"lists: [", "\tx: y", "a: \"b", "domains: {a"})
  void theControlSocketIsFoundAboveAMistake(String mistake) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("broken.yaml"),
            "state_dir: /srv/gate\n" + mistake + "\nmode: enforce\n");
    assertEquals(Path.of("/srv/gate/control.sock"), SettingsFile.controlSocket(file, Map.of()));
  }
}
