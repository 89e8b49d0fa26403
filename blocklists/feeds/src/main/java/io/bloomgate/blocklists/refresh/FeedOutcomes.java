package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.refresh.FeedCommands.RefreshProgress;
import io.bloomgate.blocklists.refresh.FeedIntake.Candidate;
import io.bloomgate.blocklists.refresh.FeedRecord.Times;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down how the tries of feeds ended and when they are tried again, and reports it to
 * commands that wait. Made for each refresh; used on the feed-refresher thread.
 */
record FeedOutcomes(
    RefreshParts parts,
    FeedArchive archive,
    FeedSchedule schedule,
    Consumer<RefreshProgress> progress) {

  private static final Logger LOG = LoggerFactory.getLogger(FeedOutcomes.class);

  /**
   * A version is about to be read and built, which may end the process: until another outcome is
   * written the try counts as failed, so that the next start does not read it again at once.
   *
   * @throws IOException when that cannot be written; the version must not be read then
   */
  void begin(Source source, long version) throws IOException {
    Instant now = parts.now();
    archive.presume(
        source.name(),
        r -> {
          Instant next = schedule.afterFailure(source, r.times().failures() + 1);
          String why =
              "the gateway ended while its last version was read; tried again at "
                  + next.truncatedTo(ChronoUnit.SECONDS);
          return r.presumed(version, why, r.times().attempted(now).failed(next, null));
        });
  }

  /** The source has what is live. */
  void unchanged(Source source) {
    Instant now = parts.now();
    archive.update(
        source.name(),
        r ->
            r.ended(
                LastCheck.UNCHANGED,
                "",
                0,
                r.times().succeeded(now, schedule.afterSuccess(source), false)));
    report(source.name(), "unchanged");
  }

  /**
   * A version waits for the operator.
   *
   * @param asked whether the source was asked for it just now
   */
  void held(Source source, FeedVersion version, boolean asked) {
    String reasons = String.join("; ", version.reasons());
    if (archive.get(source.name()).held() == 0) {
      // Once, not at every refresh; the metric bloomgate_feed_state stays until it is let through.
      LOG.warn("feed {}: new version is held: {}", source.name(), reasons);
      if (version.knownGood().entries() > 0) {
        String good = KnownGoodLog.text(version.knownGood());
        LOG.warn("feed {}: if it were accepted, {}", source.name(), good);
      }
    }
    Instant now = parts.now();
    archive.update(
        source.name(),
        r ->
            r.holds(
                version.id(),
                "held: " + reasons,
                asked ? r.times().waiting(now, schedule.afterSuccess(source)) : r.times(),
                now));
    report(source.name(), "held");
  }

  /**
   * The version that the source was asked with is neither held nor live any more, because the
   * operator chose another one meanwhile: the source is asked again.
   */
  void unclear(Source source) {
    archive.update(source.name(), r -> r.with(r.times().dueAt(parts.now())));
    report(source.name(), "asking again");
  }

  /** Notes that there is nothing that could go live; the feed is tried again after a while. */
  void failed(Source source, LastCheck outcome, String why, Optional<Duration> retryAfter) {
    Instant now = parts.now();
    archive.update(
        source.name(),
        r -> {
          Instant next = schedule.afterFailure(source, r.times().failures() + 1);
          Times times = r.times().failed(next, retryAfter.map(now::plus).orElse(null));
          return r.ended(outcome, why, r.held(), times);
        });
    report(source.name(), outcome == LastCheck.REJECTED ? "rejected" : "failed");
  }

  /** No server could be asked, for lack of an address; it is tried again in seconds. */
  void unasked(Source source, String why) {
    archive.update(
        source.name(),
        r -> {
          Instant next = schedule.afterNameFailure(source, r.times().failures() + 1);
          return r.ended(LastCheck.FAILED, why, r.held(), r.times().unasked(next));
        });
    report(source.name(), "failed");
  }

  /** A new version is live. */
  void wentLive(Source source, Candidate candidate) {
    Instant now = parts.now();
    FeedVersion version = candidate.version();
    archive.update(
        source.name(),
        r ->
            switch (candidate.origin()) {
              case FETCHED ->
                  r.wentLive(
                      version.id(), r.times().succeeded(now, schedule.afterSuccess(source), true));
              case HELD -> r.wentLive(version.id(), r.times().changed(now));
              case LIVE -> r.reread(r.times().changed(now));
            });
    LOG.info(
        "feed {}: {} entries live, {} held back, {} bad lines",
        source.name(),
        version.entries() - version.heldEntries(),
        version.heldEntries(),
        version.invalid());
    report(source.name(), "fresh");
  }

  void report(String feed, String step) {
    progress.accept(RefreshProgress.step(feed + ": " + step, feed, step));
  }
}
