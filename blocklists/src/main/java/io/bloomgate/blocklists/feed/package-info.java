/**
 * From a feed's bytes to entries: fetch, decompress, parse, guard.
 *
 * <p>Called by the feed-refresher thread and its short-lived fetch threads, and by the command line
 * offline. Parsers and guards are pure.
 */
@NullMarked
package io.bloomgate.blocklists.feed;

import org.jspecify.annotations.NullMarked;
