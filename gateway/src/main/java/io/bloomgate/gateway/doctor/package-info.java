/**
 * {@code bloomgate doctor}: examines the running gateway, its listeners, its mail servers and its
 * feeds, and says what to fix. Changes nothing and delivers nothing.
 *
 * <p>Called by the control server, each check on its own thread.
 */
@NullMarked
package io.bloomgate.gateway.doctor;

import org.jspecify.annotations.NullMarked;
