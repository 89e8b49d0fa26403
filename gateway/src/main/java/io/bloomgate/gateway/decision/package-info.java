/**
 * The pure core: facts of a transaction in, a verdict with its evidence out.
 *
 * <p>{@link io.bloomgate.gateway.decision.DecisionEngine} is a function of its arguments: no clock,
 * no I/O, no log, no thread. Sessions call it on their own threads; {@code explain} calls the same
 * code offline through {@link io.bloomgate.gateway.decision.Explainer}. Imports the JDK, settings,
 * JSON values and the lists, nothing else of the gateway.
 */
@NullMarked
package io.bloomgate.gateway.decision;

import org.jspecify.annotations.NullMarked;
