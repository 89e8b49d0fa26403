package io.bloomgate.gateway.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.wire.ProxyHeader.Progress;
import io.bloomgate.gateway.wire.ProxyHeader.Proxied;
import io.bloomgate.gateway.wire.ProxyHeader.Unknown;
import java.util.Optional;

/** Version 1 of the PROXY header: one line of text, section 2.1 of proxy-protocol.txt. Pure. */
final class ProxyHeaderV1 {

  /** The longest line that the document allows, with CRLF. */
  private static final int MAX_OCTETS = 107;

  private static final byte[] PREFIX = "PROXY ".getBytes(ISO_8859_1);

  private ProxyHeaderV1() {}

  // ---- written

  static byte[] of(Proxied header) {
    boolean v4 = header.bothV4();
    String line =
        (v4 ? "PROXY TCP4 " : "PROXY TCP6 ")
            + text(header.source(), v4)
            + ' '
            + text(header.destination(), v4)
            + ' '
            + header.sourcePort()
            + ' '
            + header.destinationPort()
            + "\r\n";
    return line.getBytes(ISO_8859_1);
  }

  static byte[] unknown() {
    return "PROXY UNKNOWN\r\n".getBytes(ISO_8859_1);
  }

  private static String text(IpAddress address, boolean v4) {
    return v4 || !address.isV4() ? address.toString() : "::ffff:" + address;
  }

  // ---- read

  static Progress parse(byte[] octets, int offset, int length) {
    for (int i = 0; i < Math.min(length, PREFIX.length); i++) {
      if (octets[offset + i] != PREFIX[i]) {
        return new Progress.Bad("not a PROXY line");
      }
    }
    int end = Math.min(length, MAX_OCTETS);
    for (int i = 1; i < end; i++) {
      if (octets[offset + i] == '\n') {
        return octets[offset + i - 1] == '\r'
            ? line(new String(octets, offset, i - 1, ISO_8859_1), i + 1)
            : new Progress.Bad("PROXY line without CR");
      }
    }
    return length < MAX_OCTETS
        ? new Progress.NeedMore()
        : new Progress.Bad("PROXY line longer than 107 octets");
  }

  private static Progress line(String line, int octets) {
    String[] words = line.split(" ", -1);
    if (words.length >= 2 && words[1].equals("UNKNOWN")) {
      return new Progress.Done(new Unknown(), octets);
    }
    boolean four = words.length == 6 && words[1].equals("TCP4");
    boolean six = words.length == 6 && words[1].equals("TCP6");
    if (!four && !six) {
      return new Progress.Bad("PROXY line of no known family");
    }
    return proxied(words, six)
        .<Progress>map(header -> new Progress.Done(header, octets))
        .orElseGet(() -> new Progress.Bad("PROXY line with a malformed address or port"));
  }

  private static Optional<ProxyHeader> proxied(String[] words, boolean six) {
    Optional<IpAddress> source = address(words[2], six);
    Optional<IpAddress> destination = address(words[3], six);
    int sourcePort = port(words[4]);
    int destinationPort = port(words[5]);
    if (source.isEmpty() || destination.isEmpty() || sourcePort < 0 || destinationPort < 0) {
      return Optional.empty();
    }
    return Optional.of(new Proxied(source.get(), sourcePort, destination.get(), destinationPort));
  }

  private static Optional<IpAddress> address(String text, boolean six) {
    return text.indexOf(':') >= 0 == six ? IpAddress.parse(text).toOptional() : Optional.empty();
  }

  private static int port(String text) {
    int port = text.matches("0|[1-9][0-9]{0,4}") ? Integer.parseInt(text) : -1;
    return port <= 0xffff ? port : -1;
  }
}
