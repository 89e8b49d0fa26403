/**
 * The operator's own word: durable, exact allow and block entries.
 *
 * <p>{@link io.bloomgate.blocklists.operator.OperatorLists} writes them to SQLite on the thread of
 * the control connection that asks; after each commit, and whenever a list file changes, it
 * publishes an immutable {@link io.bloomgate.blocklists.operator.OperatorView}. Sessions read only
 * the view.
 */
@NullMarked
package io.bloomgate.blocklists.operator;

import org.jspecify.annotations.NullMarked;
