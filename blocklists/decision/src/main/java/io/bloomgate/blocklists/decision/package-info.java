/**
 * The decision: facts of a transaction in, a verdict with its evidence out.
 *
 * <p>{@link io.bloomgate.blocklists.decision.Gather} asks snapshot and operator store about the
 * facts; {@link io.bloomgate.blocklists.decision.DecisionEngine} decides by the answers and is a
 * function of its arguments: no clock, no I/O, no log, no thread. Sessions call both on their own
 * threads, {@code explain} calls the same code.
 */
@NullMarked
package io.bloomgate.blocklists.decision;

import org.jspecify.annotations.NullMarked;
