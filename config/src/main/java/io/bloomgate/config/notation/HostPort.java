package io.bloomgate.config.notation;

import io.bloomgate.config.name.IpAddress;

/** TCP host, a name or an address without brackets, and port. */
public record HostPort(String host, int port) {

  private static final int DNS_PORT = 53;

  /**
   * Reads the address of a name server, whose port may be left out.
   *
   * @throws BadValueException when that is no address
   */
  public static HostPort nameServer(String text) throws BadValueException {
    if (IpAddress.parse(text).toOptional().isPresent()) {
      return new HostPort(text, DNS_PORT);
    }
    boolean withPort = text.startsWith("[") || text.indexOf(':') == text.lastIndexOf(':');
    if (text.indexOf(':') < 0 || !withPort) {
      throw noNameServer(text);
    }
    HostPort server = Values.hostPort().read(text);
    if (IpAddress.parse(server.host()).toOptional().isEmpty()) {
      throw noNameServer(text);
    }
    return server;
  }

  private static BadValueException noNameServer(String text) {
    return BadValueException.of(
        text,
        "is not the address of a name server",
        "write an address, for example 127.0.0.1 or \"[::1]:53\"");
  }

  @Override
  public String toString() {
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
  }
}
