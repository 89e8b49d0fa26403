package io.bloomgate.blocklists.memory;

import io.bloomgate.blocklists.memory.Remembered.Seen;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonRecords.Rare;
import io.bloomgate.config.json.JsonSyntaxException;
import java.time.DateTimeException;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A mail of which a node of a fleet tells the others, a JSON object in Redis. Made and read by
 * {@link OwnMemory}; immutable.
 *
 * @param spam how it was seen as spam; {@code null} for good mail
 * @param carried keys in Base64, as in the store
 */
record SharedMail(@Rare @Nullable Seen spam, List<String> carried) {

  /** Keys of one mail of which the others hear: about 4 kB at most. */
  private static final int MAX_KEYS = 24;

  static String text(@Nullable Seen spam, List<RememberedKey> keys) {
    List<String> written =
        keys.stream()
            .limit(MAX_KEYS)
            .map(key -> Base64.getEncoder().encodeToString(key.octets()))
            .toList();
    return JsonRecords.text(new SharedMail(spam, written));
  }

  /** Reads the text of one; empty for what no node of this release writes. */
  static Optional<SharedMail> of(String text) {
    try {
      SharedMail shared = JsonRecords.read(SharedMail.class, text);
      var _ = shared.remembered();
      return Optional.of(shared).filter(mail -> !mail.carried.isEmpty());
    } catch (JsonSyntaxException | DateTimeException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  List<RememberedKey> remembered() {
    return carried.stream()
        .map(Base64.getDecoder()::decode)
        .flatMap(octets -> RememberedKey.of(octets).stream())
        .toList();
  }
}
