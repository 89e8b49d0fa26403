/**
 * {@code bloomgate demo}: a real gateway with sample feeds, a mail sink behind it and twenty mails
 * through it, all on the loopback interface.
 *
 * <p>Called by {@link io.bloomgate.gateway.Main}, which also hands in how to start a gateway; runs
 * on the main thread, the sink on threads of its own.
 */
@NullMarked
package io.bloomgate.gateway.demo;

import org.jspecify.annotations.NullMarked;
