/**
 * Keeps the lists current: {@link io.bloomgate.blocklists.refresh.FeedLoop} is the thread and its
 * queue, {@code FeedSchedule} says what is due, {@code RefreshRun} fetches, {@code FeedIntake} lets
 * {@code FeedJudge} judge and stores what comes of it, {@code FeedFiles} keeps the versions, {@code
 * FeedArchive} what is known of each feed (a row of {@code FeedStates}; what is live says the
 * manifest of the live generation), and {@code ListPublisher} builds and publishes.
 *
 * <p>Everything happens on the feed-refresher thread; commands are tasks of its queue.
 */
@NullMarked
package io.bloomgate.blocklists.refresh;

import org.jspecify.annotations.NullMarked;
