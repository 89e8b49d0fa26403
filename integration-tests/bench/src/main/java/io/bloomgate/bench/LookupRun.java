package io.bloomgate.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.SampleTimeResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs the JMH benchmarks of one size in turns: every contestant once a round, each in its own
 * process, so that a machine whose speed drifts disturbs all alike. Arguments: entries, rounds, and
 * prefixes of the figures that are wanted when not all are.
 */
public final class LookupRun {

  /** Ratio of false positives that every filter is asked for. */
  static final double RATE = 0.01;

  /** From here on only the peers that can take part do, and only what is asked of that size. */
  private static final int LARGE = 100_000_000;

  private static final List<String> VECTOR = List.of("--add-modules", "jdk.incubator.vector");
  private static final String OURS = "split-block";

  private final int entries;

  private LookupRun(int entries) {
    this.entries = entries;
  }

  /**
   * One benchmark with its parameters.
   *
   * @param figure name of the figure, the size left out
   * @param judged true when a goal depends on it, so that it takes part in every round
   */
  private record Contestant(
      String figure, String benchmark, Map<String, String> params, boolean judged, boolean vector) {

    Contestant(String figure, String benchmark, Map<String, String> params, boolean judged) {
      this(figure, benchmark, params, judged, true);
    }
  }

  /** Entry point. */
  public static void main(String[] args) throws RunnerException, IOException {
    int entries = Integer.parseInt(args[0]);
    int rounds = Integer.parseInt(args[1]);
    List<String> wanted = args.length > 2 ? List.of(args).subList(2, args.length) : List.of("");
    LookupRun run = new LookupRun(entries);
    for (int round = 0; round < rounds; round++) {
      for (Contestant contestant : run.contestants()) {
        boolean asked = wanted.stream().anyMatch(contestant.figure()::startsWith);
        if (asked && (round == 0 || contestant.judged())) {
          run.measure(contestant);
        }
      }
    }
  }

  private List<Contestant> contestants() {
    List<Contestant> all = new ArrayList<>();
    all.add(new Contestant("raw/independent", "RawReadBench.independent", Map.of(), true));
    all.add(new Contestant("raw/dependent", "RawReadBench.dependent", Map.of(), true));
    all.add(hashes(OURS, "miss", true));
    all.add(scalar("miss", true));
    all.add(hashes("guava", "miss", true));
    if (entries < LARGE) {
      List.of("fuse8", "fuse16", "fastfilter-xor-8")
          .forEach(frozen -> all.add(hashes(frozen, "miss", true)));
    }
    List<String> others = entries < LARGE ? othersAnywhere() : othersWhenLarge();
    others.forEach(peer -> all.add(hashes(peer, "miss", false)));
    for (String asked : List.of("hit", "mix")) {
      all.add(hashes(OURS, asked, false));
      all.add(scalar(asked, false));
      all.add(hashes("guava", asked, false));
      all.add(hashes("fastfilter-blocked-bloom", asked, false));
    }
    all.add(new Contestant("batch/lone", "BatchBench.lone", Map.of(), true));
    all.add(new Contestant("batch/together", "BatchBench.together", Map.of(), true));
    if (entries < LARGE) {
      names(all);
      hosts(all);
    }
    return all;
  }

  private static List<String> othersAnywhere() {
    return List.of(
        "classic",
        "cuckoo",
        "fastfilter-blocked-bloom",
        "fastfilter-bloom",
        "fastutil",
        "hashset",
        "cassandra",
        "stream-lib",
        "commons");
  }

  private static List<String> othersWhenLarge() {
    return List.of("fastfilter-blocked-bloom", "fastfilter-xor-8", "fastutil");
  }

