package io.bloomgate.gateway.metrics;

import io.bloomgate.blocklists.FeedHealth.FeedFigures;
import io.bloomgate.blocklists.filter.FilterShape;
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
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
  private final Map<String, MultiGauge> multiple = new HashMap<>();
  private volatile @Nullable GatewayStatus last;

  FigureGauges(MeterRegistry registry, Supplier<GatewayStatus> source) {
    this.registry = registry;
    this.source = source;
    singles();
  }

  private void singles() {
    single("ready", f -> flag(f.health().unready().isEmpty()));
    single("lists.loaded", f -> flag(f.listsLoaded()));
    single("filter.generation", f -> f.lists().generation());
    single("allow.entries", f -> f.lists().allowEntries());
    single("block.entries", f -> f.lists().blockEntries());
    single("domains", f -> f.settings().domains().size());
    single("domains.files.right", f -> flag(areDomainsRight(f)));
    single("downstream.up", f -> flag(f.health().mailServersUp()));
    single("config.last.reload.successful", f -> flag(f.reload().failure().isEmpty()));
    single(
        "config.last.reload.success.timestamp.seconds", f -> f.reload().success().getEpochSecond());
    single("held.content.bytes", GatewayStatus::heldContentOctets);
    single("sessions.kept.bytes", f -> f.state().sessions().octets());
    single("sessions.kept.files", f -> f.state().sessions().days());
    single("campaigns", GatewayStatus::campaigns);
    perhaps("fleet.connected", GatewayStatus::fleet, f -> flag(f.connected()));
    perhaps("fleet.lag.seconds", GatewayStatus::fleet, f -> f.lagSeconds());
    perhaps("fleet.reply.seconds", GatewayStatus::fleet, f -> f.replySeconds());
    perhaps("fleet.clock.offset.seconds", GatewayStatus::fleet, f -> f.clockSeconds());
    perhaps("fleet.waiting", GatewayStatus::fleet, f -> f.waiting());
    perhaps("fleet.leads", GatewayStatus::fleet, f -> flag(f.leads()));
    counter("fleet.skipped", f -> f.counts().fleetSkipped());
    counter("fleet.gaps", f -> f.counts().fleetGaps());
    counter("fleet.faults", f -> f.counts().fleetFaults());
    single("fleet.counts.connected", f -> flag(f.counts().together().connected()));
    counter("fleet.counts", f -> f.counts().together().sent(), "sent");
    counter("fleet.counts", f -> f.counts().together().merged(), "merged");
    counter("fleet.counts", f -> f.counts().together().dropped(), "dropped");
    counter("fleet.counts.sent.bytes", f -> f.counts().together().sentOctets());
    counter("fleet.counts.skipped", f -> f.counts().together().skipped());
    counter("selftest.entries", f -> f.counts().entriesTested());
    counter("selftest.missed", f -> f.counts().entriesMissed());
    counter("sessions.lost", f -> f.state().sessions().lost());
    single("state.writable", f -> flag(f.state().writable()));
    single(
        "state.free.bytes",
        f -> {
          OptionalLong free = f.state().freeOctets();
          return free.isPresent() ? free.getAsLong() : Double.NaN;
        });
    lowest("tls.certificate.expiry.timestamp.seconds", c -> c.expires().getEpochSecond());
    lowest("tls.certificate.last.reload.successful", c -> flag(c.problem().isEmpty()));
    lowest("tls.certificate.self.signed", c -> flag(c.selfSigned()));
  }

  /** Reads the figures again. */
  synchronized void refresh() {
    GatewayStatus now = source.get();
    last = now;
    filters("filter.entries", now, FilterShape::entries);
    filters("filter.size.bytes", now, shape -> shape.bits() / (double) Byte.SIZE);
    filters("filter.expected.false.positive.ratio", now, FilterShape::expectedRate);
    servers("downstream.server.up", now, server -> flag(server.up()));
    servers("downstream.server.connections", now, ServerState::connections);
    servers("downstream.server.max.connections", now, ServerState::maxConnections);
    servers("downstream.server.full.seconds", now, server -> server.fullFor().toSeconds());
    servers("downstream.server.identity.lost", now, server -> flag(server.identityLost()));
    show(
        "downstream.server.identity",
        now.mailServers(),
        server -> 1,
        server -> List.of(server.server(), server.route(), server.state().identity()));
    show(
        "tls.certificates.expiry.timestamp.seconds",
        now.certificates(),
        each -> each.expires().getEpochSecond(),
        each -> List.of(each.file(), each.key()));
    feeds("feed.entries", now, FeedFigures::entries);
    words("feed.state", now, feed -> feed.status().state().key());
    words("feed.age", now, feed -> feed.status().age().key());
    feeds("feed.last.success.timestamp.seconds", now, feed -> seconds(feed.status().success()));
    feeds("feed.breaker.tripped", now, feed -> flag(feed.breakerHolds()));
    feeds("feed.alarm", now, feed -> flag(feed.status().alarms()));
    feeds("feed.last.change.timestamp.seconds", now, feed -> seconds(feed.status().changed()));
    feeds("feed.last.attempt.timestamp.seconds", now, feed -> seconds(feed.status().attempt()));
    feeds("feed.failed.fetches", now, FeedFigures::failures);
  }

  /** Shows a row for each, in place of those of before; none for NaN. */
  private <T> void show(
      String name, Collection<T> all, ToDoubleFunction<T> value, Function<T, List<String>> labels) {
    Metric metric = Metric.of(name);
    List<Row<?>> rows = new ArrayList<>();
    for (T each : all) {
      double shown = value.applyAsDouble(each);
      if (!Double.isNaN(shown)) {
        rows.add(Row.of(Tags.of(metric.tags(labels.apply(each).toArray())), shown));
      }
    }
    multiple
        .computeIfAbsent(
            name,
            _ ->
                MultiGauge.builder(metric.meter()).description(metric.meaning()).register(registry))
        .register(rows, true);
  }

  private void servers(String name, GatewayStatus now, ToDoubleFunction<ServerState> value) {
    show(
        name,
        now.mailServers(),
        placed -> value.applyAsDouble(placed.state()),
        placed -> List.of(placed.server(), placed.route()));
  }

  private void filters(String name, GatewayStatus now, ToDoubleFunction<FilterShape> value) {
    show(
        name,
        now.lists().filters().entrySet(),
        filter -> value.applyAsDouble(filter.getValue()),
        filter -> List.of(filter.getKey()));
  }

  private void feeds(String name, GatewayStatus now, ToDoubleFunction<FeedFigures> value) {
    show(name, now.feeds(), value, feed -> List.of(feed.name()));
  }

  /** 1 for the word that is true of a feed. */
  private void words(String name, GatewayStatus now, Function<FeedFigures, String> word) {
    show(name, now.feeds(), feed -> 1, feed -> List.of(feed.name(), word.apply(feed)));
  }

  private static double seconds(@Nullable Instant time) {
    return time == null ? Double.NaN : time.getEpochSecond();
  }

  private void single(String name, ToDoubleFunction<GatewayStatus> value) {
    Metric metric = Metric.of(name);
    Gauge.builder(metric.meter(), this, gauges -> gauges.value(value))
        .description(metric.meaning())
        .strongReference(true)
        .register(registry);
  }

  private void counter(String name, ToDoubleFunction<GatewayStatus> count, Object... labels) {
    Metric metric = Metric.of(name);
    FunctionCounter.builder(metric.meter(), this, gauges -> gauges.value(count))
        .description(metric.meaning())
        .tags(metric.tags(labels))
        .register(registry);
  }

  /** NaN while there is nothing of that kind. */
  private <T> void perhaps(
      String name, Function<GatewayStatus, @Nullable T> part, ToDoubleFunction<T> value) {
    single(
        name,
        figures -> {
          T known = part.apply(figures);
          return known == null ? Double.NaN : value.applyAsDouble(known);
        });
  }

  /** The lowest of all certificates, NaN without one: an alert is then about each of them. */
  private void lowest(String name, ToDoubleFunction<Certificate> value) {
    single(name, f -> f.certificates().stream().mapToDouble(value).min().orElse(Double.NaN));
  }

  private double value(ToDoubleFunction<GatewayStatus> value) {
    GatewayStatus now = last;
    return now == null ? Double.NaN : value.applyAsDouble(now);
  }

  private static boolean areDomainsRight(GatewayStatus now) {
    return now.settings().domainSources().files().stream()
        .allMatch(file -> file.problem().isEmpty());
  }

  private static double flag(boolean on) {
    return on ? 1 : 0;
  }
}
