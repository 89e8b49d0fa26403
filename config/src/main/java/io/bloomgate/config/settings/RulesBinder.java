package io.bloomgate.config.settings;

import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.notation.BadValueException;
import io.bloomgate.config.notation.Suggestion;
import io.bloomgate.config.notation.Values;
import io.bloomgate.config.notation.Values.Choice;
import io.bloomgate.config.notation.Values.Reader;
import io.bloomgate.config.settings.Rule.Where;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import io.bloomgate.config.settings.yaml.Section;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The section {@code rules}: verdicts that several lists reach together. Finds rules that no
 * session can meet, and rules that change nothing. Called once for each reading of the settings.
 */
final class RulesBinder {

  /** A reply names the operator's own list so; a rule of that name would be taken for it. */
  private static final String OPERATOR = "operator";

  /** Reads {@code unless}: the clients that a rule spares. */
  private static final Reader<Boolean> UNLESS =
      Values.noted(
          "known or none",
          text -> {
            if (!text.equals("known") && !text.equals("none")) {
              throw BadValueException.of(
                  text,
                  "is nobody that a rule can spare",
                  "only `known` is possible; without the key a rule spares nobody");
            }
            return text.equals("known");
          });

  /** Reads an action of a list, but for that of good senders. */
  static final Choice<Action> VERDICTS =
      Values.choice(
          Arrays.stream(Action.values()).filter(action -> action != Action.TRUST).toList(),
          action -> action.key());

  /**
   * Reads an action that rules and signs may ask for; {@code trust} is read so that its own message
   * follows.
   */
  static final Reader<Action> ACTION =
      Values.noted(
          VERDICTS.notation(), text -> text.equals("trust") ? Action.TRUST : VERDICTS.read(text));

  private static final Reader<AsNumber> ASN =
      Values.noted(
          "AS number",
          text ->
              switch (AsNumber.parse(text)) {
                case Parsed.Ok<AsNumber> ok -> ok.value();
                case Parsed.Bad<AsNumber>(String reason) ->
                    throw BadValueException.of(text, "is " + reason, "write 64500 or AS64500");
              });

  /** Codes of ISO 3166-1, and what tables have beside them: Kosovo, Europe, Asia and Pacific. */
  private static final Set<String> COUNTRIES =
      Stream.concat(Stream.of("XK", "EU", "AP"), Arrays.stream(Locale.getISOCountries()))
          .collect(Collectors.toUnmodifiableSet());

  private static final Reader<String> COUNTRY =
      Values.noted(
          "country",
          text -> {
            if (!text.matches("[A-Za-z]{2}")) {
              throw BadValueException.of(
                  text, "is no code of a country", "write two letters (ISO 3166-1), as in FR");
            }
            String code = text.toUpperCase(Locale.ROOT);
            if (!COUNTRIES.contains(code)) {
              throw BadValueException.of(
                  text,
                  "is no code of a country (ISO 3166-1)",
                  code.equals("UK") ? "did you mean `GB`?" : "write two letters, as in FR");
            }
            return code;
          });

  private static final Action NO_ACTION = Action.OBSERVE;

  /**
   * The facts about a list that rules may name.
   *
   * @param ofContent true when it is asked about nothing but what mails carry
   */
  private record Named(String family, Action action, boolean ofContent) {}

  private final Map<String, Named> sources = new LinkedHashMap<>();

  /** The names of tables that say whose networks are; they list nothing. */
  private final Set<String> tables = new HashSet<>();

  /** The names of the rules themselves. */
  private final Set<String> names = new HashSet<>();

  private RulesBinder(Settings.Feeds feeds, Map<Sign, Action> signs) {
    for (Source feed : feeds.sources().values()) {
      if (feed.format().equals(FormatSyntax.ASN_TABLE)) {
        tables.add(feed.name());
      }
    }
    Stream.<Collection<? extends AnyList>>of(feeds.sources().values(), feeds.dnsLists().values())
        .flatMap(Collection::stream)
        .forEach(list ->
            sources.put(
                list.name(),
                new Named(
                    list.family(), list.action(), Check.OF_CONTENT.containsAll(list.checks()))));
    signs.forEach((sign, action) ->
        sources.put(
            sign.key(), new Named(sign.key(), action, Check.OF_CONTENT.contains(sign.check()))));
  }

  /**
   * The rules in the order of the file.
   *
   * @param feeds the lists that rules may name
   * @param signs which count like lists
   */
  static Map<String, Rule> bind(Section root, Settings.Feeds feeds, Map<Sign, Action> signs) {
    RulesBinder binder = new RulesBinder(feeds, signs);
    Map<String, Rule> rules = new LinkedHashMap<>();
    Map<String, Section> sections = root.named("rules");
    binder.names.addAll(sections.keySet());
    sections.forEach((name, section) -> rules.put(name, binder.rule(name, section)));
    return Collections.unmodifiableMap(rules);
  }

