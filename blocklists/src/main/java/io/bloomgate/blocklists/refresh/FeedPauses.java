package io.bloomgate.blocklists.refresh;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Feeds that the operator switched off, for a while or until further notice; kept across restarts.
 * Changed on control threads, ended by the feed-refresher.
 */
final class FeedPauses {

  private final RefreshParts parts;
  private final FeedArchive archive;

  FeedPauses(RefreshParts parts, FeedArchive archive) {
    this.parts = parts;
    this.archive = archive;
  }

  /** Feeds, and lists that are asked by DNS. */
  private Set<String> names() {
    return parts.settings().get().feeds().names();
  }

  /**
   * Switches a feed off.
   *
   * @param time {@code null} until it is enabled again
   * @return false when there is no feed of that name
   * @throws IOException when it is off and that cannot be written
   */
  boolean disable(String name, @Nullable Duration time) throws IOException {
    Instant now = parts.steady().instant();
    Instant until = time == null ? null : now.plus(time);
    return set(name, new FeedRecord.Pause(true, time == null ? null : now, until));
  }

  /** Switches a feed on again; false when there is none of that name. */
  boolean enable(String name) throws IOException {
    return set(name, FeedRecord.Pause.NONE);
  }

  private boolean set(String name, FeedRecord.Pause pause) throws IOException {
    if (!names().contains(name)) {
      return false;
    }
    try {
      archive.pause(name, pause);
    } catch (IOException e) {
      parts.alarm().accept("the state of feed " + name + " cannot be written: " + e.getMessage());
      throw new IOException(
          "feed "
              + name
              + (pause.disabled() ? " is disabled" : " is enabled")
              + " now, but that cannot be written and is forgotten at a restart",
          e);
    } finally {
      parts.disabledChanged().run();
    }
    return true;
  }

  /** Ends those whose time is over. Call now and then. */
  void endThoseOver() {
    Instant now = parts.steady().instant();
    boolean changed = false;
    for (String name : names()) {
      FeedRecord.Pause pause = archive.get(name).pause();
      if (pause.disabled() && !pause.holdsAt(now)) {
        archive.update(name, r -> r.with(FeedRecord.Pause.NONE));
        changed = true;
      }
    }
    if (changed) {
      parts.disabledChanged().run();
    }
  }

  /** Names of the feeds that are switched off now. */
  Set<String> now() {
    Instant now = parts.steady().instant();
    Set<String> disabled = new LinkedHashSet<>();
    for (String name : names()) {
      if (archive.get(name).pause().holdsAt(now)) {
        disabled.add(name);
      }
    }
    return disabled;
  }
}
