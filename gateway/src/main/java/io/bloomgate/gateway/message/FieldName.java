package io.bloomgate.gateway.message;

import java.nio.charset.StandardCharsets;

/** The names of fields that a gateway cares for. Pure; on the hot path of {@link MessageHead}. */
final class FieldName {

  private static final byte[] MESSAGE_ID = ascii("message-id");
  private static final byte[] RECEIVED = ascii("received");
  private static final byte[] BLOOMGATE = ascii("x-bloomgate");
  private static final byte[] INCIDENT = ascii("x-bloomgate-incident");
  private static final byte[] SPAM_FLAG = ascii("x-spam-flag");
  private static final byte[] SPAM_STATUS = ascii("x-spam-status");

  /** The reason why a field has to go. */
  enum Reason {
    /** The field stays. */
    NONE,
    /** The field claims to be a verdict of ours, or to name a refusal that the message quotes. */
    OURS,
    /** Another program's spam mark, which would make ours ambiguous. */
    SPAM_MARK;

    boolean applies(boolean tagged) {
      return this == OURS || (this == SPAM_MARK && tagged);
    }
  }

  private FieldName() {}

  /**
   * Length of the name at the start of a line, RFC 5322 section 3.6.8, with the blanks before the
   * colon that section 4.5.8 has to be tolerated; -1 when the line is no field.
   *
   * @param from the line's first octet
   * @param to behind its last
   */
  static int length(byte[] octets, int from, int to) {
    int i = from;
    while (i < to && octets[i] > ' ' && octets[i] < 0x7f && octets[i] != ':') {
      i++;
    }
    int length = i - from;
    while (i < to && (octets[i] == ' ' || octets[i] == '\t')) {
      i++;
    }
    return length > 0 && i < to && octets[i] == ':' ? length : -1;
  }

  /** True for Received, which counts as a hop. */
  static boolean isReceived(byte[] octets, int from, int length) {
    return is(RECEIVED, octets, from, length);
  }

  /** True for Message-ID. */
  static boolean isMessageId(byte[] octets, int from, int length) {
    return is(MESSAGE_ID, octets, from, length);
  }

  /** The reason why a field of this name has to go. */
  static Reason reasonToCut(byte[] octets, int from, int length) {
    if (is(BLOOMGATE, octets, from, length) || is(INCIDENT, octets, from, length)) {
      return Reason.OURS;
    }
    return is(SPAM_FLAG, octets, from, length) || is(SPAM_STATUS, octets, from, length)
        ? Reason.SPAM_MARK
        : Reason.NONE;
  }

  private static boolean is(byte[] lowerCaseName, byte[] octets, int from, int length) {
    return length == lowerCaseName.length && stands(lowerCaseName, octets, from, from + length);
  }

  /** True when this text, in any case, begins at the first index and ends by the second. */
  static boolean stands(byte[] lowerCase, byte[] octets, int from, int to) {
    if (to - from < lowerCase.length) {
      return false;
    }
    for (int i = 0; i < lowerCase.length; i++) {
      int octet = octets[from + i];
      if (octet >= 'A' && octet <= 'Z') {
        octet += 'a' - 'A';
      }
      if (octet != lowerCase[i]) {
        return false;
      }
    }
    return true;
  }

  static byte[] ascii(String lowerCase) {
    return lowerCase.getBytes(StandardCharsets.US_ASCII);
  }
}
