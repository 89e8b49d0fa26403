package io.bloomgate.blocklists.sessions;

import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Parsed;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Texts that clients choose, as rows and filters hold them and as questions ask for them: bounded,
 * and domains as lower-case A-labels. Pure.
 */
final class RowText {

  /** Of the name in EHLO or HELO; names of mail servers are shorter. */
  static final int MAX_HELO_OCTETS = 100;

  /** Of a local part: 64 by RFC 5321, and some senders with a path in it take more. */
  static final int MAX_LOCAL_OCTETS = 100;

  /** Of one name, and of all domains of recipients in one row together. */
  static final int MAX_DOMAIN_OCTETS = 160;

  /** Of what a list was asked, an address at most. */
  static final int MAX_SUBJECT_OCTETS = MAX_LOCAL_OCTETS + 1 + MAX_DOMAIN_OCTETS;

  private static final int MAX_OCTETS_OF_CHARACTER = 3;

  /** A label of one character that is not ASCII, and its dot. */
  private static final int MAX_OCTETS_OF_NAME_CHARACTER = 8;

  private RowText() {}

  static String helo(String helo) {
    return bounded(helo, MAX_HELO_OCTETS);
  }

  /** The local part of an address. */
  static String local(String address) {
    return bounded(SessionText.localPart(address), MAX_LOCAL_OCTETS);
  }

  /**
   * A recipient: its local part where its domain is the first one of the row, else the address.
   *
   * @param domains of the row
   */
  static String recipient(String address, List<String> domains) {
    String domain = domain(SessionText.domain(address));
    boolean usual =
        domain.isEmpty() || domains.isEmpty() || domain.equals(domain(domains.getFirst()));
    return usual ? local(address) : local(address) + "@" + domain;
  }

  /** The address of a text that {@link #recipient} made. */
  static String recipientOf(String text, List<String> domains) {
    // An at sign inside a local part is between quotes, RFC 5321 section 4.1.2.
    boolean whole = text.indexOf('@') >= 0 && !text.endsWith("\"");
    return text.isEmpty() || domains.isEmpty() || whole ? text : text + "@" + domains.getFirst();
  }

  static String subject(String subject) {
    return bounded(subject, MAX_SUBJECT_OCTETS);
  }

  /** A domain, in the form of clients, of questions or of rows. */
  static String domain(String domain) {
    return bounded(normal(domain), MAX_DOMAIN_OCTETS);
  }

  /** True when a row holds the name in EHLO or HELO only in part. */
  static boolean cutsHelo(String helo) {
    return !fits(helo, MAX_HELO_OCTETS);
  }

  /** The same for the local part of an address. */
  static boolean cutsLocal(String address) {
    return !fits(SessionText.localPart(address), MAX_LOCAL_OCTETS);
  }

  /** The same for the domain of an address. */
  static boolean cutsDomainOf(String address) {
    return cutsDomain(SessionText.domain(address));
  }

  /** The same for a domain. */
  static boolean cutsDomain(String domain) {
    return domain.length() * MAX_OCTETS_OF_NAME_CHARACTER > MAX_DOMAIN_OCTETS
        && !fits(normal(domain), MAX_DOMAIN_OCTETS);
  }

  private static String normal(String domain) {
    return switch (DomainName.parse(domain)) {
      case Parsed.Ok<DomainName>(DomainName name, var ignored) -> name.toString();
      case Parsed.Bad<DomainName> ignored -> domain.toLowerCase(Locale.ROOT);
    };
  }

  /**
   * Domains of recipients with spaces between them. Where they take too much, the first ones are
   * kept, and {@link KeptSession#CUT} stands for the others.
   */
  static String domains(List<String> domains) {
    Set<String> kept = new LinkedHashSet<>();
    int octets = 0;
    for (String each : domains) {
      String domain = domain(each);
      if (kept.contains(domain)) {
        continue;
      }
      octets += octets(domain) + 1;
      if (!kept.isEmpty() && octets > MAX_DOMAIN_OCTETS) {
        kept.add(KeptSession.CUT);
        break;
      }
      kept.add(domain);
    }
    return String.join(" ", kept);
  }

  /** A text that fits; a longer one ends with {@link KeptSession#CUT}. */
  private static String bounded(String text, int maxOctets) {
    if (fits(text, maxOctets)) {
      return text;
    }
    int room = maxOctets - KeptSession.CUT.length();
    int end = 0;
    while (end < text.length()) {
      int next = text.offsetByCodePoints(end, 1);
      room -= octets(text.substring(end, next));
      if (room < 0) {
        break;
      }
      end = next;
    }
    return text.substring(0, end) + KeptSession.CUT;
  }

  private static boolean fits(String text, int maxOctets) {
    return text.length() * MAX_OCTETS_OF_CHARACTER <= maxOctets || octets(text) <= maxOctets;
  }

  private static int octets(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
