/**
 * One generation of all lists: filters in front, exact indexes behind, immutable and searchable.
 *
 * <p>A generation is made by {@link io.bloomgate.blocklists.snapshot.SnapshotBuilder}, kept on disk
 * by {@link io.bloomgate.blocklists.snapshot.SnapshotStore}, published through {@link
 * io.bloomgate.blocklists.snapshot.LiveSnapshot} and asked through {@link
 * io.bloomgate.blocklists.snapshot.ListSnapshot}. Sessions ask on their own threads; everything
 * else happens on the feed-refresher thread.
 */
@NullMarked
package io.bloomgate.blocklists.snapshot;

import org.jspecify.annotations.NullMarked;
