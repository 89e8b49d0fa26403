package io.bloomgate.gateway.metrics;

import io.bloomgate.blocklists.FeedFigures;
import io.bloomgate.gateway.metrics.Figures.CertificateFigures;
import io.bloomgate.gateway.metrics.Figures.FilterFigures;
import io.bloomgate.gateway.metrics.Figures.ServerFigures;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The gauges that show {@link Figures}; feeds and filters come and go with the settings.
 *
 * <p>{@link #refresh} is called by {@link GatewayMetrics} before each fetch, on the fetching
 * thread; the values shown are those of the last refresh.
 */
final class FigureGauges {

  private final MeterRegistry registry;
  private final Supplier<Figures> source;
  private final MultiGauge filterEntries;
  private final MultiGauge serverUp;
  private final MultiGauge serverConnections;
  private final MultiGauge filterOctets;
  private final MultiGauge filterRatio;
  private final MultiGauge feedEntries;
  private final MultiGauge feedState;
  private final MultiGauge feedAge;
  private final MultiGauge feedSuccess;
  private final MultiGauge feedChange;
  private final MultiGauge feedBreaker;
  private volatile @Nullable Figures last;

  FigureGauges(MeterRegistry registry, Supplier<Figures> source) {
    this.registry = registry;
    this.source = source;
    filterEntries = multi("filter.entries", "Keys in a filter.");
    filterOctets = multi("filter.size.bytes", "Memory of a filter.");
    filterRatio =
        multi("filter.expected.false.positive.ratio", "Share of unlisted keys expected to hit.");
    feedEntries = multi("feed.entries", "Live entries of a feed.");
    feedState = multi("feed.state", "1 for the state that a feed is in.");
    feedAge = multi("feed.age", "1 for what the age of a feed leaves of its action.");
    feedSuccess = multi("feed.last.success.timestamp.seconds", "Last successful check of a feed.");
    feedChange = multi("feed.last.change.timestamp.seconds", "Last new version of a feed.");
    feedBreaker =
        multi(
            "feed.breaker.tripped", "1 when new entries of a feed are held back, see feeds show.");
    serverUp = multi("downstream.server.up", "1 when this mail server can be used.");
    serverConnections = multi("downstream.server.connections", "Connections in use there.");
    single("ready", "1 when lists are loaded.", f -> flag(f.ready()));
    single("filter.generation", "Number of the live generation.", Figures::generation);
    single("allow.entries", "Allow entries of the operator.", Figures::allowEntries);
    single("block.entries", "Block entries of the operator.", Figures::blockEntries);
    single("downstream.up", "1 when the mail server answers.", f -> flag(f.downstreamUp()));
    single(
        "config.last.reload.successful",
        "1 when the last reload of the settings succeeded.",
        f -> flag(f.lastReload()));
    single(
        "config.last.reload.success.timestamp.seconds",
        "Last reload that succeeded.",
        f -> f.lastReloadSuccess().getEpochSecond());
    single(
        "held.content.bytes",
        "Content in memory of messages whose clients are still sending.",
        Figures::heldContentOctets);
    certificate(
        "expiry.timestamp.seconds",
        "End of the certificate that STARTTLS shows.",
        c -> c.expires().getEpochSecond());
    certificate(
        "last.reload.successful",
        "1 when the newest content of the certificate's files is in use.",
        c -> flag(c.newest()));
    certificate("self.signed", "1 when nobody vouches for it.", c -> flag(c.selfSigned()));
  }

  /** Reads the figures again. */
  synchronized void refresh() {
    Figures now = source.get();
    last = now;
    filters(filterEntries, now, FilterFigures::entries);
    filters(filterOctets, now, FilterFigures::octets);
    filters(filterRatio, now, FilterFigures::expectedFalsePositiveRatio);
    servers(serverUp, now, server -> flag(server.up()));
    servers(serverConnections, now, ServerFigures::connections);
    feeds(feedEntries, now, feed -> row(feed, feed.entries()));
    feeds(
        feedState,
        now,
        feed -> Optional.of(Row.of(Tags.of("feed", feed.name(), "state", feed.state().word()), 1)));
    feeds(
        feedAge,
        now,
        feed -> Optional.of(Row.of(Tags.of("feed", feed.name(), "age", feed.age().word()), 1)));
    feeds(feedSuccess, now, feed -> stamp(feed, feed.lastSuccess()));
    feeds(feedBreaker, now, feed -> row(feed, feed.breakerHolds() ? 1 : 0));
    feeds(feedChange, now, feed -> stamp(feed, feed.lastChange()));
  }

  private MultiGauge multi(String name, String description) {
    return MultiGauge.builder("bloomgate." + name).description(description).register(registry);
  }

  private void single(String name, String description, ToDoubleFunction<Figures> value) {
    Gauge.builder("bloomgate." + name, this, gauges -> gauges.value(value))
        .description(description)
        .strongReference(true)
        .register(registry);
  }

  /** NaN while no listener offers TLS. */
  private void certificate(
      String name, String description, ToDoubleFunction<CertificateFigures> value) {
    single(
        "tls.certificate." + name,
        description,
        figures -> {
          CertificateFigures certificate = figures.certificate();
          return certificate == null ? Double.NaN : value.applyAsDouble(certificate);
        });
  }

  private double value(ToDoubleFunction<Figures> value) {
    Figures now = last;
    return now == null ? Double.NaN : value.applyAsDouble(now);
  }

  private static void servers(
      MultiGauge gauge, Figures now, ToDoubleFunction<ServerFigures> value) {
    List<Row<?>> rows = new ArrayList<>();
    for (ServerFigures server : now.servers()) {
      Tags tags = Tags.of("server", server.name(), "route", server.route());
      rows.add(Row.of(tags, value.applyAsDouble(server)));
    }
    gauge.register(rows, true);
  }

  private static void filters(
      MultiGauge gauge, Figures now, ToDoubleFunction<FilterFigures> value) {
    List<Row<?>> rows = new ArrayList<>();
    for (FilterFigures filter : now.filters()) {
      rows.add(Row.of(Tags.of("filter", filter.name()), value.applyAsDouble(filter)));
    }
    gauge.register(rows, true);
  }

  private static void feeds(
      MultiGauge gauge, Figures now, Function<FeedFigures, Optional<Row<?>>> value) {
    List<Row<?>> rows = new ArrayList<>();
    for (FeedFigures feed : now.feeds()) {
      value.apply(feed).ifPresent(rows::add);
    }
    gauge.register(rows, true);
  }

  private static Optional<Row<?>> row(FeedFigures feed, long value) {
    return Optional.of(Row.of(Tags.of("feed", feed.name()), value));
  }

  private static Optional<Row<?>> stamp(FeedFigures feed, @Nullable Instant time) {
    return time == null ? Optional.empty() : row(feed, time.getEpochSecond());
  }

  private static double flag(boolean on) {
    return on ? 1 : 0;
  }
}
