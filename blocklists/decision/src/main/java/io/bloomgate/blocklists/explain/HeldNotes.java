package io.bloomgate.blocklists.explain;

import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.guard.FeedDiff;
import io.bloomgate.blocklists.index.Listing;
import io.bloomgate.blocklists.refresh.FeedCommands.HeldChanges;
import io.bloomgate.blocklists.refresh.FeedLoop;
import io.bloomgate.config.name.Parsed;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes the notes of {@code explain} on a listing that the newer version of its feed, which the
 * guards hold, no longer has. Only small versions are compared. Called on the threads of control
 * connections.
 */
public final class HeldNotes {

  /** Entries of both versions; comparing these takes less than a second. */
  private static final long MAX_COMPARED = 200_000;

  private HeldNotes() {}

  /** The same answer with these sentences. */
  public static Parsed<Explanation> added(Parsed<Explanation> answer, FeedLoop feeds) {
    return answer instanceof Parsed.Ok<Explanation>(Explanation explanation, var warning)
        ? new Parsed.Ok<>(explanation.withNotes(notes(explanation, feeds)), warning)
        : answer;
  }

  private static List<String> notes(Explanation explanation, FeedLoop feeds) {
    List<String> notes = new ArrayList<>();
    for (Explanation.Line line : explanation.listings()) {
      if (line.ground() instanceof Ground.Listed listed) {
        Listing listing = listed.listing();
        String entry = listing.entry().text();
        if (feeds.heldChanges(listing.feed(), FeedDiff.MOST_SHOWN, MAX_COMPARED)
                instanceof HeldChanges.Compared found
            && found.removed().samples().stream().anyMatch(one -> one.entry().equals(entry))) {
          notes.add(note(listing.feed(), found.held(), entry));
        }
      }
    }
    return notes.stream().distinct().toList();
  }

  private static String note(String feed, long version, String entry) {
    return "version "
        + version
        + " of "
        + feed
        + " is held and does not have "
        + entry
        + " any more: `bloomgate feeds show "
        + feed
        + "` says why, `bloomgate feeds accept "
        + feed
        + "` makes it live";
  }
}
