package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.name.WebUrl;

/**
 * The 64-bit hash under which a subject is in the store and in the filter before it, and the word
 * for its kind. The seed is random for each store and is in no log. Two subjects may share a hash,
 * so readers compare the subjects as well. Immutable, for any thread.
 */
final class SubjectKeys {

  /** Kinds of subjects that {@link ListShape} knows besides networks. */
  static final String URL = "url";

  static final String PRINT = "print";
  static final String LIKENESS = "like";

  private final KeyHash hash;

  SubjectKeys(long seedHigh, long seedLow) {
    this.hash = new KeyHash(seedHigh, seedLow);
  }

  /** A secret number of this store for the likeness of texts. */
  long likenessSeed() {
    return hash.text("likeness");
  }

  long of(Subject subject) {
    return hash.subject(subject);
  }

  long of(IpAddress host) {
    return hash.ip(host);
  }

  long of(MailAddress address) {
    return hash.address(address);
  }

  /** The parent of a name that begins at that octet. */
  long suffix(DomainName name, int from) {
    return hash.suffix(name, from);
  }

  /** An expression of a web address: a part of its octets. */
  long expression(WebUrl url, int from, int to) {
    return hash.url(url.octets(), from, to);
  }

  /** A text, such as all columns of a row: texts with the same hash count as equal. */
  long text(String text) {
    return hash.text(text);
  }

  /**
   * The kind of a subject: the length of a network, as {@code 4/24}, or one of the words above;
   * empty for a name, an address and a host, of which nothing has to be known beside their hashes.
   */
  static String kind(Subject subject) {
    return switch (subject) {
      case IpPrefix prefix when prefix.isHost() -> "";
      case IpPrefix prefix -> (prefix.isV4() ? "4/" : "6/") + prefix.length();
      case DomainName _, MailAddress _ -> "";
      case WebUrl _ -> URL;
      case Fingerprint _ -> PRINT;
      case Likeness _ -> LIKENESS;
    };
  }
}
