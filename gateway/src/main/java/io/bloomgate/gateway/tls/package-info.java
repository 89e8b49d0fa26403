/**
 * The gateway's own certificate: read from the administrator's PEM files or made here, and
 * exchanged when it is renewed. Imports JDK only.
 */
@NullMarked
package io.bloomgate.gateway.tls;

import org.jspecify.annotations.NullMarked;
