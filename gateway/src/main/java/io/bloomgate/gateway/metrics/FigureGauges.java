package io.bloomgate.gateway.metrics;

import io.bloomgate.blocklists.FeedFigures;
import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.gateway.relay.MailRoutes;
import io.bloomgate.gateway.relay.MailRoutes.ServerState;
import io.bloomgate.gateway.status.GatewayStatus;
import io.bloomgate.gateway.status.GatewayStatus.Certificate;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The gauges that show a {@link GatewayStatus}; feeds and filters come and go with the settings.
 *
 * <p>{@link #refresh} is called by {@link GatewayMetrics} before each fetch, on the fetching
 * thread; the values shown are those of the last refresh.
 */
final class FigureGauges {

  private final MeterRegistry registry;
  private final Supplier<GatewayStatus> source;
  private final Map<Metric, MultiGauge> multiple = new EnumMap<>(Metric.class);
  private volatile @Nullable GatewayStatus last;

  FigureGauges(MeterRegistry registry, Supplier<GatewayStatus> source) {
    this.registry = registry;
    this.source = source;
    singles();
  }

  private void singles() {
    single(Metric.READY, f -> flag(f.health().unready().isEmpty()));
    single(Metric.LISTS_LOADED, f -> flag(f.listsLoaded()));
    single(Metric.GENERATION, f -> f.lists().generation());
    single(Metric.ALLOW_ENTRIES, f -> f.lists().allowEntries());
    single(Metric.BLOCK_ENTRIES, f -> f.lists().blockEntries());
    single(Metric.DOMAINS, f -> f.settings().domains().size());
    single(Metric.DOMAINS_FILES, f -> flag(areDomainsRight(f)));
    single(Metric.DOWNSTREAM_UP, f -> flag(f.health().mailServersUp()));
    single(Metric.RELOAD, f -> flag(f.reload().failure().isEmpty()));
    single(Metric.RELOAD_SUCCESS, f -> f.reload().success().getEpochSecond());
    single(Metric.HELD_CONTENT, GatewayStatus::heldContentOctets);
    single(Metric.SESSIONS_KEPT, f -> f.state().sessions().octets());
    single(Metric.SESSIONS_FILES, f -> f.state().sessions().days());
    single(Metric.CAMPAIGNS, GatewayStatus::campaigns);
    perhaps(Metric.FLEET_CONNECTED, GatewayStatus::fleet, f -> flag(f.connected()));
    perhaps(Metric.FLEET_LAG, GatewayStatus::fleet, f -> f.lagSeconds());
    perhaps(Metric.FLEET_REPLY, GatewayStatus::fleet, f -> f.replySeconds());
    perhaps(Metric.FLEET_CLOCK, GatewayStatus::fleet, f -> f.clockSeconds());
    perhaps(Metric.FLEET_WAITING, GatewayStatus::fleet, f -> f.waiting());
    perhaps(Metric.FLEET_LEADS, GatewayStatus::fleet, f -> flag(f.leads()));
    counter(Metric.FLEET_SKIPPED, f -> f.counts().fleetSkipped());
    counter(Metric.FLEET_GAPS, f -> f.counts().fleetGaps());
    counter(Metric.FLEET_FAULTS, f -> f.counts().fleetFaults());
    single(Metric.FLEET_COUNTS_CONNECTED, f -> flag(f.counts().together().connected()));
    counter(Metric.FLEET_COUNTS, f -> f.counts().together().sent(), "sent");
    counter(Metric.FLEET_COUNTS, f -> f.counts().together().merged(), "merged");
    counter(Metric.FLEET_COUNTS, f -> f.counts().together().dropped(), "dropped");
    counter(Metric.FLEET_COUNTS_SENT, f -> f.counts().together().sentOctets());
    counter(Metric.FLEET_COUNTS_SKIPPED, f -> f.counts().together().skipped());
    counter(Metric.SELFTEST_ENTRIES, f -> f.counts().entriesTested());
    counter(Metric.SELFTEST_MISSED, f -> f.counts().entriesMissed());
    counter(Metric.SESSIONS_LOST, f -> f.state().sessions().lost());
    single(Metric.STATE_WRITABLE, f -> flag(f.state().writable()));
    single(
        Metric.STATE_FREE,
        f -> {
          OptionalLong free = f.state().freeOctets();
          return free.isPresent() ? free.getAsLong() : Double.NaN;
        });
    lowest(Metric.CERTIFICATE_EXPIRY, c -> c.expires().getEpochSecond());
    lowest(Metric.CERTIFICATE_RELOAD, c -> flag(c.problem().isEmpty()));
    lowest(Metric.CERTIFICATE_SELF_SIGNED, c -> flag(c.selfSigned()));
  }

  /** Reads the figures again. */
  synchronized void refresh() {
    GatewayStatus now = source.get();
    last = now;
    filters(Metric.FILTER_ENTRIES, now, FilterShape::entries);
    filters(Metric.FILTER_SIZE, now, shape -> shape.bits() / (double) Byte.SIZE);
    filters(Metric.FILTER_RATIO, now, FilterShape::expectedRate);
    servers(Metric.SERVER_UP, now, server -> flag(server.up()));
    servers(Metric.SERVER_CONNECTIONS, now, ServerState::connections);
    servers(Metric.SERVER_MAX_CONNECTIONS, now, ServerState::maxConnections);
    servers(Metric.SERVER_FULL, now, server -> server.fullFor().toSeconds());
    servers(Metric.SERVER_IDENTITY_LOST, now, server -> flag(server.identityLost()));
    identities(now);
    certificates(now);
    feeds(Metric.FEED_ENTRIES, now, feed -> row(feed, feed.entries()));
    feeds(
        Metric.FEED_STATE, now, feed -> word(Metric.FEED_STATE, feed, feed.status().state().key()));
    feeds(Metric.FEED_AGE, now, feed -> word(Metric.FEED_AGE, feed, feed.status().age().key()));
    feeds(Metric.FEED_SUCCESS, now, feed -> stamp(feed, feed.status().success()));
    feeds(Metric.FEED_BREAKER, now, feed -> row(feed, feed.breakerHolds() ? 1 : 0));
    feeds(Metric.FEED_ALARM, now, feed -> row(feed, feed.status().alarms() ? 1 : 0));
    feeds(Metric.FEED_CHANGE, now, feed -> stamp(feed, feed.status().changed()));
    feeds(Metric.FEED_ATTEMPT, now, feed -> stamp(feed, feed.status().attempt()));
    feeds(Metric.FEED_FAILURES, now, feed -> row(feed, feed.failures()));
  }

  /** Shows these rows of a metric, in place of those of before. */
  private void show(Metric metric, List<Row<?>> rows) {
    multiple
        .computeIfAbsent(
            metric,
            each -> MultiGauge.builder(each.meter()).description(each.meaning()).register(registry))
        .register(rows, true);
  }

  private void single(Metric metric, ToDoubleFunction<GatewayStatus> value) {
    Gauge.builder(metric.meter(), this, gauges -> gauges.value(value))
        .description(metric.meaning())
        .strongReference(true)
        .register(registry);
  }

  private void counter(Metric metric, ToDoubleFunction<GatewayStatus> count, String... labels) {
    FunctionCounter.builder(metric.meter(), this, gauges -> gauges.value(count))
        .description(metric.meaning())
        .tags(metric.tags(labels))
        .register(registry);
  }

  /** NaN while there is nothing of that kind. */
  private <T> void perhaps(
      Metric metric, Function<GatewayStatus, @Nullable T> part, ToDoubleFunction<T> value) {
    single(
        metric,
        figures -> {
          T known = part.apply(figures);
          return known == null ? Double.NaN : value.applyAsDouble(known);
        });
  }

  /** The lowest of all certificates, NaN without one: an alert is then about each of them. */
  private void lowest(Metric metric, ToDoubleFunction<Certificate> value) {
    single(metric, f -> f.certificates().stream().mapToDouble(value).min().orElse(Double.NaN));
  }

  private void certificates(GatewayStatus now) {
    List<Row<?>> rows = new ArrayList<>();
    for (Certificate each : now.certificates()) {
      Tags tags = Tags.of(Metric.CERTIFICATES_EXPIRY.tags(each.file(), each.key()));
      rows.add(Row.of(tags, each.expires().getEpochSecond()));
    }
    show(Metric.CERTIFICATES_EXPIRY, rows);
  }

  private double value(ToDoubleFunction<GatewayStatus> value) {
    GatewayStatus now = last;
    return now == null ? Double.NaN : value.applyAsDouble(now);
  }

  private void servers(Metric metric, GatewayStatus now, ToDoubleFunction<ServerState> value) {
    List<Row<?>> rows = new ArrayList<>();
    for (MailRoutes.Placed server : now.mailServers()) {
      Tags tags = Tags.of(Metric.SERVER_UP.tags(server.server(), server.route()));
      rows.add(Row.of(tags, value.applyAsDouble(server.state())));
    }
    show(metric, rows);
  }

  private void identities(GatewayStatus now) {
    List<Row<?>> rows = new ArrayList<>();
    for (MailRoutes.Placed server : now.mailServers()) {
      String[] tags =
          Metric.SERVER_IDENTITY.tags(server.server(), server.route(), server.state().identity());
      rows.add(Row.of(Tags.of(tags), 1));
    }
    show(Metric.SERVER_IDENTITY, rows);
  }

  private void filters(Metric metric, GatewayStatus now, ToDoubleFunction<FilterShape> value) {
    List<Row<?>> rows = new ArrayList<>();
    now.lists()
        .filters()
        .forEach((name, shape) ->
            rows.add(
                Row.of(Tags.of(Metric.FILTER_ENTRIES.tags(name)), value.applyAsDouble(shape))));
    show(metric, rows);
  }

  private void feeds(
      Metric metric, GatewayStatus now, Function<FeedFigures, Optional<Row<?>>> value) {
    List<Row<?>> rows = new ArrayList<>();
    for (FeedFigures feed : now.feeds()) {
      value.apply(feed).ifPresent(rows::add);
    }
    show(metric, rows);
  }

  private static Optional<Row<?>> row(FeedFigures feed, long value) {
    return Optional.of(Row.of(Tags.of(Metric.FEED_ENTRIES.tags(feed.name())), value));
  }

  /** 1 for the word that is true of a feed. */
  private static Optional<Row<?>> word(Metric metric, FeedFigures feed, String word) {
    return Optional.of(Row.of(Tags.of(metric.tags(feed.name(), word)), 1));
  }

  private static Optional<Row<?>> stamp(FeedFigures feed, @Nullable Instant time) {
    return time == null ? Optional.empty() : row(feed, time.getEpochSecond());
  }

  private static boolean areDomainsRight(GatewayStatus now) {
    return now.settings().domainSources().files().stream()
        .allMatch(file -> file.problem().isEmpty());
  }

  private static double flag(boolean on) {
    return on ? 1 : 0;
  }
}
