package io.bloomgate.config.catalogue;

import io.bloomgate.config.catalogue.CatalogueEntry.Listed;
import io.bloomgate.config.catalogue.CatalogueEntry.Risk;
import io.bloomgate.config.notation.Suggestion;
import io.bloomgate.config.notation.Values;
import io.bloomgate.config.notation.Values.Reader;
import io.bloomgate.config.settings.DnsList;
import io.bloomgate.config.settings.EntryKind;
import io.bloomgate.config.settings.FeedsBinder;
import io.bloomgate.config.settings.Publishers;
import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.yaml.EffectiveValue;
import io.bloomgate.config.settings.yaml.EffectiveValue.Origin;
import io.bloomgate.config.settings.yaml.Section;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The well-known feeds, ready to enable, and how often their publishers may be asked: {@code
 * config/feeds.yaml}, which is a part of the program. Read by the command line for {@code init} and
 * {@code feeds catalogue}, and where schedules are checked or kept. Immutable; any thread.
 */
public final class Catalogue {

  private final Map<String, CatalogueEntry> entries;

  private Catalogue(Map<String, CatalogueEntry> entries) {
    this.entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
  }

  /** The catalogue of this program, read at the first use. */
  private static final class BuiltIn {
    private static final Catalogue CATALOGUE =
        parse(Publishers.FILE, SettingsFile.resource(Publishers.FILE));
  }

  /** The catalogue that is a part of this program. */
  public static Catalogue builtIn() {
    return BuiltIn.CATALOGUE;
  }

  /**
   * Reads a catalogue; pure.
   *
   * @param name of the file, for messages
   * @throws IllegalStateException when it has mistakes, or what a settings file is warned of
   */
  static Catalogue parse(String name, String text) {
    return SettingsFile.own(name, text, Catalogue::bind);
  }

  /** Every feed that is downloaded, in the order of the file: those to begin with come first. */
  public List<CatalogueEntry> feeds() {
    return entries.values().stream().filter(entry -> entry.source().isPresent()).toList();
  }

  /** Every feed, and behind them every list that is asked by DNS, in the order of the file. */
  public List<CatalogueEntry> entries() {
    return List.copyOf(entries.values());
  }

  /** A feed or a DNS list by its name. */
  public Optional<CatalogueEntry> entry(String name) {
    return Optional.ofNullable(entries.get(name));
  }

  /** The name nearest to a misspelt one. */
  public Optional<String> suggestion(String name) {
    return Suggestion.closest(name, entries.keySet());
  }

  /** Keys that describe a feed; all others are its settings. */
  private static final Set<String> DESCRIPTION =
      Set.of(
          "title", "purpose", "lists", "licence", "risk", "because", "fit", "key", "limit",
          "refused");

  private static final String FEEDS = "feeds";
  private static final String DNS_LISTS = "dns_lists";

  private static final Reader<String> TEXT = text -> text;

  private static final Reader<Boolean> FIT =
      Values.choice(List.of(true, false), mail -> mail ? "mail" : "not-for-mail");

  private static Catalogue bind(Section root) {
    Publishers known = Publishers.read(root);
    Section guard = root.section("guard");
    var _ = FeedsBinder.guard(guard, null);
    Map<String, CatalogueEntry> entries = new LinkedHashMap<>();
    root.named(FEEDS)
        .forEach((name, section) ->
            entries.put(
                name,
                entry(
                    new Listed.Feed(FeedsBinder.source(name, section, guard, null, () -> known)),
                    FEEDS,
                    section)));
    Map<String, Section> sections = root.named(DNS_LISTS);
    DnsList.bind(sections)
        .forEach((name, list) -> entries.put(name, dnsList(list, root.section(DNS_LISTS))));
    root.finish();
    return new Catalogue(entries);
  }

  private static CatalogueEntry dnsList(DnsList list, Section all) {
    Section s = all.section(list.name());
    return entry(
        new Listed.ByDns(
            list,
            s.required("limit", "limit: HOW OFTEN", TEXT, ""),
            s.required("refused", "refused: WHICH ANSWER", TEXT, "")),
        DNS_LISTS,
        s);
  }

  private static CatalogueEntry entry(Listed listed, String section, Section s) {
    String name = listed.list().name();
    return new CatalogueEntry(
        listed,
        s.required("title", "title: NAME", TEXT, name),
        s.required("purpose", "purpose: WHAT", TEXT, ""),
        Values.set(s.requiredList("lists", "lists: [ips]", Values.dashed(EntryKind.class))),
        s.required("licence", "licence: WHICH", TEXT, ""),
        s.required("risk", "risk: low", Values.dashed(Risk.class), Risk.HIGH),
        s.required("because", "because: WHY", TEXT, ""),
        s.value("fit", "mail", FIT),
        s.value("key", "", TEXT),
        written(s.read(), section, name));
  }

  /** The settings in the entry of this section, below the name of the list. */
  private static List<EffectiveValue> written(
      List<EffectiveValue> read, String section, String name) {
    return read.stream()
        .filter(v -> v.origin() instanceof Origin.FileLine)
        .filter(v -> v.path().size() > 2 && v.path().get(1).equals(name))
        .filter(v -> v.path().getFirst().equals(section) && !DESCRIPTION.contains(v.path().get(2)))
        .map(v -> v.at(v.path().subList(1, v.path().size())))
        .toList();
  }
}
