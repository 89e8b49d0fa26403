package io.bloomgate.bench;

import java.util.ArrayList;
import java.util.List;

/** What the figures must reach; the source of the limits is the issue on filters and indexes. */
final class Goals {

  private Goals() {}

  /** Goals of one size, as {@link Figures#size} spells it. */
  static List<Goal> of(String size) {
    List<Goal> goals = new ArrayList<>();
    String miss = size + "/hash/miss/";
    goals.add(
        Goal.ratio(
            size + " miss lookup / Guava", miss + "split-block/ns", miss + "guava/ns", 1.0 / 10));
    goals.add(
        Goal.ratio(
            size + " miss lookup / raw independent read",
            miss + "split-block/ns",
            size + "/raw/independent/ns",
            1.3));
    goals.add(
        Goal.ratio(
            size + " miss lookup, scalar / Guava",
            miss + "split-block-scalar/ns",
            miss + "guava/ns",
            1.0 / 3));
    return goals;
  }

  /** Goals that belong to no size. */
  static List<Goal> anySize() {
    return List.of();
  }
}
