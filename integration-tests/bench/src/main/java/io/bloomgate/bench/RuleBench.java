package io.bloomgate.bench;

import io.bloomgate.blocklists.decision.DnsListing;
import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.ListRule;
import io.bloomgate.blocklists.decision.Whereabouts;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Rule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a rule over eight lists adds to a decision in which some lists list the client. Run by
 * {@code rules.sh}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class RuleBench {

  private static final int CLIENT = 0xcb007107;
  private static final List<String> LISTS = List.of("a", "b", "c", "d", "e", "f", "g", "h");

  /** Lists that list the client. */
  @Param({"1", "2", "3"})
  public int listed;

  /** Lists that the rule needs. */
  @Param({"2", "4"})
  public int needed;

  private @Nullable ListRule rule;
  private final List<Ground> standing = new ArrayList<>();

  /** Makes the rule and the listings. */
  @Setup
  public void make() {
    rule = new ListRule(new Rule("weak", needed, false, LISTS, Action.REJECT), Map.of(), 9);
    IpAddress client = IpAddress.ofV4(CLIENT);
    for (int i = 0; i < listed; i++) {
      DnsListing listing =
          new DnsListing(
              LISTS.get(2 * i),
              Check.CLIENT_IP,
              client,
              "bl.example",
              client,
              Duration.ofMinutes(1),
              Instant.EPOCH);
      standing.add(new Ground.ByDns(listing, Action.OBSERVE));
    }
  }

  /** One question to the rule. */
  @Benchmark
  public Ground.@Nullable RuleMet ask() {
    return rule == null ? null : rule.met(standing, Whereabouts.UNKNOWN);
  }
}
