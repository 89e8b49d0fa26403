package io.bloomgate.blocklists.fleet;

import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonRecords.Inline;
import io.bloomgate.config.json.JsonRecords.Rare;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.StreamEntryID;

/**
 * A node of a fleet, as Redis knows it. Immutable; made by {@link FleetNodes}.
 *
 * @param connected its heartbeat is not too old
 * @param leads it holds the lease of the leader
 * @param lagMillis from the last change that it has applied to the newest
 */
public record FleetNode(String name, boolean connected, boolean leads, long lagMillis, Beat beat) {

  /** A node is gone when its heartbeat is older. */
  static final long ALIVE_MILLIS = 5_000;

  private static final long LONG_GONE_MILLIS = 7 * 86_400_000L;

  /**
   * A heartbeat, in Redis a JSON object with these members.
   *
   * @param start a word of this start of the gateway
   * @param place the last change that it has applied, as Redis writes it; empty before the first
   * @param generation id of its live generation
   * @param waiting own commands that Redis has not yet
   * @param version of the program
   * @param at when it wrote this, by its own clock in milliseconds since 1970
   * @param reply milliseconds that Redis took to answer it
   * @param clock milliseconds by which its clock was ahead of that of Redis
   */
  public record Beat(
      String start,
      @Rare String place,
      @Rare String generation,
      @Inline State state,
      long waiting,
      @Rare String version,
      long at,
      long reply,
      long clock) {

    String text() {
      return JsonRecords.text(this);
    }

    /** The same after this change was applied. */
    Beat at(String change) {
      return new Beat(start, change, generation, state, waiting, version, at, reply, clock);
    }

    private StreamEntryID change() {
      return place.isEmpty() ? EntryHash.START : new StreamEntryID(place);
    }

    /** Milliseconds from its place to the newest change. */
    long lag(StreamEntryID newest) {
      return Math.max(0, newest.getTime() - change().getTime());
    }

    boolean isAlive(long redisMillis) {
      return redisMillis - (at - clock) - reply < ALIVE_MILLIS;
    }
  }

  /**
   * The state of a gateway, as it says itself.
   *
   * @param mode that counts; empty before the gateway has said it
   * @param rolledBack names of feeds; {@code null} before the gateway has said it
   */
  public record State(@Rare String mode, @Nullable List<String> rolledBack) {
    static final State UNKNOWN = new State("", null);
  }

  /** True for a node that is away, but not for so long that nobody waits for it. */
  boolean isAway(long nowMillis) {
    return !connected && nowMillis - beat.at() < LONG_GONE_MILLIS;
  }

  /** True for a node that was not heard of for a week: it is shown, and not counted. */
  public boolean isLongGone(long nowMillis) {
    return !connected && !isAway(nowMillis);
  }

  /** True when the node has applied this change. */
  boolean has(StreamEntryID change) {
    return beat.change().compareTo(change) >= 0;
  }
}
