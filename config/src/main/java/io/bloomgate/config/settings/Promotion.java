package io.bloomgate.config.settings;

import java.time.Duration;

/**
 * The record that a feed needs before {@code feeds promote} lets it act more strongly: the section
 * {@code feeds.promotion}. Immutable.
 *
 * @param observe how long it listed mail before it may tag
 * @param sessions that the gateway saw in this time
 * @param goodNetwork sessions with accepted mail that make a network a good one
 * @param reject how long it tagged mail before it may reject
 * @param maxAcceptedHits listed sessions with accepted mail, of {@link #ACCEPTED_SESSIONS}
 * @param stepBack for how long an allow entry against the feed counts
 */
public record Promotion(
    Duration observe,
    int sessions,
    int goodNetwork,
    Duration reject,
    int maxAcceptedHits,
    Duration stepBack) {

  /** Sessions with accepted mail that {@code maxAcceptedHits} is a part of. */
  public static final int ACCEPTED_SESSIONS = 100_000;
}
