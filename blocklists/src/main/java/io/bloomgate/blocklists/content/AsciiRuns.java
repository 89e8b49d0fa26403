package io.bloomgate.blocklists.content;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;

/**
 * Turns octets of ASCII into characters by a decoder of the JDK, which takes many octets in one
 * step of the processor, as no loop in Java does. Used by {@link TextDecoder} on the thread of the
 * mail.
 */
final class AsciiRuns {

  private static final ByteBuffer NONE = ByteBuffer.wrap(Octets.NONE);

  private final CharsetDecoder decoder = US_ASCII.newDecoder();
  private final CharBuffer out;
  private byte[] source = Octets.NONE;
  private ByteBuffer in = NONE;

  /**
   * A decoder.
   *
   * @param out takes the characters
   */
  AsciiRuns(char[] out) {
    this.out = CharBuffer.wrap(out);
  }

  /**
   * Writes characters behind those that are there, up to an octet that is none of ASCII.
   *
   * @param used characters that are there; all octets have room behind them
   * @return behind the last octet that was read
   */
  @SuppressWarnings("ReferenceEquality") // most pieces come in one buffer
  int widen(byte[] octets, int from, int to, int used) {
    if (source != octets) {
      source = octets;
      in = ByteBuffer.wrap(octets);
    }
    in.limit(to).position(from);
    out.position(used);
    decoder.decode(in, out, false);
    return in.position();
  }
}
