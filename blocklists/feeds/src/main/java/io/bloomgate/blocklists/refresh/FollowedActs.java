package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.refresh.FeedCommands.ActResult;
import io.bloomgate.blocklists.refresh.FeedCommands.OtherNodeAct;
import io.bloomgate.config.fault.Faults;
import java.io.IOException;
import java.util.Optional;

/**
 * Does on this node what was done on another one, where this one has the same version. Made by
 * {@link FeedLoop}; used on its thread.
 */
record FollowedActs(RefreshParts parts, FeedArchive archive, OperatorChoice choice) {

  /** Carries it out, or says in one sentence why there is nothing to do here. */
  ActResult carryOut(OtherNodeAct act) {
    if (!parts.feeds().containsKey(act.feed())) {
      return nothing("this gateway has no feed " + act.feed());
    }
    if (parts.isLed(act.feed())) {
      return nothing(
          "feed " + act.feed() + " comes from the leader here, with what was accepted there");
    }
    try {
      return switch (act) {
        case OtherNodeAct.Accept accept -> accept(accept);
        case OtherNodeAct.Rollback back -> rollback(back);
      };
    } catch (IOException e) {
      return ActResult.refused(
          "feed " + act.feed() + " cannot be read or written: " + Faults.words(e),
          "check space and owner of the state directory");
    }
  }

  private static ActResult nothing(String why) {
    return ActResult.refused(why, "");
  }

  private ActResult accept(OtherNodeAct.Accept act) throws IOException {
    FeedRecord record = archive.get(act.feed());
    Optional<FeedVersion> live = archive.files().version(act.feed(), record.live());
    boolean isLive = live.isPresent() && live.get().sha256().equals(act.sha256());
    Optional<FeedVersion> held = archive.files().version(act.feed(), record.held());
    boolean isHeld = held.isPresent() && held.get().sha256().equals(act.sha256());
    // With another version held, an acceptance here would be of that one.
    if (act.entries() ? isLive && live.get().holdsEntries() && held.isEmpty() : isHeld) {
      return choice.accept(act.feed(), act.by());
    }
    return nothing(
        isLive
            ? "the version of feed %s that was accepted is live here, and nothing of it is held"
                .formatted(act.feed())
            : "this gateway does not hold the version of feed %s that was accepted (SHA-256 %s); if it comes and is held, `bloomgate feeds accept %s` lets it through here"
                .formatted(act.feed(), start(act.sha256()), act.feed()));
  }

  private ActResult rollback(OtherNodeAct.Rollback act) throws IOException {
    FeedRecord record = archive.get(act.feed());
    Optional<FeedVersion> live = archive.files().version(act.feed(), record.live());
    if (live.isEmpty() || !live.get().sha256().equals(act.from())) {
      return nothing(
          live.isPresent() && live.get().sha256().equals(act.to())
              ? "the version of feed %s that was chosen is live here already".formatted(act.feed())
              : "this gateway has another version of feed %s live than the one that was taken back (SHA-256 %s)"
                  .formatted(act.feed(), start(act.from())));
    }
    Optional<FeedVersion> target =
        archive.files().versions(act.feed()).stream()
            .filter(version -> version.sha256().equals(act.to()) && version.wasLive())
            .filter(version -> version.id() != record.live() && version.id() != record.held())
            .findFirst();
    if (target.isEmpty()) {
      return nothing(
          "this gateway does not keep the version of feed %s that was chosen (SHA-256 %s); `bloomgate feeds rollback %s` goes back to the one before"
              .formatted(act.feed(), start(act.to()), act.feed()));
    }
    return choice.rollback(act.feed(), target.get().id(), act.by());
  }

  private static String start(String sha256) {
    return sha256.length() > 12 ? sha256.substring(0, 12) : sha256;
  }
}
