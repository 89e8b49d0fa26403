package io.bloomgate.blocklists.memory;

import java.time.Instant;
import java.util.Optional;

/**
 * Takes what mails showed of which somebody says that they are spam, or good. Called by sessions,
 * after their mail was answered, and by the handlers of reports; any thread. A call writes to the
 * disk before it returns (about a millisecond), and fails for nobody: what cannot be kept is logged
 * and counts as 0.
 */
public interface Sightings {

  /** Remembers nothing. */
  Sightings NONE =
      new Sightings() {
        @Override
        public int spam(Sighting mail) {
          return 0;
        }

        @Override
        public int good(Sighting mail) {
          return 0;
        }
      };

  /**
   * Remembers what the mail carried; what is listed of it, and when, follows from all sightings.
   *
   * @return keys that were remembered
   */
  int spam(Sighting mail);

  /**
   * Forgets what the mail carried and keeps it out for 90 days.
   *
   * @return keys that were forgotten
   */
  int good(Sighting mail);

  /** False where nothing is remembered. */
  default boolean isOn() {
    return false;
  }

  /** The time until which no list has an entry, because too little accepted mail is known. */
  default Optional<Instant> waitsUntil() {
    return Optional.empty();
  }
}
