package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.fetch.FetchResult.Acceptance;
import io.bloomgate.blocklists.format.FeedContent;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A version of a feed that is live on this gateway: what a leader publishes. Immutable; made by the
 * feed-refresher, read on the fleet's thread.
 *
 * @param number that the gateway gave the version
 * @param checked when it was last found to be the feed's own
 * @param accepted who let it through, {@code null} where the guard did
 * @param content its octets, proven by their digest when asked for; empty when they are lost
 * @param held file of {@link io.bloomgate.blocklists.guard.EntryKeys} that are not live, as they
 *     list good senders; empty for none
 */
public record LiveVersion(
    String feed,
    long number,
    Instant checked,
    @Nullable Acceptance accepted,
    Supplier<Optional<FeedContent>> content,
    Optional<Path> held) {}
