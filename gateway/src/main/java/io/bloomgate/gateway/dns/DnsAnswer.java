package io.bloomgate.gateway.dns;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.DnsList;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The answer of a zone to one question. Immutable. */
sealed interface DnsAnswer {

  /** The large lists agreed on 127.255.255.0/24 for errors of the question. */
  int ERRORS = 0x7fffff00;

  int ERRORS_MASK = 0xffffff00;

  /** A list of names of Spamhaus was asked about an address. */
  int ADDRESS_ASKED = 0x7f0001ff;

  /** RFC 5782 section 2.1. */
  int LOOPBACK = 127;

  /** The time for which the answer may be given again. */
  Duration keep();

  /**
   * The zone lists the subject, if a list counts one of these codes.
   *
   * @param codes in 127.0.0.0/8; none of them reports an error
   * @param keep the time to live
   */
  record Codes(List<IpAddress> codes, Duration keep, Instant at) implements DnsAnswer {
    public Codes {
      codes = List.copyOf(codes);
    }

    /** The first one that a list counts. */
    Optional<IpAddress> first(DnsList list) {
      return codes.stream()
          .filter(code -> list.codes().stream().anyMatch(range -> range.contains(code.v4Bits())))
          .findFirst();
    }
  }

  /** The zone does not list the subject. */
  record Absent(Duration keep) implements DnsAnswer {}

  /**
   * The zone, or somebody on the way, answered something that is no listing.
   *
   * @param reason for people
   */
  record Refused(String reason, Duration keep) implements DnsAnswer {}

  /** No answer. */
  record Silent(Duration keep) implements DnsAnswer {}

  /**
   * The error that an address in an answer reports; empty for a listing.
   *
   * @param isSum true when the last octet is a sum of bits, as of SURBL and URIBL
   */
  static String errorOf(IpAddress answer, boolean isSum) {
    int bits = answer.v4Bits();
    if (bits >>> (Integer.SIZE - Byte.SIZE) != LOOPBACK) {
      return "it answered "
          + answer
          + ", which no DNS list does: the name servers invent addresses for names that do not"
          + " exist";
    }
    if (isSum && (bits & DnsList.Codes.REFUSED_BIT) != 0) {
      return "it answered "
          + answer
          + ": it refuses questions of these name servers, or there were too many";
    }
    if (bits == ADDRESS_ASKED) {
      return "it answered " + answer + ": it takes no questions about addresses";
    }
    if ((bits & ERRORS_MASK) != ERRORS) {
      return "";
    }
    return switch (bits & ~ERRORS_MASK) {
      case 252 -> "it answered " + answer + ": the zone's name is misspelled";
      case 254 ->
          "it answered "
              + answer
              + ": it refuses questions that come through a public resolver; use one of your own"
              + " (dns.servers), or a key";
      case 255 -> "it answered " + answer + ": too many questions for the free service";
      default -> "it answered " + answer + ": it refuses to answer";
    };
  }
}
