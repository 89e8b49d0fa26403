package io.bloomgate.config.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.settings.Rule.Where;
import io.bloomgate.config.settings.SettingsResult.Loaded;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {any: 2, of: [b, c], action: reject} | can never be met: it needs 2 and its lists count as 1 (b, c are of the family letters and count once)
          {any: 2, of: [a], action: reject} | can never be met: it needs 2 and its lists count as 1
          {any: 1, of: [a], action: reject, unless: friends} | `friends` is nobody that a rule can spare; only `known` is possible
          {any: 1, of: [a, a], action: reject} | the rule r names a twice
          {any: 1, of: [aa], action: reject} | `aa` is no feed of feeds.sources; did you mean `a`?
          {any: 1, of: [], action: reject} | is empty
          {any: 1, of: [a]} | action
          {of: [a], action: reject} | any
          {any: 0, of: [a], action: reject} | 0
          {any: 1, all: [a, b], action: reject} | has `all` and `any` or `of`
          {any: 1, of: [a], action: explode} | `explode` is not one of: observe, tag, greylist, tempfail, reject; choose one of them
          {any: 1, of: [r], action: tag} | `r` is a rule, and a rule cannot name rules; name the lists and signs of r themselves
          {any: 1, of: [a], action: tag, weight: 3} | weight
          {any: 1, of: [a, good], action: tag} | names good, which is a list of good senders
          {any: 1, of: [a], action: trust} | has the action trust
          {asn: [64500], action: reject} | the rule r has nothing but AS numbers or countries, which prove nothing alone; name lists or signs beside them: `all: [FEED]`
          {asn: [64500], any: 1, action: reject} | of
          {any: 1, of: [a], asn: [0], action: tag} | `0` is no AS number: AS1 to AS4294967295 are expected; write 64500 or AS64500
          {any: 1, of: [a], country: [France], action: tag} | `France` is no code of a country; write two letters (ISO 3166-1), as in FR
          {any: 1, of: [table], action: tag} | `table` is a table, which lists nothing; write asn: [64500] or country: [FR]
          """)
  void namesWhatIsWrongWithARule(String rule, String message) {
    String said = Reading.problems(FEEDS + "rules: {r: " + rule + "}").toString();
    assertTrue(said.contains(message), said);
  }

  @Test
  void warnsOfARuleThatChangesNothing() {
    Loaded loaded = loaded("rules: {idle: {any: 1, of: [hard], action: tag}}");
    assertTrue(loaded.warnings().toString().contains("the rule idle changes nothing"));
  }
}
