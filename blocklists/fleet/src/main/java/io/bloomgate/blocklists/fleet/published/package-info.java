/**
 * Versions of feeds that one gateway fetches for all. {@link
 * io.bloomgate.blocklists.fleet.published.Fleet} is the door: on the leader its thread writes what
 * went live into a folder ({@code Publisher}), on a follower it looks for that ({@code Follower}),
 * and the feed-refresher takes the versions from there in place of the feeds' own addresses.
 *
 * <p>What travels is the text of each version, not filters, with what the leader decided about it:
 * each node builds for itself, judges nothing again, and {@code explain} shows the same line
 * numbers everywhere.
 */
@NullMarked
package io.bloomgate.blocklists.fleet.published;

import org.jspecify.annotations.NullMarked;
