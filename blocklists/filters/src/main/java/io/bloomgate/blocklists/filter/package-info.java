/**
 * The filters that mail passes through: split-block, and the counting filter in front of the
 * operator's rows; their sizes, and the file of a filter.
 *
 * <p>Built on the refresher's thread; asked on any thread. All but the counting filter are
 * immutable once built.
 */
@NullMarked
package io.bloomgate.blocklists.filter;

import org.jspecify.annotations.NullMarked;
