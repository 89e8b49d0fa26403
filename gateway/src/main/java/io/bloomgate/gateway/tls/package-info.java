/**
 * The gateway's own certificate: read from the administrator's PEM files or made here, and
 * exchanged when it is renewed. Of other packages it imports PEM, durable files and the choice of a
 * certificate only.
 */
@NullMarked
package io.bloomgate.gateway.tls;

import org.jspecify.annotations.NullMarked;
