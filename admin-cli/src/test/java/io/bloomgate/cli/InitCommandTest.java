package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.cli.command.NewFile;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.BulkSettings;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.config.settings.Rule;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.SettingsResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code init} and {@code feeds catalogue}, as typed. */
class InitCommandTest {

  @TempDir Path folder;

  private static Settings parse(String text) {
    SettingsResult result = SettingsFile.parse("b.yaml", text, Map.of(), () -> "mx.example.com");
    SettingsResult.Loaded loaded =
        assertInstanceOf(SettingsResult.Loaded.class, result, result::toString);
    assertEquals(List.of(), loaded.warnings());
    return loaded.settings();
  }

  private static Shell.Result init(Path file, String... more) {
    List<String> args =
        new java.util.ArrayList<>(
            List.of("init", "--downstream", "[2001:db8::5]:10025", "-c", file.toString()));
    args.addAll(List.of("--domains", "Example.com,.example.org,example.com"));
    args.addAll(List.of(more));
    return Shell.run(args.toArray(String[]::new));
  }

  @Test
  void theFileIsValidAndRefusesNothingYet() throws Exception {
    Path file = folder.resolve("new/folder/bloomgate.yaml");
    Shell.Result result = init(file).exits(0);
    Settings settings = parse(Files.readString(file));
    assertEquals(Mode.OBSERVE, settings.mode());
    assertEquals(List.of("example.com", ".example.org"), settings.domains());
    assertEquals("2001:db8::5", settings.downstream().host());
    assertEquals(10025, settings.downstream().port());
    assertEquals(
        List.of("spamhaus-drop", "spamhaus-dropv6", "feodo", "et-compromised"),
        List.copyOf(settings.feeds().sources().keySet()));
    assertEquals("rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    for (String topic :
        List.of("certificate", "DANE", "MTA-STS", "domains", "firewall", "mynetworks")) {
      result.prints(topic);
    }
    result.prints("bloomgate mode enforce");
    try (var names = Files.list(file.getParent())) {
      assertEquals(List.of(file), names.toList(), "nothing else is left behind");
    }
  }

  /** What is printed can be typed as it is. */
  @Test
  void theNextCommandsNameAFileThatIsNotTheUsualOne() {
    Path file = folder.resolve("my settings.yaml");
    String out = init(file).out();
    for (String command : List.of("feeds list", "tail", "mode enforce --for 1h")) {
      String line = "bloomgate " + command + " -c '" + file + "'";
      Shell.assertHas(out, line);
    }
    Shell.assertHas(out, "bloomgate run -c '" + file + "'    # as the user");
    String usual = init(Path.of("-")).err();
    Shell.assertHas(usual, "bloomgate tail    #", "  systemctl enable --now bloomgate    #");
  }

