/**
 * The connection to a client in octets: lines, content, PROXY protocol, TLS records, and the
 * deadlines of each read and write. Knows no session.
 *
 * <p>Called on a session's thread; the watchdog closes sockets whose deadline has passed.
 */
@NullMarked
package io.bloomgate.gateway.wire;

import org.jspecify.annotations.NullMarked;