  private Rule rule(String name, Section s) {
    boolean all = s.isSet("all");
    boolean counted = s.isSet("any") || s.isSet("of");
    String key = all ? "all" : "of";
    String example = all ? "all: [FEED, FEED]" : "any: 2` and `of: [FEED, FEED, FEED]";
    boolean alone = !all && !counted && (s.isSet("asn") || s.isSet("country"));
    Reader<String> list = Values.noted("name of a list or sign", this::feed);
    List<String> of = alone ? List.of() : s.requiredList(key, example, list);
    Reader<Integer> count = Values.integer(1, Rule.MAX_LISTS);
    int needed = all ? of.size() : alone ? 1 : s.required("any", "any: 2", count, 1);
    Action action = s.required("action", "action: reject", ACTION, NO_ACTION);
    String rule = "the rule " + name;
    s.problemIf(
        alone,
        s.isSet("asn") ? "asn" : "country",
        rule + " has nothing but AS numbers or countries, which prove nothing alone",
        "name lists or signs beside them: `all: [FEED]`, or `any: 2` with `of: [FEED, FEED]`");
    s.problemIf(
        all && counted,
        "all",
        rule + " has `all` and `any` or `of`",
        "keep `all: [..]`, or `any: N` with `of: [..]`");
    s.problemIf(
        sources.containsKey(name) || name.equals(OPERATOR),
        key,
        rule + " has the name of a list, so a log line would not say which it was",
        "give the rule another name");
    s.problemIf(
        of.size() > Rule.MAX_LISTS,
        key,
        rule + " names " + of.size() + " lists",
        "at most " + Rule.MAX_LISTS + " lists for one rule");
    of.stream()
        .distinct()
        .filter(feed -> Collections.frequency(of, feed) > 1)
        .forEach(feed -> s.problem(key, rule + " names " + feed + " twice", "keep one"));
    if (!all && !s.hasFailed("any") && !s.hasFailed("of") && !of.isEmpty()) {
      checkReach(rule, s, needed, of);
    }
    checkActions(rule, s, key, action, of);
    // Many copies are evidence beside a listing; a rule that they alone meet would be a verdict.
    s.problemIf(
        of.contains(Sign.BULK.key()) && !s.hasFailed("any") && needed < 2,
        key,
        rule + " is met by bulk alone, and newsletters have many copies, too",
        "name lists beside it, and write `all`, or `any: 2` or more");
    boolean unlessKnown = s.value("unless", "none", UNLESS);
    return new Rule(name, needed, all, of, action, unlessKnown, where(rule, s));
  }

  private Where where(String rule, Section s) {
    Set<AsNumber> asns = Set.copyOf(s.list("asn", List.of(), ASN));
    Set<String> countries = Set.copyOf(s.list("country", List.of(), COUNTRY));
    s.problemIf(
        tables.isEmpty() && !(asns.isEmpty() && countries.isEmpty()),
        asns.isEmpty() ? "country" : "asn",
        rule + " can never be met: no source says whose networks are",
        "add a source with format: asn-table to feeds.sources");
    return new Where(asns, countries);
  }

  private String feed(String text) throws BadValueException {
    if (tables.contains(text)) {
      throw BadValueException.of(
          text,
          "is a table, which lists nothing",
          "write asn: [64500] or country: [FR] beside `all`, or `any` and `of`");
    }
    if (sources.containsKey(text)) {
      return text;
    }
    Sign.refuse(text);
    if (names.contains(text)) {
      throw BadValueException.of(
          text,
          "is a rule, and a rule cannot name rules",
          "name the lists and signs of " + text + " themselves");
    }
    throw BadValueException.of(
        text,
        "is no feed of feeds.sources",
        Suggestion.hint(
            text,
            sources.keySet(),
            sources.isEmpty()
                ? "name feeds in feeds.sources first"
                : "name some of: " + String.join(", ", sources.keySet())));
  }

  /** Lists of one family count once, so a rule can need more than there are families. */
  private void checkReach(String rule, Section s, int needed, List<String> of) {
    Map<String, List<String>> families =
        of.stream()
            .distinct()
            .collect(
                Collectors.groupingBy(
                    list -> named(list).family(), LinkedHashMap::new, Collectors.toList()));
    String why =
        families.entrySet().stream()
            .filter(family -> family.getValue().size() > 1)
            .map(family ->
                "%s are of the family %s and count once"
                    .formatted(String.join(", ", family.getValue()), family.getKey()))
            .collect(Collectors.joining("; "));
    s.problemIf(
        families.size() < needed,
        "any",
        "%s can never be met: it needs %d and its lists count as %d%s"
            .formatted(rule, needed, families.size(), why.isEmpty() ? "" : " (" + why + ")"),
        "lower `any` or name more lists");
  }

  /** The facts about a list that a rule names; others are no elements of its list. */
  private Named named(String list) {
    return Objects.requireNonNull(sources.get(list), list);
  }

  /**
   * A list of good senders takes away from what a rule counts, so it cannot be counted itself. The
   * content is known at the end of a mail, where the client cannot be asked to come again. A rule
   * adds to what each of its lists does alone; if that is as strong, it adds nothing.
   */
  private void checkActions(String rule, Section s, String key, Action action, List<String> of) {
    of.stream()
        .filter(feed -> named(feed).action() == Action.TRUST)
        .forEach(feed ->
            s.problem(
                key,
                rule + " names " + feed + ", which is a list of good senders",
                "leave it out: with `action: trust` it counts against every rule by itself"));
    s.problemIf(
        action == Action.TRUST, "action", rule + " has the action trust", "trust is for lists");
    boolean named = !of.isEmpty();
    s.problemIf(
        action == Action.GREYLIST && named && of.stream().allMatch(list -> named(list).ofContent()),
        "action",
        rule + " greylists, and its lists are about what mails carry only",
        "write action: tag or reject");
    s.warnIf(
        s.isSet("action")
            && named
            && of.stream().allMatch(list -> named(list).action().compareTo(action) >= 0),
        "action",
        rule + " changes nothing: each of its lists does as much alone",
        "give the rule a stronger action, or its lists a weaker one");
  }
}
