/**
 * Several gateways that share lists, entries of the operator and counters: generations as signed
 * files, the rest by way of a server that speaks the Redis protocol. Used by the composition of the
 * lists when {@code fleet} is set, and by the {@code fleet} and {@code filter} commands. Sessions
 * wait here 50 ms at most, for {@link io.bloomgate.blocklists.fleet.SharedCounts}.
 */
@NullMarked
package io.bloomgate.blocklists.fleet;

import org.jspecify.annotations.NullMarked;
