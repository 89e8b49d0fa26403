package io.bloomgate.gateway.relay;

import io.bloomgate.blocklists.decision.ClientName;
import io.bloomgate.blocklists.decision.ClientName.State;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.smtp.Xtext;
import io.bloomgate.gateway.wire.ProxyHeader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The client of a session, as its mail server gets it by the PROXY protocol, or by XCLIENT or
 * XFORWARD as Postfix's XCLIENT_README and XFORWARD_README define them. Immutable; made by sessions
 * of what socket, PROXY header and XCLIENT say, used by {@link UpstreamConnector} and {@link
 * UpstreamHandshake}.
 *
 * @param port the client's, 0 when unknown
 * @param helo as the client gave it; empty before HELO
 * @param esmtp true after EHLO
 * @param destination where the client connected to
 * @param name its reverse name, awaited only where the server learns it
 */
public record ClientIdentity(
    IpAddress address,
    int port,
    String helo,
    boolean esmtp,
    IpAddress destination,
    int destinationPort,
    Supplier<ClientName> name) {

  /** Octets of one command with its CRLF. */
  static final int MAX_COMMAND_OCTETS = 512;

  /** Longer names are refused by servers that check them (RFC 1035 section 2.3.4). */
  static final int MAX_HELO_OCTETS = 255;

  /** The words of Postfix's XCLIENT_README for what is not known. */
  private static final String UNAVAILABLE = "[UNAVAILABLE]";

  private static final String TEMPORARILY_UNAVAILABLE = "[TEMPUNAVAIL]";

  private static final String NAME = "NAME";

  private static final String REVERSE_NAME = "REVERSE_NAME";

  /** One without a look-up of its name. */
  public ClientIdentity(
      IpAddress address,
      int port,
      String helo,
      boolean esmtp,
      IpAddress destination,
      int destinationPort) {
    this(address, port, helo, esmtp, destination, destinationPort, ClientNames.NOT_ASKED);
  }

  /** The other end of a socket, of which nothing else is known. */
  public static ClientIdentity peerOf(Socket socket) {
    return new ClientIdentity(
        IpAddress.of(socket.getInetAddress()),
        socket.getPort(),
        "",
        false,
        IpAddress.of(socket.getLocalAddress()),
        socket.getLocalPort());
  }

  /** The same behind another greeting. */
  public ClientIdentity greeting(String newest, boolean byEhlo) {
    return new ClientIdentity(address, port, newest, byEhlo, destination, destinationPort, name);
  }

  /** The same with the look-up of its name. */
  public ClientIdentity withName(Supplier<ClientName> asked) {
    return new ClientIdentity(address, port, helo, esmtp, destination, destinationPort, asked);
  }

  /** Returns the connection as the PROXY protocol reports it. */
  public ProxyHeader.Proxied proxied() {
    return new ProxyHeader.Proxied(address, port, destination, destinationPort);
  }

  /** The same for a server that learns no names. */
  ClientIdentity unnamed() {
    return withName(ClientNames.NOT_ASKED);
  }

  /**
   * XCLIENT commands in sending order, only with attributes that were announced. ADDR is in the
   * last one: after it the mail server may no longer allow XCLIENT on this connection.
   *
   * @return empty when ADDR was not announced, because the others are of no use without it
   */
  List<String> xclient(Set<String> announced) {
    return commands("XCLIENT", announced);
  }

  /** XFORWARD commands, only with attributes that were announced; empty without ADDR. */
  List<String> xforward(Set<String> announced) {
    return commands("XFORWARD", announced);
  }

  /**
   * True when a server that announced these learns the client's name, so the look-up is awaited.
   */
  static boolean tellName(Set<String> announced) {
    return announced.contains(NAME) || announced.contains(REVERSE_NAME);
  }

  private void putName(Map<String, String> values, Set<String> announced) {
    if (tellName(announced)) {
      ClientName found = name.get();
      String none = found.state() == State.UNKNOWN ? TEMPORARILY_UNAVAILABLE : UNAVAILABLE;
      values.put(NAME, found.state() == State.CONFIRMED ? found.name() : none);
      values.put(REVERSE_NAME, found.name().isEmpty() ? none : found.name());
    }
  }

  /** The commands of this name; a server announces only attributes that they have. */
  private List<String> commands(String verb, Set<String> announced) {
    if (!announced.contains("ADDR")) {
      return List.of();
    }
    Map<String, String> values = new LinkedHashMap<>();
    putName(values, announced);
    values.put("PROTO", protocol());
    values.put("HELO", heloValue());
    if (verb.equals("XFORWARD")) {
      values.put("SOURCE", "REMOTE");
    }
    values.put("DESTADDR", value(destination));
    values.put("DESTPORT", value(destinationPort));
    values.put("PORT", value(port));
    values.put("ADDR", value(address));
    List<String> commands = new ArrayList<>(1);
    StringBuilder command = new StringBuilder(verb);
    for (Map.Entry<String, String> value : values.entrySet()) {
      if (!announced.contains(value.getKey())) {
        continue;
      }
      String attribute = " " + value.getKey() + "=" + value.getValue();
      if (command.length() + attribute.length() + 2 > MAX_COMMAND_OCTETS) {
        commands.add(command.toString());
        command = new StringBuilder(verb);
      }
      command.append(attribute);
    }
    commands.add(command.toString());
    return commands;
  }

  private String protocol() {
    if (helo.isEmpty()) {
      return UNAVAILABLE;
    }
    return esmtp ? "ESMTP" : "SMTP";
  }

  private String heloValue() {
    if (helo.isEmpty() || helo.getBytes(StandardCharsets.UTF_8).length > MAX_HELO_OCTETS) {
      return UNAVAILABLE;
    }
    String encoded = Xtext.encode(helo);
    int roomInOneCommand = MAX_COMMAND_OCTETS - "XFORWARD HELO=".length() - 2;
    return encoded.length() > roomInOneCommand ? UNAVAILABLE : encoded;
  }

  private static String value(IpAddress address) {
    return address.isV4() ? address.toString() : "IPV6:" + address;
  }

  private static String value(int port) {
    return port == 0 ? UNAVAILABLE : Integer.toString(port);
  }
}
