package io.bloomgate.gateway.relay;

import java.util.Set;

/**
 * What the upstream offered in its last EHLO. Immutable.
 *
 * @param sizeOctets limit of RFC 1870; 0 for no fixed limit, -1 when SIZE is not offered
 * @param xclientAttributes names behind XCLIENT, empty when not offered
 * @param xforwardAttributes names behind XFORWARD, empty when not offered
 */
public record UpstreamExtensions(
    boolean pipelining,
    boolean eightBitMime,
    boolean smtpUtf8,
    boolean dsn,
    boolean startTls,
    long sizeOctets,
    Set<String> xclientAttributes,
    Set<String> xforwardAttributes) {

  /** Nothing offered: before the first probe, or an upstream of RFC 821. */
  public static final UpstreamExtensions NONE =
      new UpstreamExtensions(false, false, false, false, false, -1, Set.of(), Set.of());

  public UpstreamExtensions {
    xclientAttributes = Set.copyOf(xclientAttributes);
    xforwardAttributes = Set.copyOf(xforwardAttributes);
  }
}
