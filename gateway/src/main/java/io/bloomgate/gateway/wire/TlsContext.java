package io.bloomgate.gateway.wire;

import javax.net.ssl.SSLContext;

/**
 * Where sessions get the certificate for STARTTLS. Asked once a handshake, on the session's thread,
 * so that a renewed certificate counts from the next handshake on.
 */
@FunctionalInterface
public interface TlsContext {

  /** The context with our certificate and key. */
  SSLContext current();
}