  @Test
  void aFileThatIsThereStaysUnlessForced() throws Exception {
    Path file = folder.resolve("bloomgate.yaml");
    Files.writeString(file, "mine\n");
    Shell.Result refused = init(file).exits(2);
    assertEquals("mine\n", Files.readString(file));
    refused.complains("is there already");
    init(file, "--force").exits(0);
    parse(Files.readString(file));
    assertEquals("rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
  }

  @Test
  void onStandardOutputStandsTheFileAlone() throws Exception {
    Path file = folder.resolve("bloomgate.yaml");
    init(file).exits(0);
    init(Path.of("-")).exits(0).answers(Files.readString(file)).complains("Check first");
  }

  @Test
  void aSmallSiteCountsCopiesFromThreeNetworksInAWeek() throws Exception {
    Path file = folder.resolve("small.yaml");
    String asked = "content: {bulk: {networks: 3, copies: 4, window: 7d}}";
    assertTrue(init(file).out().contains(asked));
    assertNull(parse(Files.readString(file)).bulk());
    init(file, "--force", "--mails-a-day", "5000").printsNo(asked);
    assertNull(parse(Files.readString(file)).bulk());
    init(file, "--force", "--mails-a-day", "4999").exits(0);
    assertEquals(
        new BulkSettings(3, 4, Duration.ofDays(7), 100_000), parse(Files.readString(file)).bulk());
    init(file, "--force", "--mails-a-day", "few").exits(2);
  }

  /** One weak list never refuses, in any profile and with any key. */
  @ParameterizedTest
  @CsvSource({
    "careful, false",
    "careful, true",
    "balanced, false",
    "balanced, true",
    "strict, false",
    "strict, true"
  })
  void aProfileIsValidWithoutWarningsAndLetsNoWeakListRefuse(String profile, boolean key)
      throws Exception {
    Path file = folder.resolve("p.yaml");
    Path secret = Files.writeString(folder.resolve("dqs key"), "abcdefghijklmnopqrstuvwxyz");
    List<String> more = new ArrayList<>(List.of("--profile", profile));
    if (key) {
      more.addAll(List.of("--dqs-key-file", secret.toString()));
    }
    Shell.Result result =
        init(file, more.toArray(String[]::new)).ends(0, "profile      " + profile);
    Settings.Feeds feeds = parse(Files.readString(file)).feeds();
    Set<String> alone = new HashSet<>();
    feeds.sources().values().stream()
        .filter(f -> f.action().compareTo(Action.TAG) > 0)
        .forEach(f -> alone.add(f.name()));
    assertEquals(Set.of("spamhaus-drop", "spamhaus-dropv6", "feodo", "et-compromised"), alone);
    assertEquals(key, feeds.dnsLists().containsKey("spamhaus-zen"));
    feeds.dnsLists().values().forEach(list -> assertEquals(secret, list.keyFile()));
    for (Rule rule : parse(Files.readString(file)).rules().values()) {
      assertTrue(rule.needed() > 1 || rule.action().compareTo(Action.TEMPFAIL) < 0, rule::toString);
      assertFalse(rule.of().stream().anyMatch(alone::contains), rule::toString);
    }
    assertEquals(!profile.equals("careful"), result.out().contains("ipsum-3"), result.out());
    assertEquals(!profile.equals("careful"), result.out().contains("come by rsync"), result.out());
    assertEquals(key, result.out().contains("set `dns: {servers: [127.0.0.1]}`"), result.out());
  }

  @Test
  void carefulIsTheDefaultAndAMissingKeyIsReported() {
    Path none = Path.of("-");
    assertEquals(init(none).out(), init(none, "--profile", "careful").out());
    init(none, "--dqs-key-file", "/none/dqs")
        .exits(0)
        .prints("key_file: /none/dqs\n")
        .complains("/none/dqs is not there yet");
    init(none, "--profile", "brave").exits(2);
  }

  @Test
  void jsonIsOneObject() throws Exception {
    Path file = folder.resolve("b.yaml");
    Shell.Result result = init(file, "-o", "json");
    JsonObject answer = assertInstanceOf(JsonObject.class, Json.parse(result.out()));
    assertEquals(1, result.out().lines().count());
    assertEquals("[2001:db8::5]:10025", answer.text("downstream").orElse(""));
    assertEquals(4, answer.elements("feeds").size());
    assertTrue(answer.elements("check").size() >= 6);
    JsonObject printed =
        assertInstanceOf(JsonObject.class, Json.parse(init(Path.of("-"), "-o", "json").out()));
    assertEquals(Files.readString(file), printed.text("text").orElse(""));
  }

  /** A group that is missing is made; one that refuses needs root. */
  @Test
  void aMissingGroupIsNotAMissingPermission() throws Exception {
    Path file = folder.resolve("a b.yaml");
    NewFile.Given given = NewFile.write(file, out -> out.write(1), "no-such-group-here", false);
    assertEquals(NewFile.Given.NO_SUCH_GROUP, given);
    String chgrp = "`chgrp bloomgate '" + file + "'; chmod 640 '" + file + "'`";
    assertEquals(
        List.of(
            "this machine has no group bloomgate that could read the file; as root: `useradd"
                + " --system --user-group --home-dir /var/lib/bloomgate --shell /usr/sbin/nologin"
                + " bloomgate`, then "
                + chgrp
                + "; or let the user that runs the gateway read it"),
        InitCommand.readers(given, file));
    assertEquals(
        List.of(
            "you may not give the file to the group bloomgate; as root: "
                + chgrp
                + "; or let the user that runs the gateway read it"),
        InitCommand.readers(NewFile.Given.NOT_PERMITTED, file));
    String own = Files.readAttributes(file, PosixFileAttributes.class).group().getName();
    assertEquals(
        List.of(), InitCommand.readers(NewFile.write(file, out -> out.write(1), own, true), file));
  }
}
