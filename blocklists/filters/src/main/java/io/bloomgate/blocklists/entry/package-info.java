/**
 * The entries that a feed can list ({@link io.bloomgate.blocklists.entry.ListEntry}) and the hash
 * by which an entry and a key that is asked meet in a filter.
 *
 * <p>All packages of blocklists and the gateway may call. Immutable and pure, for any thread.
 */
@NullMarked
package io.bloomgate.blocklists.entry;

import org.jspecify.annotations.NullMarked;
