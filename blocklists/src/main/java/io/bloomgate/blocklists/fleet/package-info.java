/**
 * Several gateways that share lists, entries of the operator and counters: generations as signed
 * files, the rest by way of a server that speaks the Redis protocol. Used by the composition of the
 * lists when {@code fleet} is set, and by the {@code fleet} and {@code filter} commands. No session
 * waits for anything here. Only {@link io.bloomgate.blocklists.fleet.RedisServer} knows the client
 * library.
 */
@NullMarked
package io.bloomgate.blocklists.fleet;

import org.jspecify.annotations.NullMarked;
