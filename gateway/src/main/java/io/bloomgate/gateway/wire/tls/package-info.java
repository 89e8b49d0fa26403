/**
 * TLS on a connection, to clients and to mail servers: which engine does it, the socket over it,
 * what a client's first message says, and the certificate that is chosen by it. The only package
 * that knows the native engine. Knows no session and no certificate file.
 *
 * <p>Called by session, relay, doctor and the certificate's loader, on their threads.
 */
@NullMarked
package io.bloomgate.gateway.wire.tls;

import org.jspecify.annotations.NullMarked;
