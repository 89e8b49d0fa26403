/**
 * What nodes of a fleet count together: the counts, the octets in which they travel, and those that
 * wait to be sent. No network here: {@link io.bloomgate.blocklists.fleet.SharedCounts} sends and
 * receives. Sessions only add to {@link io.bloomgate.blocklists.fleet.counts.CountOutbox}; the rest
 * runs on the threads of the fleet.
 */
@NullMarked
package io.bloomgate.blocklists.fleet.counts;

import org.jspecify.annotations.NullMarked;
