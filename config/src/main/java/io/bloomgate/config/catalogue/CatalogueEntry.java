package io.bloomgate.config.catalogue;

import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.Keyed;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.AnyList;
import io.bloomgate.config.settings.DnsList;
import io.bloomgate.config.settings.EntryKind;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import io.bloomgate.config.settings.yaml.EffectiveValue;
import io.bloomgate.config.settings.yaml.SettingsText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One list of the {@link Catalogue}, downloaded or asked by DNS, with what an operator wants to
 * know before using it. Read by the command line. Immutable.
 *
 * @param listed the list, as settings made of the entry would have it
 * @param title the publisher's name for it
 * @param purpose in words
 * @param lists the kinds of its entries
 * @param licence the publisher's terms
 * @param risk that it refuses good mail
 * @param because the reason for the risk
 * @param mail false for lists that are made for browsers
 * @param key what key it needs and where that goes; empty when it needs none
 * @param written the settings that the entry writes down, below the name of the list
 */
public record CatalogueEntry(
    Listed listed,
    String title,
    String purpose,
    Set<EntryKind> lists,
    String licence,
    Risk risk,
    String because,
    boolean mail,
    String key,
    List<EffectiveValue> written) {

  /** The indentation of the lines of {@link #yaml}: below {@code feeds.sources}. */
  private static final String INDENT = "    ";

  /** The risk that a list refuses good mail. */
  public enum Risk implements Keyed {
    LOW,
    MEDIUM,
    HIGH
  }

  /** A list, by how it is asked. */
  public sealed interface Listed {
    /** The list. */
    AnyList list();

    /** A list that is downloaded. */
    record Feed(Source list) implements Listed {}

    /**
     * A list that is asked by DNS.
     *
     * @param limit who may ask it, and how often
     * @param refused what it answers to a question that it refuses; none of this is a listing
     */
    record ByDns(DnsList list, String limit, String refused) implements Listed {}
  }

  /** Name of the list in catalogue and settings. */
  public String name() {
    return listed.list().name();
  }

  /** The action that its listing asks for. */
  public Action action() {
    return listed.list().action();
  }

  /** The parts of a transaction that are looked up in it. */
  public Set<Check> checks() {
    return listed.list().checks();
  }

  /** The feed; empty for a list that is asked by DNS. */
  public Optional<Source> source() {
    return listed instanceof Listed.Feed(Source source) ? Optional.of(source) : Optional.empty();
  }

  /** True for a feed that may be enabled by itself: it refuses mail, needs no key, is for mail. */
  public boolean recommended() {
    return source().isPresent() && action() == Action.REJECT && mail && key.isEmpty();
  }

  /** The comments that {@link #yaml} writes above the list, without indentation. */
  public List<String> comments() {
    List<String> comments = new ArrayList<>();
    comments.add("# " + title + ": " + purpose + ".");
    comments.add("# Terms: " + licence + ".");
    if (!key.isEmpty()) {
      comments.add("# It needs " + key + ".");
    }
    if (!mail) {
      comments.add("# Not for mail: " + because + ".");
    }
    return comments;
  }

  /** The lines for {@code feeds.sources} of the settings, with their indentation. */
  public String yaml() {
    return yaml(Map.of());
  }

  /**
   * The same with other values for some of the keys that are written.
   *
   * @param instead by key, as YAML on one line
   */
  public String yaml(Map<String, String> instead) {
    List<EffectiveValue> values =
        written.stream()
            .map(v -> v.with(instead.getOrDefault(v.path().getLast(), v.value())))
            .toList();
    return (String.join("\n", comments()) + "\n" + SettingsText.render(values, false))
        .lines()
        .map(line -> INDENT + line + "\n")
        .collect(Collectors.joining());
  }
}
