package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.guard.FeedDiff.Changes;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The {@code feeds} commands of a running gateway: results are records, the control server makes
 * JSON of them. Called on control threads; {@link #refresh}, {@link #accept} and {@link #rollback}
 * wait for the feed-refresher thread and report progress on the thread of the caller.
 */
public interface FeedCommands {

  /** The status of every feed of the settings, in file order. */
  List<FeedStatus> list();

  /** All that is known of a feed; empty when the settings have no feed of that name. */
  Optional<FeedStatus.Details> show(String name);

  /**
   * Fetches feeds; returns when the new generation is live or refused.
   *
   * @param names feeds; none and not {@code all}: those that are due
   * @param force also where the server asked us to wait, and without validators; never past a guard
   */
  RefreshResult refresh(
      List<String> names, boolean all, boolean force, Consumer<RefreshProgress> progress)
      throws InterruptedException;

  /**
   * Finds the changes that {@link #accept} would make where a whole version is held; nothing is
   * changed. Returns when both versions are read; one call at a time reads.
   *
   * @param shown entries that are named of what comes, and of what goes
   * @param maxEntries of both versions together; more are not compared
   */
  HeldChanges heldChanges(String name, int shown, long maxEntries);

  /**
   * Makes live what is held of a feed; returns when it is live.
   *
   * @param by Unix user who asks
   */
  ActResult accept(String name, String by, Consumer<RefreshProgress> progress)
      throws InterruptedException;

  /**
   * Makes an older version live and keeps the newer ones from coming back; returns when it is live.
   *
   * @param to number of a kept version, {@code null} for the one before
   * @param by Unix user who asks
   */
  ActResult rollback(String name, @Nullable Long to, String by, Consumer<RefreshProgress> progress)
      throws InterruptedException;

  /**
   * Does here what was done on another node of a fleet; returns when it is live.
   *
   * @return a refusal when it cannot be done here, which is no fault: nodes hold other versions
   */
  ActResult follow(OtherNodeAct act) throws InterruptedException;

  /**
   * Switches a feed on again; false when there is none of that name.
   *
   * @throws IOException when it is on and that cannot be written: a restart forgets it
   */
  boolean enable(String name) throws IOException;

  /**
   * Switches a feed off: it is not fetched, and its listings do not count.
   *
   * @param time {@code null} until it is enabled again
   * @return false when there is no feed of that name
   * @throws IOException when it is off and that cannot be written: a restart forgets it
   */
  boolean disable(String name, @Nullable Duration time) throws IOException;

  /**
   * A sign of life.
   *
   * @param text a line for a person; empty for what only a bar shows
   * @param feed {@code null} for a step that is not of one feed
   * @param octets fetched until now, -1 when nothing is being fetched
   * @param total octets of the whole feed, -1 when unknown
   */
  record RefreshProgress(String text, @Nullable String feed, String step, long octets, long total) {

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
  record RefreshResult(List<FeedStatus> feeds, int exitCode, String message) {
    public RefreshResult {
      feeds = List.copyOf(feeds);
    }
  }

  /** The changes that a held version would make. Immutable. */
  sealed interface HeldChanges {

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
  sealed interface ActResult {

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
     * Entries that the breaker of another node holds back are held back here too.
     *
     * @param heldEntries all entries of the version that are held back
     */
    record Held(
        String feed,
        long version,
        long entries,
        long heldEntries,
        long generation,
        List<String> notes)
        implements Done {
      public Held {
        notes = List.copyOf(notes);
      }

      @Override
      public String sha256() {
        return "";
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
}
