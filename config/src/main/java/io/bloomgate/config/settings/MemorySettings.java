package io.bloomgate.config.settings;

import io.bloomgate.config.name.Check;
import io.bloomgate.config.notation.BadValueException;
import io.bloomgate.config.notation.Values;
import io.bloomgate.config.settings.Settings.Feeds;
import io.bloomgate.config.settings.Settings.Feeds.Guard;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import io.bloomgate.config.settings.yaml.Section;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The keys of the section {@code traps} that say what is remembered of spam that came to traps or
 * was reported. The lists that are made of it are feeds as those that an operator writes, with a
 * file each. Immutable; read by the gateway.
 *
 * @param keep how long a key is listed after its last sighting
 * @param sightings from that many networks and of that many sender domains make a key strong; a
 *     sender needs one network more
 * @param action of strong keys of the content, on mail of unknown senders
 * @param weakAction of keys that are not strong, and of senders
 * @param networkAction of strong client networks
 * @param maxGoodHits networks of accepted mail that a version of these lists may newly name
 */
public record MemorySettings(
    Duration keep,
    int sightings,
    Action action,
    Action weakAction,
    Action networkAction,
    int maxGoodHits) {

  /** Strong texts and pages at shared hosts; also the family of all lists of the memory. */
  public static final String STRONG = "own-memory";

  /** Keys of the content that are not strong, and hosts, subjects and attachments that are. */
  public static final String WEAK = "own-memory-weak";

  /** Addresses and domains of senders. */
  public static final String SENDERS = "own-memory-senders";

  /** Networks of clients. */
  public static final String NETWORKS = "own-memory-networks";

  /** All lists of the memory. */
  public static final List<String> LISTS = List.of(STRONG, WEAK, SENDERS, NETWORKS);

  /** The rule that refuses by strong keys; senders that are known are tagged. */
  public static final String RULE = "own-memory-unknown";

  /** The time for which accepted mail keeps its keys out; strong keys need that much knowledge. */
  public static final Duration ACCEPTED = Duration.ofDays(14);

  /** Sightings that are remembered of a key. */
  public static final int MOST_SIGHTINGS = 4;

  /** The life of a key where spam is shown and nothing else is said. */
  private static final Duration USUAL = Duration.ofDays(30);

  private static final Duration EVERY = Duration.ofHours(1);
  private static final Duration STALE = Duration.ofDays(3);

  /**
   * They are empty for two weeks, and then grow from nothing: no growth is a reason to hold them.
   */
  private static final double ANY_GROWTH = Double.POSITIVE_INFINITY;

  /** Reads the section; {@code null} when nobody shows spam, so that nothing is remembered. */
  static @Nullable MemorySettings bind(Section root, Feeds feeds) {
    Section s = root.section("traps");
    boolean isShown = s.says("addresses") || root.section("reports").says("address");
    Optional<Duration> keep =
        s.value(
            "keep",
            "auto",
            Values.noted("auto, none, or duration, 1h to 3650d", text -> keep(text, isShown)));
    int sightings = s.value("sightings", "2", Values.integer(2, MOST_SIGHTINGS));
    Action action = s.value("action", "reject", RulesBinder.VERDICTS);
    Action weak = s.value("weak_action", "tag", RulesBinder.VERDICTS);
    Action networks = s.value("network_action", "greylist", RulesBinder.VERDICTS);
    int hits = s.value("max_good_hits", "0", Values.integer(0, 100_000));
    refuseGreylist(s, "action", action);
    refuseGreylist(s, "weak_action", weak);
    if (keep.isEmpty()) {
      return null;
    }
    LISTS.stream()
        .filter(feeds.names()::contains)
        .forEach(name ->
            s.problem(
                "keep",
                "a source of feeds.sources is named " + name + ", as a list of the memory is",
                "give the source another name"));
    return new MemorySettings(keep.get(), sightings, action, weak, networks, hits);
  }

  private static Optional<Duration> keep(String text, boolean isShown) throws BadValueException {
    if (text.equals("auto")) {
      return isShown ? Optional.of(USUAL) : Optional.empty();
    }
    return Values.orNone(Values.duration("1h", "3650d")).read(text);
  }

  /** Reports what lets the memory do no more than tag: it must know what good mail carried. */
  static void check(Section s, Settings settings) {
    MemorySettings memory = settings.memory();
    boolean isShort = settings.sessions().retain().compareTo(ACCEPTED) < 0;
    s.warnIf(
        memory != null && !memory.knowsGoodMail(settings),
        "keep",
        isShort
            ? "sessions are kept for less than 14d, so nobody knows what good mail carried, and"
                + " the memory does no more than tag"
            : "no node of this fleet knows what mail of the others carried, so the memory does no"
                + " more than tag",
        isShort
            ? "write sessions.retain: 14d or more"
            : "write fleet.redis, and leave out fleet.counters: false");
  }

  /**
   * True when kept sessions can say what all good mail of {@link #ACCEPTED} carried, those of other
   * nodes included.
   */
  public boolean knowsGoodMail(Settings settings) {
    return (settings.fleet() == null || settings.fleet().countsTogether())
        && settings.sessions().retain().compareTo(ACCEPTED) >= 0;
  }

  private static void refuseGreylist(Section s, String key, Action action) {
    s.problemIf(
        action == Action.GREYLIST,
        key,
        "greylist has no effect on what mails carry",
        "write tag or reject; network_action may be greylist");
  }

  /** The file of a list. */
  public static Path file(Path stateDir, String list) {
    return stateDir.resolve(list + ".list");
  }

  /** The feeds with the lists of the memory behind them. */
  Feeds with(Feeds feeds, Path stateDir) {
    Map<String, Source> all = new LinkedHashMap<>(feeds.sources());
    Set<Check> content = EnumSet.of(Check.URL, Check.URL_HOST, Check.BODY);
    Set<Check> weak = EnumSet.copyOf(content);
    weak.addAll(Set.of(Check.ATTACHMENT, Check.SUBJECT));
    Set<Check> senders =
        EnumSet.of(Check.SENDER, Check.SENDER_DOMAIN, Check.FROM, Check.FROM_DOMAIN);
    put(all, feeds.guard(), stateDir, STRONG, content, action.atMost(Action.TAG));
    put(all, feeds.guard(), stateDir, WEAK, weak, weakAction);
    put(all, feeds.guard(), stateDir, SENDERS, senders, weakAction);
    put(all, feeds.guard(), stateDir, NETWORKS, EnumSet.of(Check.CLIENT_IP), networkAction);
    return Copy.of(Feeds.class, feeds, Map.of("sources", Collections.unmodifiableMap(all)));
  }

  private void put(
      Map<String, Source> all,
      Guard general,
      Path stateDir,
      String name,
      Set<Check> checks,
      Action does) {
    Map<String, @Nullable Object> others = new HashMap<>();
    others.put("maxShrink", 1.0);
    others.put("maxGrowth", ANY_GROWTH);
    others.put("maxTurnover", null);
    others.put("maxGoodHits", maxGoodHits);
    Guard guard = Copy.of(Guard.class, general, others);
    all.put(
        name,
        new Source(
            name,
            new Location.Files(file(stateDir, name).toString()),
            "entries",
            Collections.unmodifiableSet(checks),
            EVERY,
            STALE,
            STALE,
            does,
            null,
            false,
            false,
            "",
            STRONG,
            guard));
  }

  /** The rules with that of the memory behind them, where strong keys do more than tag. */
  Map<String, Rule> with(Map<String, Rule> rules, Section s) {
    s.problemIf(
        rules.containsKey(RULE),
        "keep",
        "a rule is named " + RULE + ", as the rule of the memory is",
        "give the rule another name");
    if (!action.refuses()) {
      return rules;
    }
    Map<String, Rule> all = new LinkedHashMap<>(rules);
    all.put(RULE, new Rule(RULE, 1, false, List.of(STRONG), action, true, Rule.Where.ANYWHERE));
    return Collections.unmodifiableMap(all);
  }
}
