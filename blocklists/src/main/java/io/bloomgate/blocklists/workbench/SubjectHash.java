package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.workbench.OfflineException.Kind;
import io.bloomgate.config.name.Subject;

/** Turns the keys of one filter into hashes. Used on one thread. */
@FunctionalInterface
interface SubjectHash {

  /** The hash of a key. */
  long subject(Subject subject);

  /**
   * The hash of a filter.
   *
   * @param place of the filter, for the message
   * @throws OfflineException when this release makes keys in another way
   */
  static SubjectHash of(Keying keying, String place) throws OfflineException {
    if (keying.normalisationVersion() == KeyHash.NORMALISATION_VERSION) {
      if (keying.hashVersion() == KeyHash.VERSION) {
        return new KeyHash(keying.seedHigh(), keying.seedLow())::subject;
      }
      if (keying.hashVersion() == TextHash.VERSION) {
        return new TextHash(keying.seedHigh(), keying.seedLow())::subject;
      }
    }
    throw new OfflineException(
        Kind.FAILED,
        place + " was made by another release (" + keying + ") and cannot be asked by this one",
        "build it again");
  }
}
