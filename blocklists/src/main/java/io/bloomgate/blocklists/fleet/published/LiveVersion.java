package io.bloomgate.blocklists.fleet.published;

import io.bloomgate.blocklists.fetch.FetchResult.Acceptance;
import io.bloomgate.blocklists.format.FeedContent;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A version of a feed that is live on this gateway: what a leader publishes. Immutable; made by the
 * feed-refresher's package, read on the fleet's thread.
 *
 * @param number that the gateway gave the version
 * @param entries that it lists
 * @param fetched when
 * @param checked when it was last found to be the feed's own
 * @param accepted who let it through, {@code null} where the guard did
 * @param content its octets, proven by their digest when asked for; empty when they are lost
 */
public record LiveVersion(
    String feed,
    long number,
    long entries,
    Instant fetched,
    Instant checked,
    @Nullable Acceptance accepted,
    Supplier<Optional<FeedContent>> content) {}
