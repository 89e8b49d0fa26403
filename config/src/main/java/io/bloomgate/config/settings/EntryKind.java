package io.bloomgate.config.settings;

import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.Keyed;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A kind of entries of a list: what a check needs, and what a format can give. Asked when sources
 * are read. Immutable.
 */
public enum EntryKind implements Keyed {
  IPS,
  DOMAINS,
  ADDRESSES,
  URLS,
  FINGERPRINTS,
  ASNS;

  /** The kinds of entries that answer a check. */
  static Set<EntryKind> of(Check check) {
    return switch (check) {
      case CLIENT_IP -> EnumSet.of(IPS);
      case HELO, URL_HOST -> EnumSet.of(IPS, DOMAINS);
      case SENDER, FROM -> EnumSet.of(ADDRESSES);
      case CLIENT_NAME, SENDER_DOMAIN, FROM_DOMAIN, REPLY_TO_DOMAIN -> EnumSet.of(DOMAINS);
      case URL -> EnumSet.of(URLS);
      case ASN -> EnumSet.of(ASNS);
      case ATTACHMENT, SUBJECT, BODY -> EnumSet.of(FINGERPRINTS);
    };
  }

  /** True when some entry of these kinds can answer the check. */
  public static boolean finds(Check check, Set<EntryKind> lists) {
    Set<EntryKind> found = of(check);
    found.retainAll(lists);
    return !found.isEmpty();
  }

  /**
   * The kinds of entries that a format can give.
   *
   * @param format as settings write it; empty for one that is found when the list is read
   */
  public static Set<EntryKind> ofFormat(String format) {
    return switch (format) {
      case "", "entries" -> EnumSet.allOf(EntryKind.class);
      case "sha256" -> EnumSet.of(FINGERPRINTS);
      case "asn-list" -> EnumSet.of(ASNS);
      case FormatSyntax.ASN_TABLE -> EnumSet.noneOf(EntryKind.class);
      case "urls" -> EnumSet.of(URLS, DOMAINS, IPS);
      case "ips", "spamhaus-json", "postfix-cidr", "range-csv", "ipset-save" -> EnumSet.of(IPS);
      default -> EnumSet.of(IPS, DOMAINS, ADDRESSES);
    };
  }

  /** The checks of a list in this format whose settings name none. */
  static List<Check> usual(String format) {
    return switch (format) {
      case "sha256" -> List.of(Check.ATTACHMENT);
      case "asn-list" -> List.of(Check.ASN);
      case FormatSyntax.ASN_TABLE -> List.of();
      default -> Check.WITHOUT_LOOK_UP;
    };
  }
}
