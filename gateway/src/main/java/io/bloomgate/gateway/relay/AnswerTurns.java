package io.bloomgate.gateway.relay;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Recipients who wait once, in {@link AnswerMemory}, for another of the same mail who has an
 * answer: their mail server put them off behind the dot, and else they would go first always. Used
 * under the monitor of its owner.
 */
final class AnswerTurns {

  private final Map<AnswerMemory.Key, Turn> turns = new HashMap<>();
  private final Shares shares;
  private final Predicate<AnswerMemory.Key> answered;

  /**
   * For whom somebody waits.
   *
   * @param network the client's
   * @param place of the one with an answer
   */
  record Turn(AnswerMemory.Key network, AnswerMemory.Key place) {}

  /**
   * Nobody waits.
   *
   * @param max who may wait, of all networks together
   * @param answered true of a place as long as its answer was not heard
   */
  AnswerTurns(int max, Predicate<AnswerMemory.Key> answered) {
    this.shares = new Shares(max);
    this.answered = answered;
  }

  /** The one at this place waits once, if there is room for that. */
  void leave(AnswerMemory.Key place, Turn turn) {
    if (shares.full()) {
      forgetOld();
    }
    if (shares.hasRoom(turn.network(), 1) && turns.putIfAbsent(place, turn) == null) {
      shares.add(turn.network());
    }
  }

  /** True when the one at this place waits now; said once. */
  boolean take(AnswerMemory.Key place) {
    Turn turn = turns.remove(place);
    if (turn == null) {
      return false;
    }
    shares.remove(turn.network());
    return answered.test(turn.place());
  }

  /** Forgets who waits for an answer that was heard. */
  void forgetOld() {
    turns
        .values()
        .removeIf(turn -> {
          boolean over = !answered.test(turn.place());
          if (over) {
            shares.remove(turn.network());
          }
          return over;
        });
  }

  /**
   * How many entries there are, and how many of them belong to each client network: at most an
   * eighth, so that one network cannot take all the room. Used under the monitor of its owner.
   */
  static final class Shares {

    /** One network may have this part of all entries. */
    private static final int NETWORK_PART = 8;

    private final int max;
    private final Map<AnswerMemory.Key, Integer> held = new HashMap<>();
    private int count;

    /**
     * Nothing is held.
     *
     * @param max entries of all networks together
     */
    Shares(int max) {
      this.max = max;
    }

    int count() {
      return count;
    }

    int max() {
      return max;
    }

    /** True when all entries are in use. */
    boolean full() {
      return count >= max;
    }

    /** True when this network may have this number of further entries. */
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
}
