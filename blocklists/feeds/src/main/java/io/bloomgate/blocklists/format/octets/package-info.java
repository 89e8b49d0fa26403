/**
 * The octets of a feed's version: unpacked, counted and bounded while they are read.
 *
 * <p>Every bound on feeds is in {@link io.bloomgate.blocklists.format.octets.FeedLimits}. Only this
 * package sees the compression libraries. Called by fetch and format, on their threads.
 */
@NullMarked
package io.bloomgate.blocklists.format.octets;

import org.jspecify.annotations.NullMarked;
