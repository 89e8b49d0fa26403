package io.bloomgate.config.name;

import com.google.common.net.InternetDomainName;

/**
 * Names below which strangers register their own: {@code co.uk}, {@code github.io}. The only door
 * to the Public Suffix List, which is the one inside Guava's jar, registry and private section
 * both. Used by the feed guard and by {@code allow add}; any thread, pure.
 */
public final class PublicSuffixes {

  private static final SuffixTable TABLE = SuffixTable.load();

  private PublicSuffixes() {}

  /** True when the name itself is a public suffix; names below one are not. */
  public static boolean contains(DomainName name) {
    // Guava takes microseconds and hundreds of octets, and feeds ask for each of their names.
    return TABLE.mayContain(name) && isListed(name);
  }

  /** Asks Guava. */
  static boolean isListed(DomainName name) {
    String text = name.toString();
    return InternetDomainName.isValid(text) && InternetDomainName.from(text).isPublicSuffix();
  }
}
