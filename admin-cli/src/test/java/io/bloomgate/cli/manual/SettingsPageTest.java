package io.bloomgate.cli.manual;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.settings.SampleKeys;
import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.yaml.EffectiveValue;
import java.time.LocalDate;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The page of the settings names every key with its notation and its default. */
class SettingsPageTest {

  private static final String PAGE = SettingsPage.text(LocalDate.of(2026, 11, 21), "1.2.3");

  @Test
  void everyKeyThatHasADefaultIsInThePageOnce() {
    List<String> known =
        PAGE.lines().filter(line -> line.startsWith(".It Ic ")).map(l -> l.substring(7)).toList();
    Set<String> missing = new TreeSet<>();
    for (EffectiveValue value : SettingsFile.defaultsWithSamples()) {
      String path = SampleKeys.general(value.path());
      boolean section = value.value().equals("{}");
      if (!known.contains(path) && !section) {
        missing.add(path);
      }
    }
    assertEquals(Set.of(), missing);
    assertTrue(known.contains("feeds.sources.NAME.checksum_url"), known::toString);
    assertEquals(known.stream().distinct().toList(), known);
  }

  @Test
  void notationsAndDefaultsAreThoseOfTheReaders() {
    for (String item :
        List.of(
            "limits.hops\n(whole number, 1 to 1000; default: \\fB100\\fR)\n",
            "feeds.guard.max_turnover\n(percentage, 0% to 100%, or none; default: \\fB50%\\fR)\n",
            "listeners.NAME.proxy_protocol\n(none, v1, v2 or both; default: \\fBnone\\fR)\n",
            "feeds.sources.NAME.url\n(web address, or rsync://HOST/MODULE/PATH)\n",
            "feeds.sources.NAME.guard\n(section with the keys of \\fBfeeds.guard\\fR)\n")) {
      assertTrue(PAGE.contains(".It Ic " + item), item);
    }
  }

  @Test
  void theSampleIsWhole() {
    assertTrue(PAGE.contains("\n#limits:"), PAGE);
    assertTrue(PAGE.contains(".It Li \"bloomgate config validate FILE\"\nnames every mistake"));
    assertTrue(PAGE.contains("\n.Pp\nDurations are written 30s, 5m, 12h, 3d;"));
  }
}
