/**
 * TLS of connections below the dialog: what a client's first message says, and the certificate that
 * is chosen by it.
 */
@NullMarked
package io.bloomgate.gateway.wire.tls;

import org.jspecify.annotations.NullMarked;
