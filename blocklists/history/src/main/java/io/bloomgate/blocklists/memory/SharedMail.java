package io.bloomgate.blocklists.memory;

import io.bloomgate.blocklists.memory.Remembered.Seen;
import io.bloomgate.blocklists.memory.Sighting.Origin;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonSyntaxException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * A mail of which a node of a fleet tells the others, a JSON object in Redis. Made and read by
 * {@link OwnMemory}; immutable.
 *
 * @param at seconds since 1970; 0 for good mail, as are the next ones empty
 * @param origin {@code good}, or how it was seen as spam
 * @param keys in Base64, as in the store
 */
record SharedMail(
    long at,
    String origin,
    String who,
    String id,
    String network,
    String domain,
    List<String> keys) {

  private static final String GOOD = "good";

  /** Keys of one mail of which the others hear: about 4 kB at most. */
  private static final int MAX_KEYS = 24;

  static SharedMail good(List<RememberedKey> keys) {
    return new SharedMail(0, GOOD, "", "", "", "", written(keys));
  }

  static SharedMail spam(Seen seen, List<RememberedKey> keys) {
    return new SharedMail(
        seen.at().getEpochSecond(),
        seen.origin().key(),
        seen.who(),
        seen.id(),
        seen.network(),
        seen.domain(),
        written(keys));
  }

  private static List<String> written(List<RememberedKey> keys) {
    return keys.stream()
        .limit(MAX_KEYS)
        .map(key -> Base64.getEncoder().encodeToString(key.octets()))
        .toList();
  }

  /** Reads the text of one; empty for what no node of this release writes. */
  static Optional<SharedMail> of(String text) {
    try {
      SharedMail shared = JsonRecords.read(SharedMail.class, text);
      var _ = shared.remembered();
      return shared.origin.equals(GOOD) || shared.seen().isPresent()
          ? Optional.of(shared)
          : Optional.empty();
    } catch (JsonSyntaxException | DateTimeException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  String text() {
    return JsonRecords.text(this);
  }

  /** The sighting of it as spam; empty for good mail. */
  Optional<Seen> seen() {
    return Arrays.stream(Origin.values())
        .filter(one -> one.key().equals(origin))
        .map(one -> new Seen(Instant.ofEpochSecond(at), one, who, id, network, domain))
        .findFirst();
  }

  List<RememberedKey> remembered() {
    return keys.stream()
        .map(Base64.getDecoder()::decode)
        .flatMap(octets -> RememberedKey.of(octets).stream())
        .toList();
  }
}
