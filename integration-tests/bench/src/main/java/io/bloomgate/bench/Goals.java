package io.bloomgate.bench;

import java.util.ArrayList;
import java.util.List;

/** What the figures must reach; one method a row of the table that the project set itself. */
final class Goals {

  private static final List<String> OURS_NAMED =
      List.of(
          "split-block",
          "classic",
          "counting",
          "scalable",
          "scalable-counting",
          "fuse8",
          "fuse16",
          "cuckoo",
          "cascade");

  private Goals() {}

  /** Goals of one size, as {@link Figures#size} spells it. */
  static List<Goal> of(String size) {
    List<Goal> goals = new ArrayList<>();
    lookups(goals, size);
    if (!size.equals("100M")) {
      frozen(goals, size);
      names(goals, size);
      exact(goals, size);
      goals.addAll(snapshot(size));
    }
    builds(goals, size);
    return goals;
  }

  private static void lookups(List<Goal> goals, String size) {
    String miss = size + "/hash/miss/";
    String ours = miss + "split-block/ns";
    String guava = miss + "guava/ns";
    goals.add(Goal.ratio(size + " miss lookup / Guava", ours, guava, 1.0 / 10));
    goals.add(
        Goal.ratio(size + " miss lookup / raw read", ours, size + "/raw/independent/ns", 1.3));
    goals.add(
        Goal.ratio(
            size + " miss lookup, scalar / Guava", miss + "split-block-scalar/ns", guava, 1.0 / 3));
    goals.add(
        Goal.ratio(
            size + " 8 keys together / 1 alone",
            size + "/batch/together/ns",
            size + "/batch/lone/ns",
            3));
  }

  private static void frozen(List<Goal> goals, String size) {
    String miss = size + "/hash/miss/";
    String xor = miss + "fastfilter-xor-8/ns";
    for (String ours : List.of("fuse8", "fuse16")) {
      goals.add(
          Goal.ratio(size + " miss lookup, " + ours + " / xor8", miss + ours + "/ns", xor, 1.1));
    }
  }

  private static void names(List<Goal> goals, String size) {
    String miss = size + "/name/miss/";
    String ours = miss + "split-block/ns";
    goals.add(Goal.ratio(size + " domain to answer / Guava", ours, miss + "guava/ns", 1.0 / 6));
    goals.add(
        Goal.ratio(
            size + " domain to answer / HashSet<String>", ours, miss + "hashset/ns", 1.0 / 8));
    // JMH counts what it allocates itself, too; an object of 16 octets in 160 lookups would show.
    goals.add(
        Goal.atMost(
            size + " domain to answer, allocated", miss + "split-block/allocated", 0.1, "octets"));
  }

  private static void exact(List<Goal> goals, String size) {
    goals.add(
        Goal.atMost(
            size + " / 2 names, confirm of a hit, p50", size + "/confirm/hit/p50", 500, "ns"));
    goals.add(
        Goal.atMost(size + " network index of hosts", size + "/networks/octets", 8, "octets/host"));
  }

  /** Goals of a generation of that many entries. */
  static List<Goal> snapshot(String size) {
    String name = "snapshot/" + size + "/";
    String what = "snapshot of " + size + " ";
    return List.of(
        Goal.atMost(what + "built and checked", name + "build-s", 15, "s"),
        Goal.atMost(what + "heap", name + "heap-MiB", 512, "MiB"),
        Goal.atMost(what + "reopened, answering", name + "open-ms", 100, "ms"),
        Goal.atMost(what + "verified", name + "verify-s-per-GB", 1, "s/GB"));
  }

  private static void builds(List<Goal> goals, String size) {
    build(goals, size, "split-block", 10.2, 30, 12);
    build(goals, size, "fuse8", 9.1, 100, 16);
    // Fingerprints of twice the width: the goal for bits is that of fuse8 doubled.
    build(goals, size, "fuse16", 18.2, 100, 16);
  }

  private static void build(
      List<Goal> goals, String size, String kind, double bits, double nanos, double scratch) {
    String name = "build/" + size + "/" + kind + "/";
    goals.add(Goal.atMost(size + " " + kind + " space", name + "bits", bits, "bits/key"));
    goals.add(Goal.atMost(size + " " + kind + " build", name + "ns", nanos, "ns/key"));
    goals.add(Goal.atMost(size + " " + kind + " scratch", name + "scratch", scratch, "octets/key"));
    goals.add(
        Goal.between(size + " " + kind + " builds within that heap", name + "fits-heap", 1, 1));
  }

  /** Goals that belong to no size: rates up to {@code largest} entries, snapshot, membership. */
  static List<Goal> anySize(long largest) {
    List<Goal> goals = new ArrayList<>();
    for (String kind : OURS_NAMED) {
      rates(goals, kind, largest);
    }
    goals.add(
        new Goal(
            "membership checks without a false negative",
            "member/checks",
            "",
            1e8,
            Double.POSITIVE_INFINITY,
            ""));
    return goals;
  }

  private static void rates(List<Goal> goals, String kind, long largest) {
    boolean exact = kind.equals("split-block") || kind.equals("classic");
    double low = exact ? 0.90 : 0;
    String name = "rate/" + kind + "/";
    // A fingerprint of 16 bits hits so rarely that chance alone moves what is counted: 3
    // deviations.
    double tolerance =
        kind.equals("fuse16")
            ? 0.03 + 3 * Math.sqrt((1 << Short.SIZE) / (double) RateRun.MISSES_OF_LOW_RATES)
            : 0.03;
    if (exact) {
      goals.add(
          Goal.between(
              kind + " rate / asked, mean of 200 builds of 1k",
              name + "1k-200-seeds/asked",
              low,
              1.03));
    }
    for (long n = 10_000; n <= (exact ? largest : Math.min(largest, 10_000_000)); n *= 10) {
      String size = Figures.size(n);
      goals.add(Goal.between(kind + " rate / asked at " + size, name + size + "/asked", low, 1.03));
      goals.add(
          Goal.between(
              kind + " rate / expected at " + size,
              name + size + "/expected",
              1 - tolerance,
              1 + tolerance));
    }
  }
}
