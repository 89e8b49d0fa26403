package io.bloomgate.blocklists;

import io.bloomgate.blocklists.refresh.FeedAge;
import io.bloomgate.blocklists.refresh.FeedState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the metrics show of one feed; nothing is read from disk for it. Immutable.
 *
 * @param entries that are live, exceptions not counted
 * @param lastSuccess last successful check, {@code null} for never
 * @param lastChange when new content last went live, {@code null} for never
 * @param lastAttempt last try to fetch it, {@code null} for never
 * @param failures tries in a row without success
 * @param breakerHolds true while the breaker holds entries of it back
 */
public record FeedFigures(
    String name,
    FeedState state,
    FeedAge age,
    long entries,
    @Nullable Instant lastSuccess,
    @Nullable Instant lastChange,
    @Nullable Instant lastAttempt,
    int failures,
    boolean breakerHolds) {}
