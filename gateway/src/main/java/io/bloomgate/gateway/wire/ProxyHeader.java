package io.bloomgate.gateway.wire;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.Settings.Listener.ProxyProtocol;

/**
 * The header of the PROXY protocol, versions 1 and 2 (haproxy's proxy-protocol.txt), read from a
 * proxy in front of the gateway and written to a mail server. Pure. Even the octets of a trusted
 * peer are verified: lengths, families, ports and the checksum.
 */
public sealed interface ProxyHeader {

  /** The header in version 1: a line of text with CRLF. */
  byte[] v1();

  /** The header in version 2: binary. */
  byte[] v2();

  /**
   * The client of the proxy, and the address that it reached. Where only one of them is IPv4 both
   * are written as IPv6, because the header has one family for both.
   */
  record Proxied(IpAddress source, int sourcePort, IpAddress destination, int destinationPort)
      implements ProxyHeader {

    @Override
    public byte[] v1() {
      return ProxyHeaderV1.of(this);
    }

    @Override
    public byte[] v2() {
      return ProxyHeaderV2.of(this);
    }

    boolean bothV4() {
      return source.isV4() && destination.isV4();
    }
  }

  /**
   * A header without addresses. Read: UNKNOWN, LOCAL, or an address family that has no IP
   * addresses; a health check, mostly. Written: UNKNOWN in version 1, LOCAL in version 2; the
   * latter for probes.
   */
  record Unknown() implements ProxyHeader {

    @Override
    public byte[] v1() {
      return ProxyHeaderV1.unknown();
    }

    @Override
    public byte[] v2() {
      return ProxyHeaderV2.local();
    }
  }

  /** The progress of the reading. */
  sealed interface Progress {
    /** The header is not complete: at least one more octet is needed. */
    record NeedMore() implements Progress {}

    /** A header; {@code octets} is its whole length. */
    record Done(ProxyHeader header, int octets) implements Progress {}

    /** The octets are no header; {@code reason} holds nothing of them. */
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
      return ProxyHeaderV1.parse(octets, offset, length);
    }
    if (first == '\r' && accepted.acceptsV2()) {
      return ProxyHeaderV2.parse(octets, offset, length);
    }
    return new Progress.Bad("no PROXY header of an accepted version");
  }
}
