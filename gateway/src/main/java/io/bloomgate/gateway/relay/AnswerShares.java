package io.bloomgate.gateway.relay;

import java.util.HashMap;
import java.util.Map;

/**
 * How many entries of {@link AnswerMemory} there are, and how many each client network has of them:
 * an eighth at most, so that one network cannot take the memory from the others. Used under the
 * monitor of its owner.
 */
final class AnswerShares {

  /** What one network may have of all. */
  private static final int NETWORK_PART = 8;

  private final int max;
  private final Map<AnswerMemory.Key, Integer> held = new HashMap<>();
  private int count;

  /**
   * Nothing is held.
   *
   * @param max entries of all networks together
   */
  AnswerShares(int max) {
    this.max = max;
  }

  int count() {
    return count;
  }

  int max() {
    return max;
  }

  /** True when all of them are in use. */
  boolean full() {
    return count >= max;
  }

  /** True when this network may have so many more. */
  boolean hasRoom(AnswerMemory.Key network, int more) {
    int share = max == 0 ? 0 : Math.max(1, max / NETWORK_PART);
    return more <= max - count && more <= share - held.getOrDefault(network, 0);
  }

  void add(AnswerMemory.Key network) {
    held.merge(network, 1, Integer::sum);
    count++;
  }

  void remove(AnswerMemory.Key network) {
    held.computeIfPresent(network, (key, had) -> had == 1 ? null : had - 1);
    count--;
  }
}
