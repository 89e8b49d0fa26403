/**
 * One generation of all lists: filters in front, exact indexes behind, immutable and searchable.
 *
 * <p>A generation is made by {@link io.bloomgate.blocklists.snapshot.SnapshotBuilder}, kept on disk
 * by {@link io.bloomgate.blocklists.snapshot.SnapshotStore}, published through {@link
 * io.bloomgate.blocklists.snapshot.LiveSnapshot} and asked through {@link
 * io.bloomgate.blocklists.snapshot.ListSnapshot}. Sessions ask on their own threads; everything
 * else happens on the feed-refresher thread.
 *
 * <p>What generations are made of is kept current by {@link
 * io.bloomgate.blocklists.snapshot.FeedRefresher}: {@code FeedRun} fetches, {@code FeedIntake}
 * judges, {@code FeedStore} keeps the versions and {@code FeedBook} what is known of each feed,
 * {@code FeedBuild} builds and publishes.
 */
@NullMarked
package io.bloomgate.blocklists.snapshot;

import org.jspecify.annotations.NullMarked;
