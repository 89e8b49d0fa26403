package io.bloomgate.blocklists.content;

/**
 * Counts the separators of a structured header field while it passes, whatever its length. What is
 * in quotes or comments separates nothing, unless the quote or comment never ends: then readers
 * differ, and every separator counts. Used by {@link HeaderReader}.
 */
final class FieldCount {

  private byte separator;
  private int plain;
  private int all;
  private int comments;
  private boolean quoted;
  private boolean escaped;

  /**
   * Begins a field.
   *
   * @param by a comma or a semicolon; 0 for a field in which nothing is counted
   */
  void start(byte by) {
    separator = by;
    plain = 0;
    all = 0;
    comments = 0;
    quoted = false;
    escaped = false;
  }

  /** Takes the next octets of its body. */
  void put(byte[] octets, int from, int to) {
    for (int i = from; i < to && separator != 0; i++) {
      byte octet = octets[i];
      if (octet > ';' && octet != '\\' && !escaped) {
        continue; // letters, as most
      }
      if (octet == separator) {
        all++;
      }
      if (escaped) {
        escaped = false;
      } else if (octet == '\\') {
        escaped = quoted || comments > 0;
      } else if (octet == '"') {
        quoted ^= comments == 0;
      } else if (!quoted) {
        if (octet == '(') {
          comments++;
        } else if (octet == ')') {
          comments = Math.max(0, comments - 1);
        } else if (octet == separator && comments == 0) {
          plain++;
        }
      }
    }
  }

  /** Separators that count so far. */
  int soFar() {
    return plain;
  }

  /** Separators of the whole field. */
  int end() {
    return quoted || comments > 0 ? all : plain;
  }
}
