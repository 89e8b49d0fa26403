package io.bloomgate.config.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.settings.Rule.Where;
import io.bloomgate.config.settings.SettingsResult.Invalid;
import io.bloomgate.config.settings.SettingsResult.Loaded;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

  private static SettingsResult parse(String rules) {
    return Reading.of(FEEDS + rules);
  }

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
              far: {all: [a], asn: [64500, AS64501], country: [fr, NO], action: tag}
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
                new Where(Set.of(new AsNumber(64500), new AsNumber(64501)), Set.of("FR", "NO")))),
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
  void aConditionNeedsATable() {
    String said =
        Reading.problems(
                """
                feeds: {sources: {a: {file: a.txt}}}
                rules: {r: {all: [a], country: [FR], action: tag}}
                """)
            .toString();
    assertTrue(said.contains("the rule r can never be met: no source says whose networks"), said);
  }

  @Test
  void aCountryHasACodeOfIso() {
    String said = parse("rules: {r: {all: [a], country: [uk], action: tag}}\n").toString();
    assertTrue(said.contains("is no code of a country (ISO 3166-1); did you mean `GB`?"), said);
    loaded("rules: {r: {all: [a], country: [gb, XK], action: tag}}\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"checks: [client_ip]", "action: reject", "match: suffix"})
  void aTableListsNothing(String key) {
    String said =
        Reading.problems("feeds: {sources: {t: {file: t.tsv, format: asn-table, " + key + "}}}\n")
            .toString();
    assertTrue(said.contains("a table of AS numbers and countries lists nothing"), said);
    assertFalse(said.contains("find something there: "), said);
  }

  @Test
  void aRuleNameIsNotTheNameOfAFeed() {
    for (String name : List.of("a", "operator")) {
      String rule = "rules: {" + name + ": {any: 1, of: [b], action: tag}}";
      assertTrue(Reading.problems(FEEDS + rule).toString().contains("has the name of a list"));
    }
  }

  @Test
  void aRuleWithoutAnActionIsOneMistake() {
    Invalid invalid =
        assertInstanceOf(Invalid.class, parse("rules: {r: {any: 2, of: [a, b, hard]}}"));
    assertEquals(1, invalid.problems().size(), invalid::toString);
    assertTrue(invalid.toString().contains("`rules.r.action` is missing"), invalid::toString);
  }

  @Test
  void aWordInPlaceOfARuleIsAnsweredWithARule() {
    assertTrue(
        parse("rules: {r: reject}").toString().contains("for example `r: {any: 2, of: [FEED,"),
        () -> parse("rules: {r: reject}").toString());
  }

  @Test
  void warnsOfARuleThatChangesNothing() {
    Loaded loaded = loaded("rules: {idle: {any: 1, of: [hard], action: tag}}");
    assertTrue(loaded.warnings().toString().contains("the rule idle changes nothing"));
  }
}
