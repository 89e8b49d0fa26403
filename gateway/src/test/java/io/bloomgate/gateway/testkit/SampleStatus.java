package io.bloomgate.gateway.testkit;

import io.bloomgate.blocklists.BlocklistsStatus;
import io.bloomgate.blocklists.FeedHealth.FeedFigures;
import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.blocklists.fleet.SharedCounts;
import io.bloomgate.blocklists.refresh.FeedStatus;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.SettingsResult;
import io.bloomgate.gateway.sessions.SessionStore;
import io.bloomgate.gateway.status.GatewayStatus;
import io.bloomgate.gateway.status.GatewayStatus.Counts;
import io.bloomgate.gateway.status.GatewayStatus.Health;
import io.bloomgate.gateway.status.GatewayStatus.Reload;
import io.bloomgate.gateway.status.GatewayStatus.State;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** States of a gateway in which all is well. */
public final class SampleStatus {

  private SampleStatus() {}

  /** Settings of this text of a settings file. */
  public static Settings settings(String text) {
    return switch (SettingsFile.parse("test.yaml", text, Map.of(), () -> "mx.example.com")) {
      case SettingsResult.Loaded loaded -> loaded.settings();
      case SettingsResult.Invalid(var problems) -> throw new AssertionError(problems);
    };
  }

  /**
   * A gateway with these feeds, a disk of a TiB and no mail server.
   *
   * @param kept what {@code sessions} takes on the disk
   */
  @SuppressWarnings("NullAway") // it reads no annotation of a nested type
  public static GatewayStatus of(
      Instant at, Settings settings, Mode mode, List<FeedStatus> feeds, SessionStore.Kept kept) {
    return new GatewayStatus(
        at,
        settings,
        mode,
        false,
        new Health("", List.of(), true, List.of()),
        new Reload("", at),
        true,
        lists(0, Map.of(), 0, 0),
        "",
        feeds.stream().map(feed -> new FeedFigures(feed, feed.entries(), 0, false)).toList(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        0,
        0,
        new State(true, OptionalLong.of(1L << 40), kept),
        0,
        new Counts(0, 0, 0, 0, 0, SharedCounts.Figures.alone("")),
        null);
  }

  /** Live lists with these filters, and entries of the operator. */
  @SuppressWarnings("NullAway") // it reads no annotation of a nested type
  public static BlocklistsStatus lists(
      long generation, Map<String, FilterShape> filters, long allowed, long blocked) {
    return new BlocklistsStatus(
        generation,
        "",
        new BlocklistsStatus.Entries(0, 0, 0, 0, 0, 0, 0, 0, 0),
        filters,
        "scalar",
        "none",
        new BlocklistsStatus.KnownGood(0, 0, Map.of()),
        List.of(),
        allowed,
        blocked,
        new BlocklistsStatus.SelfTested(null, 0, 0));
  }
}
