/**
 * The operator's allow and block entries: durable and exact.
 *
 * <p>SQLite holds the entries, those of list files too, and is the truth. In front of each list
 * are, in memory, a counting filter over all subjects and the lengths of the networks ({@link
 * io.bloomgate.blocklists.operator.ListFront}); only after a hit is the store asked, by a point
 * query, and only that exact answer counts. {@link io.bloomgate.blocklists.operator.OperatorLists}
 * changes both on the thread of the control connection that asks; sessions read through {@link
 * io.bloomgate.blocklists.operator.OperatorView} without a lock.
 */
@NullMarked
package io.bloomgate.blocklists.operator;

import org.jspecify.annotations.NullMarked;
