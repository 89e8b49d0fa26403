package io.bloomgate.gateway.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.Settings.Listener.ProxyProtocol;
import java.util.Optional;

/**
 * The header of the PROXY protocol, versions 1 and 2 (haproxy's proxy-protocol.txt). Pure: octets
 * in, a header or the reason why not out. The octets are those of a trusted peer, and still nothing
 * is taken on faith: lengths, families, ports and the checksum are verified.
 */
public sealed interface ProxyHeaderReader {

  /** The connection that the proxy speaks for. */
  record Proxied(IpAddress source, int sourcePort, IpAddress destination, int destinationPort)
      implements ProxyHeaderReader {}

  /** UNKNOWN, LOCAL, or an address family that has no IP addresses: a health check, mostly. */
  record Unknown() implements ProxyHeaderReader {}

  /** How far the reading came. */
  sealed interface Progress {
    /** At least one more octet is needed. */
    record NeedMore() implements Progress {}

    /** A header; {@code octets} is its whole length. */
    record Done(ProxyHeaderReader header, int octets) implements Progress {}

    /** Not a header; {@code reason} holds nothing of the octets. */
    record Bad(String reason) implements Progress {}
  }

  /**
   * Reads a header at the start of these octets.
   *
   * @param accepted the versions that the listener takes
   */
  static Progress parse(byte[] octets, int offset, int length, ProxyProtocol accepted) {
    if (length == 0) {
      return new Progress.NeedMore();
    }
    byte first = octets[offset];
    if (first == 'P' && accepted.acceptsV1()) {
      return V1.parse(octets, offset, length);
    }
    if (first == '\r' && accepted.acceptsV2()) {
      return ProxyHeaderV2.parse(octets, offset, length);
    }
    return new Progress.Bad("no PROXY header of an accepted version");
  }

  /** Version 1: one line of text. */
  final class V1 {
    /** With CRLF; the longest line that the document allows, section 2.1. */
    private static final int MAX_OCTETS = 107;

    private static final byte[] PREFIX = "PROXY ".getBytes(ISO_8859_1);

    private V1() {}

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

    private static Optional<ProxyHeaderReader> proxied(String[] words, boolean six) {
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
      boolean digits = !text.isEmpty() && text.length() <= 5;
      for (int i = 0; i < text.length(); i++) {
        digits &= text.charAt(i) >= '0' && text.charAt(i) <= '9';
      }
      if (!digits || (text.length() > 1 && text.charAt(0) == '0')) {
        return -1;
      }
      int port = Integer.parseInt(text);
      return port <= 0xffff ? port : -1;
    }
  }
}
