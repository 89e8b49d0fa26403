package io.bloomgate.config.settings;

import io.bloomgate.config.settings.Settings.Feeds;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The same settings with other actions of some feeds: what `feeds promote --auto` moved counts in
 * place of the action in the file. Made at start, at each reload and at each step. Pure.
 */
public final class OtherActions {

  private OtherActions() {}

  /**
   * Settings with these actions.
   *
   * @param actions by the name of the feed or DNS list; all others keep theirs
   */
  public static Settings of(Settings s, Map<String, Action> actions) {
    Map<String, Source> sources = changed(Source.class, s.feeds().sources(), actions);
    Map<String, DnsList> dnsLists = changed(DnsList.class, s.feeds().dnsLists(), actions);
    Feeds feeds = Copy.of(Feeds.class, s.feeds(), Map.of("sources", sources, "dnsLists", dnsLists));
    return actions.isEmpty() ? s : Copy.of(Settings.class, s, Map.of("feeds", feeds));
  }

  private static <R extends Record> Map<String, R> changed(
      Class<R> type, Map<String, R> lists, Map<String, Action> actions) {
    Map<String, R> changed = new LinkedHashMap<>(lists);
    actions.forEach((name, action) ->
        changed.computeIfPresent(name, (_, list) -> Copy.of(type, list, Map.of("action", action))));
    return Collections.unmodifiableMap(changed);
  }
}