  private void names(List<Contestant> all) {
    Map<String, String> miss = Map.of("asked", "miss");
    all.add(new Contestant("name/miss/" + OURS, "NameLookupBench.ours", miss, true));
    for (String peer : List.of("guava", "hashset")) {
      all.add(name(peer, true));
    }
    for (String peer :
        List.of("cassandra", "fastfilter-blocked-bloom", "fastutil", "ours-parsed")) {
      all.add(name(peer, false));
    }
    Map<String, String> half = Map.of("entries", Integer.toString(entries / 2));
    all.add(new Contestant("confirm/hit", "ConfirmBench.confirm", half, true));
  }

  private void hosts(List<Contestant> all) {
    for (String asked : List.of("miss", "hit")) {
      for (String peer : List.of("network-index", "roaring")) {
        all.add(host(peer, asked, true));
      }
      for (String peer : List.of("fastutil-hosts-only", "split-block-hosts-only")) {
        all.add(host(peer, asked, false));
      }
    }
  }

  private static Contestant host(String peer, String asked, boolean judged) {
    return new Contestant(
        "host/" + asked + "/" + peer,
        "HostLookupBench.verdict",
        Map.of("peer", peer, "asked", asked),
        judged);
  }

  private static Contestant hashes(String peer, String asked, boolean judged) {
    return new Contestant(
        "hash/" + asked + "/" + peer,
        "HashLookupBench.lookup",
        Map.of("peer", peer, "asked", asked),
        judged);
  }

  /** Without the vector module the filter has no choice. */
  private static Contestant scalar(String asked, boolean judged) {
    return new Contestant(
        "hash/" + asked + "/" + OURS + "-scalar",
        "HashLookupBench.lookup",
        Map.of("peer", OURS, "asked", asked),
        judged,
        false);
  }

  private static Contestant name(String peer, boolean judged) {
    return new Contestant(
        "name/miss/" + peer,
        "NameLookupBench.theirs",
        Map.of("peer", peer, "asked", "miss"),
        judged);
  }

  private void measure(Contestant contestant) throws RunnerException, IOException {
    List<String> jvm =
        new ArrayList<>(List.of("-XX:+UseG1GC", heap(), "--enable-native-access=ALL-UNNAMED"));
    if (contestant.vector()) {
      jvm.addAll(VECTOR);
    }
    String extra = System.getProperty("bench.jvm", "");
    if (!extra.isBlank()) {
      jvm.addAll(List.of(extra.trim().split(" +")));
    }
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("\\." + contestant.benchmark().replace(".", "\\.") + "$")
            .forks(1)
            .warmupIterations(2)
            .warmupTime(TimeValue.milliseconds(400))
            .measurementIterations(5)
            .measurementTime(TimeValue.milliseconds(250))
            .jvmArgs(jvm.toArray(String[]::new))
            .addProfiler(GCProfiler.class)
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT);
    // Set once: a parameter that is set twice is measured with both values.
    options.param(
        "entries", contestant.params().getOrDefault("entries", Integer.toString(entries)));
    contestant
        .params()
        .forEach((name, value) -> {
          if (!name.equals("entries")) {
            options.param(name, value);
          }
        });
    for (RunResult result : new Runner(options.build()).run()) {
      record(contestant.figure(), result);
    }
  }

  /** Room for the largest peer and the keys. */
  private String heap() {
    return entries < LARGE ? "-Xmx4g" : "-Xmx7g";
  }

  private void record(String figure, RunResult result) throws IOException {
    String name = Figures.size(entries) + "/" + figure;
    if (result.getPrimaryResult() instanceof SampleTimeResult sampled) {
      Figures.add(name + "/p50", sampled.getStatistics().getPercentile(50));
      Figures.add(name + "/p99", sampled.getStatistics().getPercentile(99));
      return;
    }
    for (var fork : result.getBenchmarkResults()) {
      for (IterationResult iteration : fork.getIterationResults()) {
        Figures.add(name + "/ns", iteration.getPrimaryResult().getScore());
      }
    }
    Result<?> allocated = result.getSecondaryResults().get("gc.alloc.rate.norm");
    if (allocated != null) {
      Figures.add(name + "/allocated", allocated.getScore());
    }
  }
}
