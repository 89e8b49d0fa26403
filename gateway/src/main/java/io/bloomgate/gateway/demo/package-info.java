/**
 * {@code bloomgate demo}: a real gateway with sample feeds, a small mail server behind it, and
 * twenty mails through both, all on the loopback interface.
 *
 * <p>Called by {@link io.bloomgate.gateway.Main}, which also hands in how to start a gateway; runs
 * on the main thread, the mail server on other threads.
 */
@NullMarked
package io.bloomgate.gateway.demo;

import org.jspecify.annotations.NullMarked;
