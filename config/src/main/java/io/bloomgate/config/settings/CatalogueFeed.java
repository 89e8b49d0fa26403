package io.bloomgate.config.settings;

import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One feed of the {@link Catalogue}, with what an operator wants to know before using it.
 * Immutable.
 *
 * @param source as settings made of the entry would have it
 * @param title its publisher's name for it
 * @param lists what its entries are
 * @param because the reason for the risk
 * @param mail false for lists that are made for browsers
 * @param key what key it needs and where that goes; empty when it needs none
 * @param written the settings that the entry writes down, below the feed's name
 */
public record CatalogueFeed(
    Source source,
    String title,
    String purpose,
    Set<Kind> lists,
    String licence,
    Risk risk,
    String because,
    boolean mail,
    String key,
    List<EffectiveValue> written) {

  /** What an entry of a feed may be. */
  public enum Kind {
    IPS,
    DOMAINS,
    ADDRESSES
  }

  /** How easily a feed refuses good mail. */
  public enum Risk {
    LOW,
    MEDIUM,
    HIGH
  }

  private static final String INDENT = "    ";

  public CatalogueFeed {
    lists = Set.copyOf(lists);
    written = List.copyOf(written);
  }

  /** Name of the feed in catalogue and settings. */
  public String name() {
    return source.name();
  }

  /**
   * True for a feed that may be enabled by itself: it refuses mail, needs no key and is for mail.
   */
  public boolean recommended() {
    return source.action() == Action.REJECT && mail && key.isEmpty();
  }

  /** The lines for {@code feeds.sources} of the settings, with their indentation. */
  public String yaml() {
    String comment = "# " + title + ": " + purpose + ".\n# Terms: " + licence + ".\n";
    if (!key.isEmpty()) {
      comment += "# It needs " + key + ".\n";
    }
    if (!mail) {
      comment += "# Not for mail: " + because + ".\n";
    }
    return (comment + SettingsText.render(written, false))
        .lines()
        .map(line -> INDENT + line + "\n")
        .collect(Collectors.joining());
  }
}
