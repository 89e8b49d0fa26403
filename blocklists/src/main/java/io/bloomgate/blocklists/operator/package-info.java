/**
 * The operator's own word: durable, exact allow and block entries.
 *
 * <p>SQLite holds the entries, those of list files too, and is the truth. In front of each list
 * are, in memory, a counting filter and the networks ({@link
 * io.bloomgate.blocklists.operator.ListFront}); only after a hit is the store asked, by a point
 * query on a reader of its own, and only that exact answer counts. {@link
 * io.bloomgate.blocklists.operator.OperatorLists} changes both on the thread of the control
 * connection that asks; sessions read through {@link io.bloomgate.blocklists.operator.OperatorView}
 * without a lock.
 */
@NullMarked
package io.bloomgate.blocklists.operator;

import org.jspecify.annotations.NullMarked;
