package io.bloomgate.gateway.relay;

import io.bloomgate.gateway.smtp.Reply;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * One answer of a mail server to one recipient of one message, as a record in the file of {@link
 * AnswerMemory}: length, CRC-32 and body, so that a record that was cut off by a crash ends the
 * file. Immutable; pure.
 *
 * @param network of the client
 * @param place network, sender and recipient
 * @param content network, sender and content
 * @param expiresSeconds since 1970; not remembered from then on
 * @param heard true when the client got the answer: it no longer counts
 * @param reply 2xx or 5xx
 */
record RememberedAnswer(
    AnswerMemory.Key network,
    AnswerMemory.Key place,
    AnswerMemory.Key content,
    long expiresSeconds,
    boolean heard,
    Reply reply) {

  /** Characters of the text that are kept; enough to say which mailbox and why. */
  static final int MAX_TEXT = 300;

  private static final int HEAD_OCTETS = 6;

  /** With as much of the reply as is kept: one line. */
  static RememberedAnswer of(
      AnswerMemory.Key network,
      AnswerMemory.Key place,
      AnswerMemory.Key content,
      long expiresSeconds,
      Reply reply) {
    String text = reply.lines().getFirst();
    String kept = text.substring(0, Math.min(text.length(), MAX_TEXT));
    return new RememberedAnswer(
        network,
        place,
        content,
        expiresSeconds,
        false,
        Reply.of(reply.code(), reply.enhanced(), kept));
  }

  /** The same, heard by the client. */
  RememberedAnswer asHeard() {
    return new RememberedAnswer(network, place, content, expiresSeconds, true, reply);
  }

  /** The record in the file. */
  byte[] octets() {
    try {
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(body);
      for (AnswerMemory.Key key : List.of(network, place, content)) {
        out.writeLong(key.high());
        out.writeLong(key.low());
      }
      out.writeLong(expiresSeconds);
      out.writeBoolean(heard);
      out.writeShort(reply.code());
      byte[] enhanced = reply.enhanced().getBytes(StandardCharsets.US_ASCII);
      out.writeByte(enhanced.length);
      out.write(enhanced);
      out.write(reply.lines().getFirst().getBytes(StandardCharsets.US_ASCII));
      byte[] octets = body.toByteArray();
      return ByteBuffer.allocate(HEAD_OCTETS + octets.length)
          .putShort((short) octets.length)
          .putInt(checksum(octets))
          .put(octets)
          .array();
    } catch (IOException e) {
      throw new UncheckedIOException("memory does not fail", e);
    }
  }

  /** The next one of a file; empty where it ends or is damaged. */
  static Optional<RememberedAnswer> read(ByteBuffer in) {
    try {
      byte[] body = new byte[in.getShort() & 0xffff];
      int checksum = in.getInt();
      in.get(body);
      return checksum(body) == checksum
          ? Optional.of(parse(ByteBuffer.wrap(body)))
          : Optional.empty();
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static RememberedAnswer parse(ByteBuffer body) {
    AnswerMemory.Key network = new AnswerMemory.Key(body.getLong(), body.getLong());
    AnswerMemory.Key place = new AnswerMemory.Key(body.getLong(), body.getLong());
    AnswerMemory.Key content = new AnswerMemory.Key(body.getLong(), body.getLong());
    long expires = body.getLong();
    boolean heard = body.get() != 0;
    int code = body.getShort();
    byte[] enhanced = new byte[body.get()];
    body.get(enhanced);
    byte[] text = new byte[body.remaining()];
    body.get(text);
    return new RememberedAnswer(
        network,
        place,
        content,
        expires,
        heard,
        Reply.of(
            code,
            new String(enhanced, StandardCharsets.US_ASCII),
            new String(text, StandardCharsets.US_ASCII)));
  }

  private static int checksum(byte[] octets) {
    CRC32 crc = new CRC32();
    crc.update(octets);
    return (int) crc.getValue();
  }
}
