package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.guard.FeedDiff.Changes;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answers to the {@code feeds} commands of a running gateway; the control server makes JSON of
 * them. Made by {@link FeedLoop}. Immutable.
 */
public final class FeedCommands {

  private FeedCommands() {}

  /**
   * A sign of life.
   *
   * @param text a line for a person; empty for what only a bar shows
   * @param feed {@code null} for a step that is not of one feed
   * @param octets fetched until now, -1 when nothing is being fetched
   * @param total octets of the whole feed, -1 when unknown
   */
  public record RefreshProgress(
      String text, @Nullable String feed, String step, long octets, long total) {

    /** A step of one feed or of all, with a line for a person. */
    public static RefreshProgress step(String text, @Nullable String feed, String step) {
      return new RefreshProgress(text, feed, step, -1, -1);
    }
  }

  /**
   * The end of a refresh.
   *
   * @param feeds the status of every feed that was asked for
   * @param exitCode 0 all current, 4 some, 1 none, 2 for a name that is no feed
   * @param message empty, or a sentence for the operator
   */
  public record RefreshResult(List<FeedStatus> feeds, int exitCode, String message) {
    public RefreshResult {
      feeds = List.copyOf(feeds);
    }
  }

  /** The changes that a held version would make. Immutable. */
  public sealed interface HeldChanges {

    /**
     * The held version and the live one were compared.
     *
     * @param held number of the version that is held
     * @param live number of the version that is live, 0 where none is
     * @param same entries that both have
     */
    record Compared(long held, long live, Changes added, Changes removed, long same)
        implements HeldChanges {}

    /**
     * The versions were not compared.
     *
     * @param why for the operator
     */
    record NotCompared(String why) implements HeldChanges {}
  }

  /** The end of {@code feeds accept} or {@code feeds rollback}. Immutable. */
  public sealed interface ActResult {

    /** The chosen version is live. */
    sealed interface Done extends ActResult {
      String feed();

      /** Number of the version that is live now. */
      long version();

      /** SHA-256 of that version's octets, by which other nodes know it. */
      String sha256();

      /** Entries of the feed that are live now. */
      long entries();

      /** The live generation. */
      long generation();

      /** Sentences for the operator. */
      List<String> notes();
    }

    /**
     * Says that what was held is live.
     *
     * @param acceptedEntries entries that were held back and count now, {@code null} when a whole
     *     version was accepted
     * @param heldEntries entries that are still held back
     * @param reasons why it was held
     */
    record Accepted(
        String feed,
        long version,
        String sha256,
        long entries,
        @Nullable Long acceptedEntries,
        long heldEntries,
        List<String> reasons,
        long generation,
        List<String> notes)
        implements Done {
      public Accepted {
        reasons = List.copyOf(reasons);
        notes = List.copyOf(notes);
      }
    }

    /**
     * An older version is live.
     *
     * @param from number of the version that was live before
     * @param fromSha256 of its octets
     * @param fetched when the version came
     */
    record RolledBack(
        String feed,
        long version,
        String sha256,
        long from,
        String fromSha256,
        long entries,
        Instant fetched,
        long generation,
        List<String> notes)
        implements Done {
      public RolledBack {
        notes = List.copyOf(notes);
      }
    }

    /**
     * Nothing was changed, or a restart will forget the change.
     *
     * @param exitCode 1 when it cannot be done, 2 for a name that is no feed
     */
    record Refused(int exitCode, String message, String hint) implements ActResult {}

    /** Nothing was changed, with exit code 1. */
    static ActResult refused(String message, String hint) {
      return new Refused(1, message, hint);
    }
  }

  /**
   * An act on another node of a fleet about a feed. Versions are named by the SHA-256 of their
   * octets, because each node numbers its own. Immutable; carried out by {@link FollowedActs}.
   */
  public sealed interface OtherNodeAct {

    String feed();

    /** The person who did it, and the node: {@code alice@mx1}. */
    String by();

    /**
     * {@code feeds accept}.
     *
     * @param entries what was held back of a live version, not a version as a whole
     */
    record Accept(String feed, String sha256, boolean entries, String by) implements OtherNodeAct {}

    /**
     * {@code feeds rollback}.
     *
     * @param from the version that was live until then
     * @param to the version that is live since then
     */
    record Rollback(String feed, String from, String to, String by) implements OtherNodeAct {}
  }
}
