package io.bloomgate.cli.manual;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.settings.EffectiveValue;
import io.bloomgate.config.settings.SampleKeys;
import io.bloomgate.config.settings.SettingsFile;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page of the settings names every key, with its notation, its default and a meaning. */
class SettingsPageTest {

  private static final String PAGE = SettingsPage.text(LocalDate.of(2026, 11, 21), "1.2.3");

  /** A key, the line of its notation, and what follows up to the next one. */
  private static final Pattern ITEM =
      Pattern.compile("\\.It Ic (.+)\n(\\([^\n]*(?:\n[^\n.]+)*)\n((?:(?!\\.(?:It|El|Ss)).*\n)*)");

  private static final List<MatchResult> ITEMS = ITEM.matcher(PAGE).results().toList();

  private static Map<String, String> textByKey() {
    Map<String, String> texts = new LinkedHashMap<>();
    ITEMS.forEach(item -> texts.put(item.group(1), item.group(2) + "\n" + item.group(3)));
    return texts;
  }

  @Test
  void everyKeyThatHasADefaultIsInThePageOnce() {
    List<String> known = ITEMS.stream().map(item -> item.group(1)).toList();
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

  /** A key is explained by itself, by the key around it, or in the text of its section. */
  @Test
  void everyKeyIsExplained() {
    List<String> mute = new ArrayList<>();
    for (String section : PAGE.split("\n\\.Ss ", -1)) {
      String prose = ITEM.matcher(section).replaceAll("");
      ITEM.matcher(section)
          .results()
          .filter(item -> item.group(3).isEmpty())
          .map(item -> item.group(1))
          .filter(key -> !prose.contains(key.substring(key.lastIndexOf('.') + 1)))
          .filter(key -> !isExplainedElsewhere(key))
          .forEach(mute::add);
    }
    assertEquals(List.of(), mute);
  }

  private static boolean isExplainedElsewhere(String key) {
    int dot = key.lastIndexOf('.');
    return ITEMS.stream()
        .filter(item -> !item.group(3).isEmpty())
        .map(item -> item.group(1))
        .anyMatch(
            other -> other.equals(key.substring(0, dot)) || other.endsWith(key.substring(dot)));
  }

  @Test
  void notationsAndDefaultsAreThoseOfTheReaders() {
    Map<String, String> texts = textByKey();
    assertBegins(texts, "limits.hops", "(whole number, 1 to 1000; default: \\fB100\\fR)\n");
    assertBegins(
        texts,
        "feeds.guard.max_turnover",
        "(percentage, 0% to 100%, or none; default: \\fB50%\\fR)\n");
    assertBegins(
        texts,
        "listeners.NAME.proxy_protocol",
        "(none, v1, v2 or both; default: \\fBnone\\fR)\n.br\n");
    assertBegins(
        texts, "feeds.sources.NAME.url", "(web address, or rsync://HOST/MODULE/PATH)\n.br\n");
    assertBegins(
        texts,
        "feeds.sources.NAME.every",
        "(duration, 1s to 365d; default: \\fB1h\\fR)\n.br\nTime between two looks");
    assertTrue(
        String.valueOf(texts.get("feeds.sources.NAME.checks"))
            .contains("\n.br\nAny of client_ip (def"),
        "the comments of all examples");
    assertBegins(
        texts, "feeds.sources.NAME.guard", "(section with the keys of \\fBfeeds.guard\\fR)\n");
    assertTrue(
        String.valueOf(texts.get("signs.early_talker.action")).contains("\n.br\nSpeaks before"));
  }

  private static void assertBegins(Map<String, String> texts, String key, String begin) {
    String text = String.valueOf(texts.get(key));
    assertTrue(text.startsWith(begin), text);
  }

  /** The page has the layout of the sample: prose, lines to copy, and keys in lists. */
  @Test
  void examplesAreLinesToCopyAndTheRestIsText() {
    assertTrue(PAGE.contains(".Bd -literal -offset indent\ntls:\n  certificate: /etc/letsencrypt"));
    assertTrue(PAGE.contains("\n.Ss limits\nWhat one client may ask of us.\n"));
    assertTrue(PAGE.contains(".It Li \"bloomgate config validate FILE\"\nnames every mistake"));
    assertTrue(PAGE.contains("\n.Pp\nDurations are written 30s, 5m, 12h, 3d;"));
    assertFalse(PAGE.contains("lmtp}   # with a dot"), "a comment is the meaning of its key");
  }
}
