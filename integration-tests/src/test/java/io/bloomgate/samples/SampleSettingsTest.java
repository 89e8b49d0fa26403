package io.bloomgate.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.checkout.Checkout;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.SettingsResult;
import io.bloomgate.config.settings.SettingsResult.Loaded;
import io.bloomgate.config.settings.Sign;
import io.bloomgate.config.settings.yaml.EffectiveValue;
import io.bloomgate.config.settings.yaml.EffectiveValue.Origin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Holds the shipped settings files to what the gateway reads and takes for its defaults. */
class SampleSettingsTest {
  private static final Path CONFIG = Checkout.root().resolve("config");
  private static final Set<List<String>> REQUIRED =
      Set.of(List.of("domains"), List.of("downstream", "host"));

  @Test
  void sampleIsReadyButForTheTwoRequiredSettings() throws IOException {
    Loaded loaded = load("bloomgate.yaml", Map.of());
    assertEquals(List.of(), loaded.warnings());
    assertEquals(REQUIRED, paths(loaded.values(), v -> v.origin() instanceof Origin.FileLine));
    assertEquals(Mode.OBSERVE, loaded.settings().mode());
  }

  @Test
  void commentedSettingsAreAllSettingsWithTheirDefaults() throws IOException {
    String sample = Files.readString(CONFIG.resolve("bloomgate.yaml"));
    // A setting is directly or by whole steps of two blanks after its comment sign; prose and
    // examples are one blank further right.
    String active = sample.replaceAll("(?m)^#((?:  )*[a-z_]+:)", "$1");
    Loaded loaded = assertLoaded(parse("bloomgate.yaml", active, Map.of()));
    assertEquals(List.of(), loaded.warnings());
    assertEquals(REQUIRED, paths(loaded.values(), EffectiveValue::changed));
    Set<List<String>> missing = new TreeSet<>(SampleSettingsTest::compare);
    missing.addAll(paths(loaded.values(), v -> v.origin() instanceof Origin.Default));
    // These have no default that could be written down; the sample shows an example.
    missing.removeAll(
        Set.of(
            List.of("tls", "certificate"),
            List.of("tls", "key"),
            List.of("tls", "certificates"),
            List.of("downstream", "routes"),
            List.of("admin", "token_file"),
            List.of("admin", "write_tokens_file"),
            List.of("feeds", "sources"),
            List.of("signs"),
            List.of("rules"),
            List.of("profiles"),
            List.of("recipients")));
    assertEquals(Set.of(), missing);
  }

  @Test
  void examplesInTheSampleAreValid() throws IOException {
    String sample = Files.readString(CONFIG.resolve("bloomgate.yaml"));
    // The example below feeds needs its parent, those of tls and admin need none.
    String active =
        sample
            .replaceAll("(?m)^#(feeds:|admin:)", "$1")
            .replaceAll("(?m)^# (tls:|signs:|rules:|profiles:|recipients:|(?:  )+[a-z_-]+:)", "$1")
            .replaceAll("(?m)^   bloomgate .*$", "");
    Loaded loaded = assertLoaded(parse("bloomgate.yaml", active, Map.of()));
    assertEquals(
        Set.of(
            "spamhaus-drop",
            "disposable-domains",
            "phishing",
            "malware",
            "iptoasn",
            "asn-drop",
            "with-a-key"),
        loaded.settings().feeds().sources().keySet());
    assertEquals(Set.of("zen", "zen-pbl", "surbl"), loaded.settings().feeds().dnsLists().keySet());
    assertEquals(Set.of("weak", "both", "far", "pools"), loaded.settings().rules().keySet());
    assertEquals(Set.of(Sign.values()), loaded.settings().signs().keySet());
    assertTrue(loaded.settings().profiles().keySet().containsAll(Set.of("tag-only", "no-wait")));
    assertEquals("strict", loaded.settings().recipients().get("example.com").name());
    assertEquals(1, loaded.settings().tls().certificates().size());
    assertTrue(loaded.settings().admin().tokenFile() != null);
    assertTrue(loaded.settings().admin().writeTokensFile() != null);
  }

  @Test
  void benchSettingsAreValidAndMoveByEnvironment() throws IOException {
    Loaded loaded =
        load(
            "bench.yaml",
            Map.of(
                "BLOOMGATE_STATE_DIR", "/elsewhere/state",
                "BLOOMGATE_FEEDS__SOURCES__IPS__FILE", "/elsewhere/ips",
                "BLOOMGATE_FEEDS__SOURCES__DOMAINS__FILE", "/elsewhere/domains"));
    assertEquals(Path.of("/elsewhere/state"), loaded.settings().stateDir());
    assertEquals(
        List.of("Files[pattern=/elsewhere/ips]", "Files[pattern=/elsewhere/domains]"),
        loaded.settings().feeds().sources().values().stream()
            .map(source -> source.location().toString())
            .toList());
    assertEquals(Set.of(), loaded.settings().allow().neverBlock());
  }

  private static Loaded load(String name, Map<String, String> environment) throws IOException {
    return assertLoaded(parse(name, Files.readString(CONFIG.resolve(name)), environment));
  }

  private static SettingsResult parse(String name, String text, Map<String, String> environment) {
    return SettingsFile.parse("/etc/bloomgate/" + name, text, environment, () -> "mx.example.com");
  }

  private static Loaded assertLoaded(SettingsResult result) {
    return assertInstanceOf(Loaded.class, result, result::toString);
  }

  private static Set<List<String>> paths(
      List<EffectiveValue> values, Predicate<EffectiveValue> which) {
    return values.stream().filter(which).map(EffectiveValue::path).collect(Collectors.toSet());
  }

  private static int compare(List<String> one, List<String> other) {
    return String.join(".", one).compareTo(String.join(".", other));
  }
}
