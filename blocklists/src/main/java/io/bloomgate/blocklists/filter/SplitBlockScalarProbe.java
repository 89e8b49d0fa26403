package io.bloomgate.blocklists.filter;

import static io.bloomgate.blocklists.filter.SplitBlockFilter.LANE_SHIFT;

/** Tests a line lane by lane: runs everywhere. Stateless. */
final class SplitBlockScalarProbe implements SplitBlockProbe {

  @Override
  public String word() {
    return "scalar";
  }

  @Override
  public int probe(long[] words, int at, long hash) {
    long all =
        (words[at] >>> ((hash * SplitBlockFilter.SALT_0) >>> LANE_SHIFT))
            & (words[at + 1] >>> ((hash * SplitBlockFilter.SALT_1) >>> LANE_SHIFT))
            & (words[at + 2] >>> ((hash * SplitBlockFilter.SALT_2) >>> LANE_SHIFT))
            & (words[at + 3] >>> ((hash * SplitBlockFilter.SALT_3) >>> LANE_SHIFT))
            & (words[at + 4] >>> ((hash * SplitBlockFilter.SALT_4) >>> LANE_SHIFT))
            & (words[at + 5] >>> ((hash * SplitBlockFilter.SALT_5) >>> LANE_SHIFT))
            & (words[at + 6] >>> ((hash * SplitBlockFilter.SALT_6) >>> LANE_SHIFT))
            & (words[at + 7] >>> ((hash * SplitBlockFilter.SALT_7) >>> LANE_SHIFT));
    return (int) all & 1;
  }
}
