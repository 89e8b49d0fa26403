/**
 * The exact truth behind the filters: which entries of which feeds cover a key.
 *
 * <p>{@link io.bloomgate.blocklists.index.NetworkIndex} answers for addresses, {@link
 * io.bloomgate.blocklists.index.NameIndex} for names and mail addresses. Both are files, mapped
 * read-only, built once and never changed. Read by sessions on any thread, only after a filter hit;
 * built by the snapshot builder on the feed-refresher thread. Only this package can make a {@link
 * io.bloomgate.blocklists.index.Listing}.
 */
@NullMarked
package io.bloomgate.blocklists.index;

import org.jspecify.annotations.NullMarked;
