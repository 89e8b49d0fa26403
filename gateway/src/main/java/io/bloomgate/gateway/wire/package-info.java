/**
 * Connections in octets: lines and content of clients, PROXY headers read and written, TLS records,
 * and the socket that keeps the deadline of each read and write, to clients and to mail servers.
 * Knows no session.
 *
 * <p>Called by session, relay and doctor on a session's thread; housekeeping ends overdue waits.
 */
@NullMarked
package io.bloomgate.gateway.wire;

import org.jspecify.annotations.NullMarked;
