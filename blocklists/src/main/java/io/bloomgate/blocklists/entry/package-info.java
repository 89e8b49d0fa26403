/**
 * What a feed can list ({@link io.bloomgate.blocklists.entry.ListEntry}), what a mail can ask for
 * ({@link io.bloomgate.blocklists.entry.ListKey}), and the hash by which both meet in a filter.
 *
 * <p>All packages of blocklists and the gateway may call. Immutable and pure, for any thread.
 */
@NullMarked
package io.bloomgate.blocklists.entry;

import org.jspecify.annotations.NullMarked;
