package io.bloomgate.gateway.relay;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.smtp.Xtext;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The commands by which a mail server learns who the client is: XCLIENT and XFORWARD, as Postfix's
 * XCLIENT_README and XFORWARD_README define them. Pure; used by {@link UpstreamHandshake} and
 * {@link UpstreamDialog}.
 */
final class ClientAttributes {

  /** Octets of one command with its CRLF. */
  static final int MAX_COMMAND_OCTETS = 512;

  /** Longer names are refused by servers that check them (RFC 1035 section 2.3.4). */
  static final int MAX_HELO_OCTETS = 255;

  private static final String UNAVAILABLE = ReverseName.UNAVAILABLE;

  private static final String NAME = "NAME";

  private static final String REVERSE_NAME = "REVERSE_NAME";

  private ClientAttributes() {}

  /**
   * XCLIENT commands in sending order, only with attributes that were announced. ADDR is in the
   * last one: after it the mail server may no longer allow XCLIENT on this connection.
   *
   * @return empty when ADDR was not announced, because the others are of no use without it
   */
  static List<String> xclient(ClientIdentity client, Set<String> announced) {
    Map<String, String> values = new LinkedHashMap<>();
    putName(values, client, announced);
    values.put("PROTO", protocol(client));
    values.put("HELO", helo(client));
    values.put("DESTADDR", address(client.destination()));
    values.put("DESTPORT", port(client.destinationPort()));
    values.put("PORT", port(client.port()));
    values.put("ADDR", address(client.address()));
    return commands("XCLIENT", values, announced);
  }

  /** XFORWARD commands, only with attributes that were announced; empty without ADDR. */
  static List<String> xforward(ClientIdentity client, Set<String> announced) {
    Map<String, String> values = new LinkedHashMap<>();
    putName(values, client, announced);
    values.put("PROTO", protocol(client));
    values.put("HELO", helo(client));
    values.put("SOURCE", "REMOTE");
    values.put("PORT", port(client.port()));
    values.put("ADDR", address(client.address()));
    return commands("XFORWARD", values, announced);
  }

  /**
   * True when a server that announced these learns the client's name, so the look-up is awaited.
   */
  static boolean tellName(Set<String> announced) {
    return announced.contains(NAME) || announced.contains(REVERSE_NAME);
  }

  private static void putName(
      Map<String, String> values, ClientIdentity client, Set<String> announced) {
    if (tellName(announced)) {
      ReverseName name = client.name().await();
      values.put(NAME, name.nameValue());
      values.put(REVERSE_NAME, name.reverseNameValue());
    }
  }

  private static List<String> commands(
      String verb, Map<String, String> values, Set<String> announced) {
    if (!announced.contains("ADDR")) {
      return List.of();
    }
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

  private static String protocol(ClientIdentity client) {
    if (client.helo().isEmpty()) {
      return UNAVAILABLE;
    }
    return client.esmtp() ? "ESMTP" : "SMTP";
  }

  private static String helo(ClientIdentity client) {
    String helo = client.helo();
    if (helo.isEmpty() || helo.getBytes(StandardCharsets.UTF_8).length > MAX_HELO_OCTETS) {
      return UNAVAILABLE;
    }
    String encoded = Xtext.encode(helo);
    int roomInOneCommand = MAX_COMMAND_OCTETS - "XFORWARD HELO=".length() - 2;
    return encoded.length() > roomInOneCommand ? UNAVAILABLE : encoded;
  }

  private static String address(IpAddress address) {
    return address.isV4() ? address.toString() : "IPV6:" + address;
  }

  private static String port(int port) {
    return port == 0 ? UNAVAILABLE : Integer.toString(port);
  }
}
