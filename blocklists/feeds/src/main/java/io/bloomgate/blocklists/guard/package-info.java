/**
 * Decides what may go live: {@link io.bloomgate.blocklists.guard.EntryGuard} judges each entry,
 * {@link io.bloomgate.blocklists.guard.FeedGuard} a version as a whole, against protected sets and
 * known-good lists.
 *
 * <p>Pure; called by the feed-refresher thread and by the command line offline.
 */
@NullMarked
package io.bloomgate.blocklists.guard;

import org.jspecify.annotations.NullMarked;
