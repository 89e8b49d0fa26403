/**
 * Keeps the lists current: {@link io.bloomgate.blocklists.refresh.FeedRefresher} is the loop,
 * {@code FeedRun} fetches, {@code FeedIntake} reads and judges, {@code FeedStore} keeps the
 * versions, {@code FeedBook} what is known of each feed, and {@code FeedBuild} builds and
 * publishes.
 *
 * <p>Everything happens on the feed-refresher thread; commands hand their requests over to it.
 */
@NullMarked
package io.bloomgate.blocklists.refresh;

import org.jspecify.annotations.NullMarked;
