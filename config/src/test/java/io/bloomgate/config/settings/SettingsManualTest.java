package io.bloomgate.config.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.settings.SettingsManual.Prose;
import io.bloomgate.config.settings.SettingsManual.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The sample read as a manual names every key, with its notation, its default and a meaning. */
class SettingsManualTest {

  private static final SettingsManual MANUAL = SettingsManual.ofSample();

  @Test
  void everyKeyThatHasADefaultIsInTheManual() {
    Set<String> known = MANUAL.keys().stream().map(Setting::path).collect(Collectors.toSet());
    Set<String> missing = new TreeSet<>();
    for (EffectiveValue value : SettingsFile.defaultsWithSamples()) {
      String path = SettingsManual.generalPath(String.join(".", value.path()));
      boolean section = value.value().equals("{}");
      if (!known.contains(path) && !section) {
        missing.add(path);
      }
    }
    assertEquals(Set.of(), missing);
    assertTrue(known.contains("feeds.sources.NAME.checksum_url"), known::toString);
  }

  @Test
  void noKeyIsThereTwice() {
    List<String> paths = MANUAL.keys().stream().map(Setting::path).toList();
    assertEquals(paths.stream().distinct().toList(), paths);
  }

  /** A key is explained by itself, by the key around it, or in the text of its section. */
  @Test
  void everyKeyIsExplained() {
    List<String> mute = new ArrayList<>();
    for (SettingsManual.Section section : MANUAL.sections()) {
      String prose =
          section.parts().stream()
              .filter(Prose.class::isInstance)
              .map(Object::toString)
              .collect(Collectors.joining());
      for (Setting key : MANUAL.keys()) {
        boolean here = key.path().startsWith(section.name() + ".");
        if (here && key.meaning().isEmpty() && !prose.contains(last(key)) && !around(key)) {
          mute.add(key.path());
        }
      }
    }
    assertEquals(List.of(), mute);
  }

  private static boolean around(Setting key) {
    String section = key.path().substring(0, key.path().lastIndexOf('.'));
    return MANUAL.keys().stream()
        .anyMatch(k -> !k.meaning().isEmpty() && (k.path().equals(section) || same(k, key)));
  }

  private static boolean same(Setting one, Setting other) {
    return !one.path().equals(other.path()) && last(one).equals(last(other));
  }

  private static String last(Setting key) {
    return key.path().substring(key.path().lastIndexOf('.') + 1);
  }

  @Test
  void notationsAndDefaultsAreThoseOfTheReaders() {
    Setting turnover = key("feeds.guard.max_turnover");
    assertEquals("percentage, 0% to 100%, or none", turnover.notation());
    assertEquals("50%", turnover.fallback());
    assertEquals("none, v1, v2 or both", key("listeners.NAME.proxy_protocol").notation());
    assertEquals("", key("feeds.sources.NAME.url").fallback());
    assertEquals("1h", key("feeds.sources.NAME.every").fallback());
    assertTrue(
        key("signs.early_talker.action").meaning().getFirst().startsWith("speaks before"),
        key("signs.early_talker.action")::toString);
  }

  private static Setting key(String path) {
    return MANUAL.keys().stream().filter(k -> k.path().equals(path)).findFirst().orElseThrow();
  }
}
