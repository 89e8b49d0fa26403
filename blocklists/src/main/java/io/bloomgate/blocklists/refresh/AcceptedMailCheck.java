package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.blocklists.format.FeedContent;
import io.bloomgate.blocklists.guard.EntryKeys;
import io.bloomgate.blocklists.impact.AcceptedMail;
import io.bloomgate.blocklists.impact.GoodHits;
import io.bloomgate.blocklists.impact.Side;
import io.bloomgate.blocklists.impact.VersionTrial;
import io.bloomgate.blocklists.refresh.VersionReader.Judged;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks of a version before it goes live which networks it would newly refuse among those whose mail
 * was accepted lately. Made for each refresh, which reads the sessions at most once; used by {@link
 * FeedIntake} on the feed-refresher thread.
 */
final class AcceptedMailCheck {

  private static final Logger LOG = LoggerFactory.getLogger(AcceptedMailCheck.class);

  private final RefreshParts parts;
  private final FeedFiles files;
  private final FeedArchive archive;
  private @Nullable AcceptedMail mail;

  AcceptedMailCheck(RefreshParts parts, FeedFiles files, FeedArchive archive) {
    this.parts = parts;
    this.files = files;
    this.archive = archive;
  }

  /** Frees the memory that the sessions take; they are read again when they are needed again. */
  void forgetMail() {
    mail = null;
  }

  /**
   * The judged version, held if it would refuse too many good networks.
   *
   * @param reader of the same source
   * @throws IOException when the version or its trial cannot be read or written; it must not go
   *     live then
   */
  Judged check(Source source, VersionReader reader, FeedContent content, Judged judged)
      throws IOException {
    Integer most = source.guard().maxGoodHits();
    Side live = parts.deciding().get();
    if (most == null || !live.policy().mayRefuseFor(source.name())) {
      return judged;
    }
    AcceptedMail accepted = acceptedMail(live);
    if (accepted.isEmpty()) {
      return judged;
    }
    Trial trial = trial(source, live, accepted, reader, content, judged, entry -> true);
    if (!trial.passes(most)) {
      Optional<Predicate<ListEntry>> isUnknown = notAcceptedBefore(source, reader, judged);
      if (isUnknown.isPresent()) {
        trial = trial(source, live, accepted, reader, content, judged, isUnknown.get());
      }
    }
    if (!trial.passes(most)) {
      return judged.heldFor(List.of(trial.reason(most)));
    }
    if (trial.hits().networks() > 0) {
      LOG.info(
          "feed {}: version {} would newly refuse mail that was accepted: {}",
          source.name(),
          judged.version().id(),
          trial.hits().names());
    }
    return judged;
  }

  /**
   * The result of a trial.
   *
   * @param tooMany true when it has too many entries to be tried: what they would do is not known
   */
  private record Trial(boolean tooMany, GoodHits hits) {

    boolean passes(int most) {
      return !tooMany && hits.networks() <= most;
    }

    String reason(int most) {
      return tooMany
          ? "good mail: more than %d of its entries concern networks whose mail was accepted, too many to try"
              .formatted(AcceptedMail.MAX_ENTRIES)
          : "good mail: would refuse %d networks whose mail was accepted, max_good_hits is %d: %s"
              .formatted(hits.networks(), most, hits.names());
    }
  }

  /** Sessions that cannot be read are no reason to keep a version from going live. */
  private AcceptedMail acceptedMail(Side live) {
    AcceptedMail known = mail;
    if (known == null) {
      try {
        int goodSessions = parts.settings().get().feeds().promotion().goodNetwork();
        known = AcceptedMail.read(parts.accepted(), live.policy(), goodSessions);
        if (!known.shortfall().isEmpty()) {
          LOG.warn(
              "new versions of feeds are not compared with all accepted mail: {}",
              known.shortfall());
        }
      } catch (IOException e) {
        LOG.warn(
            "new versions of feeds are not compared with accepted mail: the sessions cannot be"
                + " read: {}",
            Faults.words(e));
        known = AcceptedMail.NONE;
      }
      mail = known;
    }
    return known;
  }

  private Trial trial(
      Source source,
      Side live,
      AcceptedMail accepted,
      VersionReader reader,
      FeedContent content,
      Judged judged,
      Predicate<ListEntry> counts)
      throws IOException {
    AcceptedMail.Concerned concerned = accepted.concerned();
    reader.live(
        content,
        judged.version(),
        entry -> {
          if (counts.test(entry)) {
            concerned.take(entry);
          }
        });
    if (concerned.tooMany()) {
      return new Trial(true, GoodHits.NONE);
    }
    List<ListEntry> entries = concerned.entries();
    if (entries.isEmpty()) {
      return new Trial(false, GoodHits.NONE);
    }
    Path directory = files.trial(source.name());
    try {
      return new Trial(
          false,
          new VersionTrial(live, parts.random(), parts.clock())
              .hits(source.name(), entries, accepted, directory));
    } finally {
      DurableFiles.deleteTree(directory);
    }
  }

  /**
   * Finds the entries that no version had which the operator let through, as long as these are
   * kept: a list may drop an entry and take it up again. Empty when there is no such version.
   */
  private Optional<Predicate<ListEntry>> notAcceptedBefore(
      Source source, VersionReader reader, Judged judged) throws IOException {
    @Nullable Predicate<ListEntry> unknown = null;
    for (FeedVersion version : files.versions(source.name())) {
      Optional<FeedArchive.Stored> accepted =
          version.accepted() == null || !version.isFrom(source)
              ? Optional.empty()
              : archive.whole(source.name(), version);
      if (accepted.isPresent()) {
        EntryKeys brought = judged.digest().newSince(Optional.of(reader.digest(accepted.get())));
        Predicate<ListEntry> isNew = entry -> entry.exception() || brought.contains(entry);
        unknown = unknown == null ? isNew : unknown.and(isNew);
      }
    }
    return Optional.ofNullable(unknown);
  }
}
