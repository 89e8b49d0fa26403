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
    if (actions.isEmpty()) {
      return s;
    }
    return new Settings(
        s.mode(),
        s.hostname(),
        s.domains(),
        s.stateDir(),
        s.listeners(),
        s.downstream(),
        s.tls(),
        s.limits(),
        s.rates(),
        s.policy(),
        s.greylist(),
        s.bulk(),
        s.dns(),
        feeds(s.feeds(), actions),
        s.signs(),
        s.rules(),
        s.allow(),
        s.block(),
        s.filter(),
        s.log(),
        s.sessions(),
        s.report(),
        s.admin(),
        s.fleet());
  }

  private static Feeds feeds(Feeds f, Map<String, Action> actions) {
    Map<String, Source> sources = new LinkedHashMap<>(f.sources());
    sources.replaceAll((name, s) -> source(s, actions.getOrDefault(name, s.action())));
    Map<String, DnsList> dnsLists = new LinkedHashMap<>(f.dnsLists());
    dnsLists.replaceAll((name, l) -> dnsList(l, actions.getOrDefault(name, l.action())));
    return new Feeds(
        f.refreshJitterRatio(),
        f.keepGenerations(),
        f.proxy(),
        f.protect(),
        f.guard(),
        f.promotion(),
        Collections.unmodifiableMap(sources),
        Collections.unmodifiableMap(dnsLists));
  }

  private static Source source(Source s, Action action) {
    return new Source(
        s.name(),
        s.location(),
        s.format(),
        s.checks(),
        s.every(),
        s.staleAfter(),
        s.expireAfter(),
        action,
        s.match(),
        s.allowBogons(),
        s.insecure(),
        s.infoUrl(),
        s.family(),
        s.guard());
  }

  private static DnsList dnsList(DnsList l, Action action) {
    return new DnsList(
        l.name(),
        l.zone(),
        l.keyFile(),
        l.checks(),
        l.codes(),
        l.timeout(),
        action,
        l.family(),
        l.infoUrl(),
        l.testName());
  }
}
