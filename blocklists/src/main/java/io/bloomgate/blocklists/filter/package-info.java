/**
 * Bloom filters: sizing, building, asking, and their file format.
 *
 * <p>Filters are immutable once built and asked on any thread; built on the feed-refresher thread.
 */
@NullMarked
package io.bloomgate.blocklists.filter;

import org.jspecify.annotations.NullMarked;
