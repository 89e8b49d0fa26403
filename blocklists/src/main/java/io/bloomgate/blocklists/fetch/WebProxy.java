package io.bloomgate.blocklists.fetch;

/**
 * A proxy that carries http and https. Immutable.
 *
 * @param host name or address literal without brackets
 * @param credentials USER:PASSWORD for Basic (RFC 7617), empty for none
 */
public record WebProxy(String host, int port, String credentials) {

  /** Without the credentials. */
  @Override
  public String toString() {
    return host + ":" + port;
  }
}
