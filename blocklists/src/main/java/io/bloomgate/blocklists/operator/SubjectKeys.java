package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.name.WebUrl;

/**
 * The 64-bit hash under which a subject is in the store and in the filter before it. The seed is
 * random for each store and is in no log. Two subjects may share a hash, so readers compare the
 * subjects as well. Immutable, for any thread.
 */
final class SubjectKeys {

  private final KeyHash hash;
  private final Keying keying;

  SubjectKeys(long seedHigh, long seedLow) {
    this.hash = new KeyHash(seedHigh, seedLow);
    this.keying = new Keying(KeyHash.VERSION, KeyHash.NORMALISATION_VERSION, seedHigh, seedLow);
  }

  /** Returns the keying for the header of a filter's file. */
  Keying keying() {
    return keying;
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

  /**
   * True for what is compared with a key and has no hash in common with it: all of these are in
   * memory, networks and likenesses, and none is in the filter.
   */
  static boolean isCompared(Subject subject) {
    return (subject instanceof IpPrefix prefix && !prefix.isHost()) || subject instanceof Likeness;
  }
}
