package io.bloomgate.config.settings;

/** TCP host, a name or an address without brackets, and port. */
public record HostPort(String host, int port) {
  @Override
  public String toString() {
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
  }
}
