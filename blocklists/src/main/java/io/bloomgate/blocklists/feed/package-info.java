/**
 * From a feed's bytes to entries: fetch, decompress, parse, guard.
 *
 * <p>{@link io.bloomgate.blocklists.feed.FeedSources} fetches a version to disk, {@link
 * io.bloomgate.blocklists.feed.FeedFormat} reads it entry by entry, {@link
 * io.bloomgate.blocklists.feed.FeedGuard} judges it as a whole and {@link
 * io.bloomgate.blocklists.feed.EntryGuard} each entry; {@link
 * io.bloomgate.blocklists.feed.FeedTest} does all of it for {@code feeds test}. Every bound stands
 * in {@link io.bloomgate.blocklists.feed.FeedLimits}.
 *
 * <p>Called by the feed-refresher thread and its short-lived fetch threads, and by the command line
 * offline. Parsers and guards are pure.
 */
@NullMarked
package io.bloomgate.blocklists.feed;

import org.jspecify.annotations.NullMarked;
