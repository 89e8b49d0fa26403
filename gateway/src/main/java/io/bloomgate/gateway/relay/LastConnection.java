package io.bloomgate.gateway.relay;

/**
 * What was seen when a server was last connected to, for {@code doctor}. Immutable.
 *
 * @param greeting what it said first, printable; empty before that
 * @param ownAddress our end of the connection: the address that the server must believe; empty
 *     before that
 */
public record LastConnection(String greeting, String ownAddress) {

  static final LastConnection NONE = new LastConnection("", "");
}
