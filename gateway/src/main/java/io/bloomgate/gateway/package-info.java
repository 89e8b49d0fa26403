/**
 * The program: {@link io.bloomgate.gateway.Main} reads the command, {@link
 * io.bloomgate.gateway.Gateway} starts all parts in order, {@link io.bloomgate.gateway.LiveGateway}
 * is the gateway at work.
 *
 * <p>The composition root: {@link io.bloomgate.gateway.Platform} makes clocks, randomness and
 * threads, and every other package is given them. No other package imports this one.
 */
@NullMarked
package io.bloomgate.gateway;

import org.jspecify.annotations.NullMarked;
