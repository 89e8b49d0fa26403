package io.bloomgate.blocklists.content;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * Undoes the encodings of mail for octets that are at hand, as {@link MimeWalk} does for those that
 * pass. Used by sessions that look for an incident id in a message; pure, any thread, linear time.
 */
public final class MailDecoding {

  private MailDecoding() {}

  /** The octets of Base64 (RFC 2045 section 6.8), of which what is none is passed over. */
  public static byte[] base64(byte[] encoded) {
    return all(new Base64Octets(new ByteArrayInputStream(encoded), () -> {}));
  }

  /** The octets of quoted-printable (RFC 2045 section 6.7), of which what is none stays. */
  public static byte[] quotedPrintable(byte[] encoded) {
    return all(new QuotedOctets(new ByteArrayInputStream(encoded), () -> {}));
  }

  /** The text of a field as it is shown, its encoded words decoded (RFC 2047). */
  public static String words(String field) {
    return EncodedWords.decoded(field);
  }

  private static byte[] all(InputStream octets) {
    try (octets) {
      return octets.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
