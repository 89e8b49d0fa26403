package io.bloomgate.config.settings;

import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.Keyed;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.util.List;
import java.util.Set;

/**
 * A feed of the {@link Catalogue}, which is downloaded. Immutable.
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
    List<EffectiveValue> written)
    implements CatalogueEntry {

  /** A kind of entries of a feed. */
  public enum Kind implements Keyed {
    IPS,
    DOMAINS,
    ADDRESSES,
    URLS,
    FINGERPRINTS
  }

  /** The risk that a feed refuses good mail. */
  public enum Risk implements Keyed {
    LOW,
    MEDIUM,
    HIGH
  }

  public CatalogueFeed {
    lists = Set.copyOf(lists);
    written = List.copyOf(written);
  }

  @Override
  public String name() {
    return source.name();
  }

  @Override
  public Action action() {
    return source.action();
  }

  @Override
  public Set<Check> checks() {
    return source.checks();
  }

  /**
   * True for a feed that may be enabled by itself: it refuses mail, needs no key and is for mail.
   */
  public boolean recommended() {
    return source.action() == Action.REJECT && mail && key.isEmpty();
  }
}
