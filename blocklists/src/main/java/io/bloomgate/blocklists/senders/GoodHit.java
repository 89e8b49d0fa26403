package io.bloomgate.blocklists.senders;

import io.bloomgate.config.json.JsonRecords.Rare;
import java.time.Instant;

/**
 * A client network that an entry of a feed would hit. Immutable; kept by {@link Breaker}.
 *
 * @param network /24 or /48 of known senders, or the network of a mail provider that is named
 * @param entry canonical text
 * @param line of the feed
 * @param at when the entry was new
 * @param held whether the entry is held back
 * @param quiet no reason for an alarm: {@code never_block} ignores the entry anyway, or it came
 *     with the first version, which nobody can accept or refuse any more
 * @param gone whether the version that was judged last does not have the entry: it counts on
 */
public record GoodHit(
    String network,
    String entry,
    int line,
    Instant at,
    boolean held,
    boolean quiet,
    @Rare boolean gone) {

  GoodHit held(boolean now) {
    return now == held ? this : new GoodHit(network, entry, line, at, now, quiet, gone);
  }

  GoodHit gone(boolean now) {
    return now == gone ? this : new GoodHit(network, entry, line, at, held, quiet, now);
  }
}
