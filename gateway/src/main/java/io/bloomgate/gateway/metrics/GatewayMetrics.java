package io.bloomgate.gateway.metrics;

import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Grounds;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.generation.FilterCounters;
import io.bloomgate.blocklists.greylist.Greylist;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.config.name.Check;
import io.bloomgate.gateway.log.DecisionRecord;
import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.status.GatewayStatus;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Counters and gauges in the Prometheus text format; every name begins with {@code bloomgate_}.
 *
 * <p>No address and no name from outside is ever a label, and the number of label values is
 * bounded, so that senders cannot grow the series. Counted by session threads; read by the HTTP
 * endpoint. With {@link FigureGauges} the only user of micrometer.
 */
public final class GatewayMetrics {

  /** Feeds with their own label; more than any configuration has. */
  private static final int MAX_FEED_LABELS = 64;

  private static final String NO_FEED = "none";
  private static final String OTHER_FEEDS = "other";
  private static final List<String> DOWNSTREAM_RESULTS = List.of("accepted", "refused", "failed");

  private static final Duration[] LATENCY_BUCKETS = {
    Duration.ofMillis(1),
    Duration.ofMillis(5),
    Duration.ofMillis(25),
    Duration.ofMillis(100),
    Duration.ofMillis(500),
    Duration.ofSeconds(2),
    Duration.ofSeconds(10),
    Duration.ofSeconds(60),
  };
  private static final double[] SIZE_BUCKETS_OCTETS = {1e3, 1e4, 1e5, 1e6, 1e7, 1e8};

  private static final double NANOS_PER_SECOND = 1e9;

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final AtomicInteger sessions = new AtomicInteger();
  private final Set<String> feedLabels = ConcurrentHashMap.newKeySet();
  private final Map<String, Map<List<Object>, Counter>> counters = new ConcurrentHashMap<>();
  private final Map<String, Timer> downstream = new ConcurrentHashMap<>();
  private final DistributionSummary messageSize;
  private final FigureGauges gauges;
  private final FilterCounters filters;

  /**
   * Metrics that begin at zero.
   *
   * @param version of the gateway, for {@code build_info}
   * @param status read at every fetch
   */
  public GatewayMetrics(String version, FilterCounters filters, Supplier<GatewayStatus> status) {
    this.filters = filters;
    // Prometheus' checker complains about these names; the time is there as cpu seconds.
    registry
        .config()
        .meterFilter(MeterFilter.denyNameStartsWith("process.cpu.time"))
        .meterFilter(MeterFilter.denyNameStartsWith("system.cpu.count"));
    messageSize =
        DistributionSummary.builder(Metric.of("message.size").meter())
            .description(Metric.of("message.size").meaning())
            .baseUnit(Metric.of("message.size").unit())
            .serviceLevelObjectives(SIZE_BUCKETS_OCTETS)
            .register(registry);
    Gauge.builder(Metric.of("smtp.sessions").meter(), sessions, AtomicInteger::get)
        .description(Metric.of("smtp.sessions").meaning())
        .register(registry);
    boundedCounters();
    filterCounters();
    buildInfo(version);
    gauges = new FigureGauges(registry, status);
    jvm();
  }

  /** The text of all metrics (Prometheus text format 0.0.4). */
  public String scrape() {
    gauges.refresh();
    return registry.scrape();
  }

  /** Sessions that are open now. */
  public int sessions() {
    return sessions.get();
  }

  public void sessionOpened() {
    counter("smtp.connections").increment();
    sessions.incrementAndGet();
  }

  public void sessionClosed() {
    sessions.decrementAndGet();
  }

  public void limitReached(Limit limit) {
    counter("limit.reached", limit).increment();
  }

  public void fieldsRemoved(int fields) {
    counter("removed.fields").increment(fields);
  }

  public void tagTooLate() {
    counter("content.tag.late").increment();
  }

  public void unknownDomain() {
    counter("unknown.domain.recipients").increment();
  }

  public void downstream(String result, Duration took) {
    downstreamTimer(DOWNSTREAM_RESULTS.contains(result) ? result : "failed").record(took);
  }

  public void decided(DecisionRecord record) {
    counter("outcomes", record.outcome()).increment();
    if (record.sizeOctets() > 0) {
      messageSize.record((double) record.sizeOctets());
    }
    Verdict verdict = record.verdict();
    if (verdict != null && !record.repeatsVerdict()) {
      count(record, verdict);
    }
  }

