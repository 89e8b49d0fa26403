package io.bloomgate.config.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.settings.Rule.Where;
import io.bloomgate.config.settings.SettingsResult.Loaded;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The section {@code rules} and {@code family} of a feed, as settings files say them. */
class RulesSettingsTest {

  private static final String FEEDS =
      """
      feeds:
        sources:
          a: {file: a.txt}
          b: {file: b.txt, family: letters}
          c: {file: c.txt, family: letters}
          hard: {file: d.txt, action: reject}
          good: {file: g.txt, action: trust}
          table: {file: t.tsv, format: asn-table}
      """;

  private static Loaded loaded(String rules) {
    return Reading.loaded(FEEDS + rules);
  }

  @Test
  void readsRulesInTheOrderOfTheFile() {
    Loaded loaded =
        loaded(
            """
            rules:
              weak: {any: 2, of: [a, b, c], action: reject}
              both: {all: [b, c], action: tag}
              strangers: {any: 1, of: [a], action: tag, unless: known}
              far: {all: [a], asn: [64500, AS64501], country: [fr, XK], action: tag}
            """);
    assertEquals(
        List.of(
            new Rule("weak", 2, false, List.of("a", "b", "c"), Action.REJECT),
            new Rule("both", 2, true, List.of("b", "c"), Action.TAG),
            new Rule("strangers", 1, false, List.of("a"), Action.TAG, true, Where.ANYWHERE),
            new Rule(
                "far",
                1,
                true,
                List.of("a"),
                Action.TAG,
                false,
                new Where(Set.of(new AsNumber(64500), new AsNumber(64501)), Set.of("FR", "XK")))),
        List.copyOf(loaded.settings().rules().values()));
    assertEquals(List.of(), loaded.warnings());
  }

  @Test
  void withoutTheSectionThereAreNoRulesAndEachFeedIsItsOwnFamily() {
    Settings settings = loaded("").settings();
    assertTrue(settings.rules().isEmpty());
    assertEquals(
        List.of("a", "letters", "letters", "hard", "good", "table"),
        settings.feeds().sources().values().stream().map(Settings.Feeds.Source::family).toList());
  }

  @Test
  void warnsOfARuleThatChangesNothing() {
    Loaded loaded = loaded("rules: {idle: {any: 1, of: [hard], action: tag}}");
    assertTrue(loaded.warnings().toString().contains("the rule idle changes nothing"));
  }
}
