/**
 * Keeps the lists current: {@link io.bloomgate.blocklists.refresh.FeedLoop} is the loop, {@code
 * RefreshRun} fetches, {@code FeedIntake} reads and judges, {@code FeedFiles} keeps the versions,
 * {@code FeedArchive} what is known of each feed (stored in {@code FeedStates}), and {@code
 * ListPublisher} builds and publishes.
 *
 * <p>Everything happens on the feed-refresher thread; commands hand their requests over to it.
 */
@NullMarked
package io.bloomgate.blocklists.refresh;

import org.jspecify.annotations.NullMarked;
