/**
 * The program: {@link io.bloomgate.gateway.Main} reads the command, {@link
 * io.bloomgate.gateway.Gateway} puts all parts together and runs them.
 *
 * <p>The only place where clocks, randomness, threads and sockets are made; every other package is
 * given them.
 */
@NullMarked
package io.bloomgate.gateway;

import org.jspecify.annotations.NullMarked;
