package io.bloomgate.blocklists.workbench.foreign;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Pieces of a dump in the Redis protocol (RESP 2): arrays of integers and bulk strings. Reads both
 * replies, {@code [iterator, data]}, and commands, {@code [BF.LOADCHUNK, key, iterator, data]}.
 * Used by {@link RedisBloomFilter}.
 */
final class RespPieces {

  private static final String COMMAND = "BF.LOADCHUNK";

  /** Digits of a length. */
  private static final int MAX_NUMBER = 20;

  private RespPieces() {}

  /**
   * One piece.
   *
   * @param iterator place behind the data, counted from 1; 1 for the header
   */
  @SuppressWarnings("ArrayRecordComponent") // read once, compared never
  record Piece(long iterator, byte[] data) {}

  /** All pieces of a file. */
  static List<Piece> read(ByteBuffer in) throws BadForeignFileException {
    List<Piece> pieces = new ArrayList<>();
    while (in.hasRemaining()) {
      long elements = number(in, '*');
      if (elements == 4) {
        String command = new String(bulk(in), UTF_8);
        if (!command.equalsIgnoreCase(COMMAND)) {
          throw new BadForeignFileException("holds another command than " + COMMAND);
        }
        bulk(in);
      } else if (elements != 2) {
        throw new BadForeignFileException("holds an array that is no piece of a dump");
      }
      pieces.add(new Piece(iterator(in), bulk(in)));
    }
    return pieces;
  }

  private static long iterator(ByteBuffer in) throws BadForeignFileException {
    if (in.hasRemaining() && in.get(in.position()) == ':') {
      return number(in, ':');
    }
    byte[] digits = bulk(in);
    try {
      return Long.parseLong(new String(digits, UTF_8));
    } catch (NumberFormatException e) {
      throw new BadForeignFileException("has an iterator that is no number");
    }
  }

  private static byte[] bulk(ByteBuffer in) throws BadForeignFileException {
    long length = number(in, '$');
    if (length < 0) {
      return new byte[0];
    }
    if (length > in.remaining() - 2) {
      throw new BadForeignFileException("ends in the middle of a piece");
    }
    byte[] octets = new byte[(int) length];
    in.get(octets);
    if (in.get() != '\r' || in.get() != '\n') {
      throw new BadForeignFileException("has a piece that is longer than it says");
    }
    return octets;
  }

  /** A type's mark, a number, CR LF. */
  private static long number(ByteBuffer in, char mark) throws BadForeignFileException {
    if (!in.hasRemaining() || in.get() != mark) {
      throw new BadForeignFileException(
          "is not in the protocol of Redis at octet " + in.position());
    }
    StringBuilder digits = new StringBuilder();
    while (in.hasRemaining() && digits.length() < MAX_NUMBER) {
      char c = (char) (in.get() & 0xff);
      if (c == '\r' && in.hasRemaining() && in.get() == '\n') {
        try {
          return Long.parseLong(digits.toString());
        } catch (NumberFormatException e) {
          break;
        }
      }
      digits.append(c);
    }
    throw new BadForeignFileException("has a length that is no number");
  }

  /** Writes a command. */
  static void command(ByteArrayOutputStream out, String key, long iterator, byte[] data) {
    out.writeBytes("*4\r\n".getBytes(UTF_8));
    bulk(out, COMMAND.getBytes(UTF_8));
    bulk(out, key.getBytes(UTF_8));
    bulk(out, Long.toString(iterator).getBytes(UTF_8));
    bulk(out, data);
  }

  private static void bulk(ByteArrayOutputStream out, byte[] octets) {
    out.writeBytes(("$" + octets.length + "\r\n").getBytes(UTF_8));
    out.writeBytes(octets);
    out.writeBytes("\r\n".getBytes(UTF_8));
  }
}
