/**
 * One generation of all lists: filters first, then exact indexes; immutable and searchable.
 *
 * <p>{@link io.bloomgate.blocklists.generation.SnapshotBuilder} builds and proves it, {@link
 * io.bloomgate.blocklists.generation.SnapshotStore} keeps it on disk, {@link
 * io.bloomgate.blocklists.generation.LiveSnapshot} publishes it. Sessions ask {@link
 * io.bloomgate.blocklists.generation.ListSnapshot} on their own threads; everything else happens on
 * the feed-refresher thread.
 */
@NullMarked
package io.bloomgate.blocklists.generation;

import org.jspecify.annotations.NullMarked;
