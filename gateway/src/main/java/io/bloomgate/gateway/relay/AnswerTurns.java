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
  private final AnswerShares shares;
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
    this.shares = new AnswerShares(max);
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
}
