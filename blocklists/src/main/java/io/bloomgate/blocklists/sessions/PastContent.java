package io.bloomgate.blocklists.sessions;

import io.bloomgate.blocklists.decision.Content;
import io.bloomgate.blocklists.decision.ContentKey;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.settings.Check;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What is known of the content of a past mail: what lists and entries of the operator said of it.
 * Part of {@link PastRows}; pure.
 */
final class PastContent {

  /** Entries of the operator are asked again: they are here, and a removed one does not count. */
  private static final String OPERATOR = "operator";

  private PastContent() {}

  /** True for a listing of the content. */
  static boolean isOf(Check check) {
    return Check.OF_CONTENT.contains(check);
  }

  /** The content of a mail with these listings, lifted ones too: what lifts is asked again. */
  static Content of(List<KeptListing> listings) {
    boolean exemptAmong = listings.stream().anyMatch(KeptListing::exemptAmong);
    List<ContentKey> keys = new ArrayList<>();
    List<Content.Found> found = new ArrayList<>();
    for (KeptListing listing : listings) {
      key(listing)
          .ifPresent(key -> {
            if (listing.list().equals(OPERATOR)) {
              keys.add(key);
            } else if (!(key.key() instanceof Likeness)) {
              found.add(new Content.Found(listing.list(), key, listing.entry(), listing.line()));
            }
          });
    }
    return keys.isEmpty() && found.isEmpty() ? Content.NONE : new Content(keys, exemptAmong, found);
  }

  /** A long URL is kept in part, and the entry that lists it in more of it. */
  static Optional<ContentKey> key(KeptListing listing) {
    return listing.carried().or(() -> listing.ofEntry().carried());
  }
}
