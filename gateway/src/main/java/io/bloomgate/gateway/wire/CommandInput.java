package io.bloomgate.gateway.wire;

/** What came where a command line was expected. Immutable. */
public sealed interface CommandInput {

  /** A line, without its CRLF; UTF-8 without control characters. */
  record Line(String text) implements CommandInput {}

  /** A line above {@code command_line_length}; it was skipped. */
  record TooLong() implements CommandInput {}

  /** A line that held a bare LF or CR, which RFC 5321 section 2.3.8 forbids. */
  record BareLineEnd() implements CommandInput {}

  /** A line with control characters, or that is not UTF-8. */
  record BadCharacters() implements CommandInput {}
}
