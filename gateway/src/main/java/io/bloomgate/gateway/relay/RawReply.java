package io.bloomgate.gateway.relay;

import java.util.List;

/**
 * A well-formed reply as the upstream sent it (RFC 5321 section 4.2), not yet fit for anybody's
 * eyes. Immutable.
 *
 * @param code three digits, the same on every line
 * @param lines the text behind code and separator, undecodable octets replaced; at least one
 */
record RawReply(int code, List<String> lines) {

  RawReply {
    lines = List.copyOf(lines);
  }

  /** Code and first line for logs: printable, bounded. */
  String forLog() {
    return code + " " + UpstreamReplies.excerpt(lines.getFirst());
  }
}
