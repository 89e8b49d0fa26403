package io.bloomgate.config.settings;

import io.bloomgate.config.name.Check;
import io.bloomgate.config.settings.CatalogueFeed.Kind;
import io.bloomgate.config.settings.CatalogueFeed.Risk;
import java.util.List;
import java.util.Set;

/**
 * A list of the {@link Catalogue} that is asked by DNS. Immutable.
 *
 * @param list as settings made of the entry would have it
 * @param limit who may ask it, and how often
 * @param refused what it answers to a question that it refuses; none of this counts as a listing
 */
public record CatalogueDnsList(
    DnsList list,
    String title,
    String purpose,
    Set<Kind> lists,
    String licence,
    Risk risk,
    String because,
    String key,
    String limit,
    String refused,
    List<EffectiveValue> written)
    implements CatalogueEntry {

  public CatalogueDnsList {
    lists = Set.copyOf(lists);
    written = List.copyOf(written);
  }

  @Override
  public String name() {
    return list.name();
  }

  @Override
  public boolean mail() {
    return true;
  }

  @Override
  public Action action() {
    return list.action();
  }

  @Override
  public Set<Check> checks() {
    return list.checks();
  }
}
