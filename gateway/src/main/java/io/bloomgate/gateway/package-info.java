/**
 * The program: {@link io.bloomgate.gateway.Main} reads the command, {@link
 * io.bloomgate.gateway.Gateway} starts all {@link io.bloomgate.gateway.Services} in order, {@link
 * io.bloomgate.gateway.LiveSettings} is what a reload replaces.
 *
 * <p>The composition root: {@link io.bloomgate.gateway.Platform} makes clocks, randomness and
 * threads, and every other package is given them. No other package imports this one.
 */
@NullMarked
package io.bloomgate.gateway;

import org.jspecify.annotations.NullMarked;
