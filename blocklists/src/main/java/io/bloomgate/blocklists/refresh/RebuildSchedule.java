package io.bloomgate.blocklists.refresh;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Says when the lists are to be built, or stored versions judged again, although no feed has
 * anything new: after a start, a reload, a failed build. Notified on any thread, asked on the
 * feed-refresher's.
 */
final class RebuildSchedule {

  /** Time until a build that failed is tried again without a new version. */
  private static final Duration AFTER_FAILURE = Duration.ofMinutes(1);

  /** The same for a build in which the process ended. */
  private static final Duration AFTER_END = Duration.ofMinutes(5);

  private final RefreshParts parts;
  private final ListPublisher publisher;
  private volatile boolean check = true;
  private volatile boolean reread = true;
  private @Nullable Instant next;

  RebuildSchedule(RefreshParts parts, ListPublisher publisher) {
    this.parts = parts;
    this.publisher = publisher;
  }

  /** Stored versions may be read in another way, and rules for entries may have changed. */
  void settingsChanged() {
    reread = true;
    check = true;
  }

  /** Another generation is live than was published. */
  void listsReplaced() {
    check = true;
  }

  void failed() {
    next = parts.steady().even().plus(AFTER_FAILURE);
  }

  /** The process before ended in a build: the same build is not made again at once. */
  void rest() {
    reread = false;
    check = false;
    next = parts.steady().even().plus(AFTER_END);
  }

  /** True when the stored versions are not what is live. */
  boolean areDue() {
    Instant retry = next;
    if (retry != null && !parts.steady().even().isBefore(retry)) {
      next = null;
      check = true;
    }
    if (!check) {
      return false;
    }
    check = false;
    try {
      return publisher.isNeeded();
    } catch (IOException e) {
      parts.alarm().accept("the stored feeds cannot be read: " + e.getMessage());
      failed();
      return false;
    }
  }

  boolean wantReading() {
    return reread;
  }

  /** True once: ask before the settings are taken, so that later ones are looked at again. */
  boolean takeReading() {
    if (!reread) {
      return false;
    }
    reread = false;
    return true;
  }
}
