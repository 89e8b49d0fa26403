package io.bloomgate.config.pem;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * Writes as much of DER (ITU-T X.690) as a certificate of ours and a key's wrapping take. Pure;
 * used by the gateway for a certificate that it makes, and by {@link PrivateKeys}.
 */
public final class Der {

  static final int INTEGER = 0x02;
  public static final int BIT_STRING = 0x03;
  public static final int OCTET_STRING = 0x04;
  static final int OID = 0x06;
  static final int SEQUENCE = 0x30;

  /** Tag of the context, number n, that wraps another value. */
  public static final int EXPLICIT = 0xA0;

  /** Tag of the context, number n, in place of a plain value's own. */
  public static final int IMPLICIT = 0x80;

  private static final int UTC_TIME = 0x17;
  private static final int GENERALIZED_TIME = 0x18;

  /** The first year that has four digits (RFC 5280 section 4.1.2.5). */
  private static final int FIRST_LONG_YEAR = 2050;

  private static final DateTimeFormatter SHORT_TIME =
      DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter LONG_TIME =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

  private Der() {}

  public static byte[] value(int tag, byte[]... parts) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      content.writeBytes(part);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(tag);
    writeLength(out, content.size());
    out.writeBytes(content.toByteArray());
    return out.toByteArray();
  }

  public static byte[] sequence(byte[]... parts) {
    return value(SEQUENCE, parts);
  }

  public static byte[] integer(BigInteger number) {
    return value(INTEGER, number.toByteArray());
  }

  public static byte[] integer(int number) {
    return integer(BigInteger.valueOf(number));
  }

  public static byte[] bits(byte[] octets) {
    return value(BIT_STRING, new byte[] {0}, octets);
  }

  public static byte[] ascii(int tag, String text) {
    return value(tag, text.getBytes(StandardCharsets.US_ASCII));
  }

  /** An object identifier in dotted form. */
  public static byte[] oid(String dotted) {
    String[] arcs = dotted.split("\\.", -1);
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    content.write(40 * Integer.parseInt(arcs[0]) + Integer.parseInt(arcs[1]));
    for (int i = 2; i < arcs.length; i++) {
      writeArc(content, Integer.parseInt(arcs[i]));
    }
    return value(OID, content.toByteArray());
  }

  public static byte[] time(Instant time) {
    boolean longYear = time.atZone(ZoneOffset.UTC).getYear() >= FIRST_LONG_YEAR;
    return longYear
        ? ascii(GENERALIZED_TIME, LONG_TIME.format(time))
        : ascii(UTC_TIME, SHORT_TIME.format(time));
  }

  private static void writeArc(ByteArrayOutputStream out, int arc) {
    int groups = Math.max(1, (Integer.SIZE - Integer.numberOfLeadingZeros(arc) + 6) / 7);
    for (int group = groups - 1; group >= 0; group--) {
      int bits = (arc >> (7 * group)) & 0x7F;
      out.write(group > 0 ? bits | 0x80 : bits);
    }
  }

  private static void writeLength(ByteArrayOutputStream out, int length) {
    if (length < 0x80) {
      out.write(length);
      return;
    }
    int octets = (Integer.SIZE - Integer.numberOfLeadingZeros(length) + 7) / 8;
    out.write(0x80 | octets);
    for (int i = octets - 1; i >= 0; i--) {
      out.write(length >> (8 * i));
    }
  }
}
