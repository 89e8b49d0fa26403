package io.bloomgate.config.settings;

import io.bloomgate.config.name.Check;
import io.bloomgate.config.settings.CatalogueEntry.Kind;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Knows which checks can find something in a list. A check is asked with keys of the kinds that it
 * has, so a list that has no entries of them never answers it. Used by the binders of feeds and of
 * the catalogue; pure.
 */
final class CheckReach {

  private static final Set<Kind> OF_LINES = EnumSet.of(Kind.IPS, Kind.DOMAINS, Kind.ADDRESSES);

  private CheckReach() {}

  /** The kinds of entries that answer a check. */
  static Set<Kind> of(Check check) {
    return switch (check) {
      case CLIENT_IP -> EnumSet.of(Kind.IPS);
      case HELO, URL_HOST -> EnumSet.of(Kind.IPS, Kind.DOMAINS);
      case SENDER, FROM -> EnumSet.of(Kind.ADDRESSES);
      case CLIENT_NAME, SENDER_DOMAIN, FROM_DOMAIN, REPLY_TO_DOMAIN -> EnumSet.of(Kind.DOMAINS);
      case URL -> EnumSet.of(Kind.URLS);
      case ASN -> EnumSet.of(Kind.ASNS);
      case ATTACHMENT, SUBJECT, BODY -> EnumSet.of(Kind.FINGERPRINTS);
    };
  }

  /** True when some entry of these kinds can answer the check. */
  static boolean finds(Check check, Set<Kind> lists) {
    Set<Kind> found = of(check);
    found.retainAll(lists);
    return !found.isEmpty();
  }

  /**
   * The kinds of entries that a format can give.
   *
   * @param format as settings write it; empty for one that is found when the list is read
   */
  static Set<Kind> ofFormat(String format) {
    return switch (format) {
      case "", "entries" -> EnumSet.allOf(Kind.class);
      case "sha256" -> EnumSet.of(Kind.FINGERPRINTS);
      case "asn-list" -> EnumSet.of(Kind.ASNS);
      case FormatSyntax.ASN_TABLE -> EnumSet.noneOf(Kind.class);
      case "urls" -> EnumSet.of(Kind.URLS, Kind.DOMAINS, Kind.IPS);
      case "ips", "spamhaus-json", "postfix-cidr", "range-csv", "ipset-save" ->
          EnumSet.of(Kind.IPS);
      default -> EnumSet.copyOf(OF_LINES);
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
