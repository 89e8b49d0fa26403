package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.Subject;

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

  /** For the header of a filter's file. */
  Keying keying() {
    return keying;
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

  /** True for what is in the index of networks and not in the filter. */
  static boolean isNetwork(Subject subject) {
    return subject instanceof IpPrefix prefix && !prefix.isHost();
  }
}
