package io.bloomgate.config.settings.yaml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.SettingsResult.Loaded;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What {@code config show} prints reads back as the same settings. */
class SettingsTextTest {

  private static Loaded load(String text, Map<String, String> environment) {
    return assertInstanceOf(
        Loaded.class,
        SettingsFile.parse("/f.yaml", text, environment, () -> "mx.example.com"),
        text);
  }

  @Test
  void theDefaultsAreACompleteFileOnceDomainsAndHostAreAdded() {
    String defaults = SettingsText.render(SettingsFile.defaults(), false);
    String complete =
        "domains: [example.com]\n"
            + defaults.replace("downstream:\n", "downstream:\n  host: mail.example.com\n");
    Loaded loaded = load(complete, Map.of());
    assertEquals(
        load("domains: [example.com]\ndownstream: {host: mail.example.com}", Map.of()).settings(),
        loaded.settings());
    assertTrue(loaded.values().stream().filter(EffectiveValue::changed).count() == 2);
  }

  @Test
  void effectiveValuesReadBackEqual() {
    Loaded loaded =
        load(
            """
            domains: [example.com, .example.org]
            downstream: {host: "::1", port: 2525}
            listeners: {"no": {address: "[::1]:25"}, b: {address: "127.0.0.1:26"}}
            policy: {url: "https://h.example/?a=1&b=%7B"}
            feeds: {sources: {x: {file: "/a b/*.list", max_growth: 7%}, "1.2": {url: "https://h.example/#"}}}
            """,
            Map.of("BLOOMGATE_MODE", "soft"));
    String text = SettingsText.render(loaded.values(), false);
    assertEquals(loaded.settings(), load(text, Map.of()).settings());
    assertEquals(
        loaded.settings(), load(SettingsText.render(loaded.values(), true), Map.of()).settings());
  }

  @Test
  void originsNameEnvironmentLineAndDefault() {
    Loaded loaded =
        load(
            """
            domains: [example.com]
            downstream:
              host: h.example
            feeds: {sources: {a: {file: x}}}
            """,
            Map.of("BLOOMGATE_DOWNSTREAM__PORT", "2525"));
    List<String> lines =
        SettingsText.render(loaded.values(), true).lines().map(String::strip).toList();
    assertTrue(lines.contains("host: h.example   # /f.yaml:3"), lines::toString);
    assertTrue(lines.contains("port: 2525   # env BLOOMGATE_DOWNSTREAM__PORT"), lines::toString);
    assertTrue(lines.contains("mode: observe   # default"), lines::toString);
    assertEquals(
        """
        domains: [example.com]
        downstream:
          host: h.example
          port: 2525
        feeds:
          sources:
            a:
              file: x
        """,
        SettingsText.render(
            loaded.values().stream().filter(EffectiveValue::changed).toList(), false));
  }
}
