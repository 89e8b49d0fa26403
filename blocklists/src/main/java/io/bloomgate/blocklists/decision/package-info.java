/**
 * The pure core: facts of a transaction in, a verdict with its evidence out.
 *
 * <p>{@link io.bloomgate.blocklists.decision.DecisionEngine} is a function of its arguments: no
 * clock, no I/O, no log, no thread. Sessions call it on their own threads, {@code explain} calls
 * the same code.
 */
@NullMarked
package io.bloomgate.blocklists.decision;

import org.jspecify.annotations.NullMarked;
