package io.bloomgate.gateway.relay;

import io.bloomgate.config.name.IpAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Recipients of {@link AnswerMemory} that wait once for another recipient of the same mail who has
 * an answer: their mail server put them off after the final dot, and without this they would always
 * go first. Used under the monitor of its owner.
 */
final class AnswerTurns {

  private final Map<AnswerMemory.Key, Turn> turns = new HashMap<>();
  private final Shares shares;
  private final Predicate<AnswerMemory.Key> answered;

  /**
   * The answer that a recipient waits for.
   *
   * @param network of the client
   * @param place of the recipient with an answer
   */
  record Turn(IpAddress network, AnswerMemory.Key place) {}

  /**
   * Nobody waits.
   *
   * @param max recipients that may wait, of all networks together
   * @param answered true for a place while the client has not got its answer
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
      shares.add(turn.network(), 1);
    }
  }

  /** True when the one at this place waits now; said once. */
  boolean take(AnswerMemory.Key place) {
    Turn turn = turns.remove(place);
    if (turn == null) {
      return false;
    }
    shares.add(turn.network(), -1);
    return answered.test(turn.place());
  }

  /** Forgets who waits for an answer that was heard. */
  void forgetOld() {
    turns
        .values()
        .removeIf(turn -> {
          boolean over = !answered.test(turn.place());
          if (over) {
            shares.add(turn.network(), -1);
          }
          return over;
        });
  }

  /**
   * Counts all entries, and those of each client network: at most an eighth, so that one network
   * cannot take all the room. Used under the monitor of its owner.
   */
  static final class Shares {

    /** One network may have this part of all entries. */
    private static final int NETWORK_PART = 8;

    private final int max;
    private final Map<IpAddress, Integer> held = new HashMap<>();
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
    boolean hasRoom(IpAddress network, int more) {
      int share = max == 0 ? 0 : Math.max(1, max / NETWORK_PART);
      return more <= max - count && more <= share - held.getOrDefault(network, 0);
    }

    /** This network holds this number more, or fewer when it is negative. */
    void add(IpAddress network, int more) {
      int holds = held.getOrDefault(network, 0) + more;
      if (holds == 0) {
        held.remove(network);
      } else {
        held.put(network, holds);
      }
      count += more;
    }
  }
}
