package io.bloomgate.config.settings;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Names in settings: domains as A-labels, names of feeds and listeners, local parts. The checks are
 * of syntax only; the lists' own reader (UTS 46) sees the same texts later. Pure.
 */
final class NameSyntax {

  /** Longest domain name in octets as text (RFC 1035, section 2.3.4, less root and length). */
  private static final int MAX_DOMAIN_LENGTH = 253;

  private static final Pattern DOMAIN =
      Pattern.compile(
          "(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?");
  private static final Pattern FEED_NAME = Pattern.compile("[a-z0-9._-]{1,64}");

  /** atext and dots (RFC 5322, section 3.2.3). */
  private static final Pattern LOCAL_PART =
      Pattern.compile(
          "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,64}(?:\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,64})*");

  private NameSyntax() {}

  /** A domain name in lower case. */
  static String domain(String text) throws BadValueException {
    if (!text.chars().allMatch(c -> c < 0x80)) {
      throw new BadValueException(
          Shown.quoted(text) + " is not written in ASCII", "write the A-label (xn--...)");
    }
    if (NetworkSyntax.address(text).isPresent()) {
      throw new BadValueException(
          Shown.quoted(text) + " is an address, not a domain", "write for example example.com");
    }
    String lower = text.toLowerCase(Locale.ROOT);
    if (lower.endsWith(".") && lower.length() > 1) {
      throw new BadValueException(Shown.quoted(text) + " ends in a dot", "leave the last dot out");
    }
    if (lower.length() > MAX_DOMAIN_LENGTH || !DOMAIN.matcher(lower).matches()) {
      throw new BadValueException(
          Shown.quoted(text) + " is not a domain name", "write for example example.com");
    }
    return lower;
  }

  /** One of our own domains: a domain name, with a leading dot for its subdomains too. */
  static String ownDomain(String text) throws BadValueException {
    if (!text.startsWith(".")) {
      return domain(text);
    }
    String parent = domain(text.substring(1));
    if (parent.indexOf('.') < 0) {
      throw new BadValueException(
          Shown.quoted(text) + " would take mail for a whole top-level domain",
          "name your own domain, for example .example.com");
    }
    return "." + parent;
  }

  /** The name of a feed or a listener. */
  static boolean isEntryName(String text) {
    return FEED_NAME.matcher(text).matches();
  }

  /** A local part in lower case. */
  static String localPart(String text) throws BadValueException {
    if (text.indexOf('@') >= 0) {
      throw new BadValueException(
          Shown.quoted(text) + " has a domain",
          "write the local part alone, it holds at every own domain");
    }
    if (!LOCAL_PART.matcher(text).matches()) {
      throw new BadValueException(
          Shown.quoted(text) + " is not a local part", "write for example postmaster");
    }
    return text.toLowerCase(Locale.ROOT);
  }
}