  private void count(DecisionRecord record, Verdict verdict) {
    String feed = record.deciding().map(g -> feedLabel(g.source())).orElse(NO_FEED);
    counter("verdicts", String.valueOf(record.verdictWord()), record.stage(), record.mode(), feed)
        .increment();
    if (record.outcome() == Outcome.REFUSED
        && verdict instanceof Verdict.Reject(Ground.Found ground, var ignored)) {
      counter("rejects", kind(ground)).increment();
    }
    for (Ground ground : verdict.grounds().standing()) {
      Counter counter =
          switch (ground) {
            case Ground.RuleMet met -> counter("rule.hits", feedLabel(met.source()), met.action());
            case Ground.Found found ->
                counter("feed.hits", feedLabel(found.source()), found.check(), found.action());
            case Ground.Failed failed -> counter("check.failures", failed.check());
          };
      counter.increment();
    }
    for (Grounds.Pardoned pardoned : verdict.grounds().pardoned()) {
      if (pardoned.pardon() instanceof Grounds.Pardon.Allowed) {
        counter("allow.overrides", pardoned.ground().check()).increment();
      }
    }
  }

  /** A hit of a filter alone is none of these: no such ground can be made. */
  private static String kind(Ground.Found ground) {
    return switch (ground) {
      case Ground.Listed ignored -> "list";
      case Ground.ByDns ignored -> "dns";
      case Ground.BySign ignored -> "sign";
      case Ground.RuleMet ignored -> "rule";
      case Ground.Blocked ignored -> "entry";
    };
  }

  /**
   * A DNS list was asked.
   *
   * @param result {@code listed}, {@code not_listed}, {@code other_code}, {@code error}, {@code
   *     no_answer}, {@code no_place} or {@code off}
   */
  public void dnsListAnswered(String list, String result) {
    counter("dns.list.answers", feedLabel(list), result).increment();
  }

  /** A sender that greylisting knows, or has to know, came. */
  public void greylistVisited(Greylist.Visit visit) {
    counter("greylist.visits", visit).increment();
  }

  private String feedLabel(String feed) {
    if (feedLabels.contains(feed)) {
      return feed;
    }
    if (feedLabels.size() >= MAX_FEED_LABELS) {
      return OTHER_FEEDS;
    }
    feedLabels.add(feed);
    return feed;
  }

  /** The counter with these values of its labels, words or constants, made when first asked for. */
  private Counter counter(String name, Object... values) {
    // The registry would make and sort the labels again to find it.
    return counters
        .computeIfAbsent(name, _ -> new ConcurrentHashMap<>())
        .computeIfAbsent(
            List.of(values),
            _ -> {
              Metric metric = Metric.of(name);
              return Counter.builder(metric.meter())
                  .description(metric.meaning())
                  .tags(metric.tags(values))
                  .register(registry);
            });
  }

  /** Counters whose labels are all known exist from the start, so that rates begin at zero. */
  private void boundedCounters() {
    List.of("smtp.connections", "unknown.domain.recipients", "removed.fields", "content.tag.late")
        .forEach(this::counter);
    for (Limit limit : Limit.values()) {
      counter("limit.reached", limit);
    }
    for (Outcome outcome : Outcome.values()) {
      counter("outcomes", outcome);
    }
    for (Check check : Check.values()) {
      counter("allow.overrides", check);
    }
    DOWNSTREAM_RESULTS.forEach(this::downstreamTimer);
  }

  private Timer downstreamTimer(String result) {
    return downstream.computeIfAbsent(
        result,
        word ->
            Timer.builder(Metric.of("downstream.duration").meter())
                .description(Metric.of("downstream.duration").meaning())
                .tags(Metric.of("downstream.duration").tags(word))
                .serviceLevelObjectives(LATENCY_BUCKETS)
                .register(registry));
  }

  private void filterCounters() {
    for (String filter : filters.filters()) {
      for (FilterCounters.Outcome outcome : FilterCounters.Outcome.values()) {
        FunctionCounter.builder(
                Metric.of("filter.lookups").meter(),
                this,
                all -> all.filters.count(filter, outcome))
            .description(Metric.of("filter.lookups").meaning())
            .tags(Metric.of("filter.lookups").tags(filter, outcome.key()))
            .register(registry);
      }
    }
  }

  private void buildInfo(String version) {
    Gauge.builder(Metric.of("build.info").meter(), () -> 1)
        .description(Metric.of("build.info").meaning())
        .tags(Metric.of("build.info").tags(version, System.getProperty("java.version", "")))
        .register(registry);
  }

  private static double cpuSeconds(ProcessHandle process) {
    return process.info().totalCpuDuration().map(Duration::toNanos).orElse(0L) / NANOS_PER_SECOND;
  }

  private void jvm() {
    FunctionCounter.builder(
            "process.cpu.seconds", ProcessHandle.current(), GatewayMetrics::cpuSeconds)
        .description("Processor time that the gateway took.")
        .register(registry);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
  }
}
