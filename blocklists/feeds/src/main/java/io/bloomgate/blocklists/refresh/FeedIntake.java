package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.fetch.FetchResult.Acceptance;
import io.bloomgate.blocklists.fetch.FetchResult.OfLeader;
import io.bloomgate.blocklists.fetch.Validators;
import io.bloomgate.blocklists.format.FeedContent;
import io.bloomgate.blocklists.guard.EntryKeys;
import io.bloomgate.blocklists.guard.FeedGuard.Verdict;
import io.bloomgate.blocklists.refresh.FeedIntake.Candidate.Origin;
import io.bloomgate.blocklists.refresh.FeedJudge.Decided;
import io.bloomgate.blocklists.refresh.FeedJudge.Judged;
import io.bloomgate.blocklists.refresh.FeedJudge.Text;
import io.bloomgate.blocklists.refresh.VersionReader.Stored;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what happens to the content of a feed: it is known already, or it is judged and goes live
 * with the next generation, waits for the operator, or is refused. Texts come from the source, and
 * once more from the store when the settings read or judge them in another way than before. Made
 * for each refresh; used on the feed-refresher thread.
 *
 * @param candidates the versions that are to go live, by feed
 */
record FeedIntake(
    RefreshParts parts,
    FeedArchive archive,
    ListPublisher publisher,
    FeedOutcomes outcomes,
    Map<String, Candidate> candidates) {

  FeedIntake(
      RefreshParts parts, FeedArchive archive, ListPublisher publisher, FeedOutcomes outcomes) {
    this(parts, archive, publisher, outcomes, new LinkedHashMap<>());
  }

  private static final Logger LOG = LoggerFactory.getLogger(FeedIntake.class);

  private FeedFiles files() {
    return archive.files();
  }

  /**
   * A stored version that passed the guard and is to go live. Immutable.
   *
   * @param origin how it came to be judged
   */
  record Candidate(FeedVersion version, Origin origin) {

    /** The origin of the octets. */
    enum Origin {
      /** The source had them just now. */
      FETCHED,
      /** The octets waited for the operator, and the guard of today lets them through. */
      HELD,
      /** The octets are live, and the settings read them in another way. */
      LIVE
    }
  }

  /**
   * The version that the source had when it was asked last, so that it need not send that again:
   * one that waits, else one that the operator rolled back from, else the live one. None where
   * another location, or another way of reading, would give another list.
   */
  Optional<FeedVersion> known(Source source) throws IOException {
    FeedRecord record = archive.get(source.name());
    Optional<FeedVersion> version =
        files()
            .version(source.name(), record.held())
            .filter(v -> v.isFrom(source))
            .or(() ->
                files().versions(source.name()).stream()
                    .filter(v -> record.isRolledBack(v.id()))
                    .findFirst())
            .or(() -> files().version(source.name(), record.live()));
    return version.isPresent() && isKnown(source, version.get()) ? version : Optional.empty();
  }

  private boolean isKnown(Source source, FeedVersion version) throws IOException {
    return version.isFrom(source)
        && parts.reader(source).readsAlike(files().content(source.name(), version.id()), version);
  }

  /**
   * The source says that it still has a version.
   *
   * @param asked number of that version
   */
  void notModified(Source source, long asked) throws IOException {
    FeedRecord record = archive.get(source.name());
    if (asked == 0) {
      String why = "the source says that nothing changed, but the request did not name a version";
      outcomes.failed(source, LastCheck.FAILED, why, Optional.empty());
      return;
    }
    Optional<FeedVersion> held = files().version(source.name(), record.held());
    if (held.isPresent() && held.get().id() == asked) {
      outcomes.held(source, held.get(), true);
    } else if (asked == record.live() || record.isRolledBack(asked)) {
      unchanged(source);
    } else {
      outcomes.unclear(source);
    }
  }

  /**
   * The source has this.
   *
   * @param leader what the leader of the fleet decided about it, {@code null} where this gateway
   *     decides
   */
  void fetched(Source source, FeedContent content, Validators validators, @Nullable OfLeader leader)
      throws IOException {
    outcomes.report(source.name(), "reading");
    FeedRecord record = archive.get(source.name());
    Decided decided = leader == null ? null : decided(leader);
    Text text = new Text(content, content.sha256(), validators, parts.now(), decided);
    Optional<FeedVersion> live = same(source, text, files().version(source.name(), record.live()));
    if (live.isPresent() && (decided == null || isDecidedSo(source, live.get(), decided))) {
      FeedVersion version = live.get();
      files().update(source.name(), version.with(version.validators().and(validators)));
      unchanged(source);
      return;
    }
    for (FeedVersion left : files().versions(source.name())) {
      if (record.isRolledBack(left.id()) && same(source, text, Optional.of(left)).isPresent()) {
        files().update(source.name(), left.with(validators));
        unchanged(source);
        return;
      }
    }
    Optional<FeedVersion> held = same(source, text, files().version(source.name(), record.held()));
    judge(
        source,
        text,
        held.isPresent() ? held.get().id() : archive.nextId(source.name()),
        Origin.FETCHED);
  }

  private static Decided decided(OfLeader leader) throws IOException {
    if (leader.held().isEmpty()) {
      return new Decided(leader.accepted(), EntryKeys.NONE);
    }
    EntryKeys held = EntryKeys.open(leader.held().get());
    Files.delete(leader.held().get());
    return new Decided(leader.accepted(), held);
  }

  /** The leader may hold other entries of the same octets back, or an operator accepted them. */
  private boolean isDecidedSo(Source source, FeedVersion version, Decided decided)
      throws IOException {
    boolean accepts = decided.accepted() != null && decided.accepted().entries();
    return version.entriesAccepted()
        || (!accepts && files().stored(source.name(), version).good().hasSame(decided.held()));
  }

  /** The version if it is of these octets, read in the way of today, and still whole. */
  private Optional<FeedVersion> same(Source source, Text text, Optional<FeedVersion> version)
      throws IOException {
    Optional<FeedVersion> alike =
        version.filter(v -> v.isFrom(source) && v.sha256().equals(text.sha256()));
    return alike.isPresent()
            && parts.reader(source).readsAlike(text.content(), alike.get())
            && archive.whole(source.name(), alike.get()).isPresent()
        ? alike
        : Optional.empty();
  }

  /**
   * The settings may read what is stored in another way: judges it again, the version that waits
   * or, where none does, the live one. What is live stays as it was read until that has passed.
   */
  void reread(Source source) throws IOException {
    String name = source.name();
    FeedRecord record = archive.get(name);
    if (record.outcome() == LastCheck.ENDED) {
      // Perhaps this text ended the process: it is not read again before its time.
      return;
    }
    Optional<Stored> held =
        archive.whole(name, record.held()).filter(v -> v.version().isFrom(source));
    if (held.isPresent()) {
      FeedVersion version = held.get().version();
      if (!version.reading().wasJudgedBy(source) || !isKnown(source, version)) {
        Text text = Text.of(held.get(), null);
        judge(source, text, version.id(), Origin.HELD);
      }
      return;
    }
    Optional<FeedVersion> live = files().version(name, record.live()).filter(v -> v.isFrom(source));
    if (live.isEmpty() || isKnown(source, live.get())) {
      return;
    }
    Optional<Stored> whole = archive.whole(name, live.get());
    if (whole.isPresent()) {
      LOG.info("feed {}: it is judged again, for other settings", name);
      Decided decided =
          parts.isLed(name) ? new Decided(live.get().accepted(), whole.get().good()) : null;
      judge(source, Text.of(whole.get(), decided), archive.nextId(name), Origin.LIVE);
    }
  }

  private void judge(Source source, Text text, long id, Origin origin) throws IOException {
    String name = source.name();
    outcomes.begin(source, id);
    Decided leader = text.leader();
    Judged judged =
        new FeedJudge(parts.reader(source)).judge(text, id, before(source, leader != null));
    if (leader == null) {
      parts.breaker().keepHeld(name, judged.spared());
    }
    Verdict verdict = judged.verdict();
    if (verdict == Verdict.REJECT) {
      reject(source, judged);
      return;
    }
    boolean goesLive = leader != null || verdict.goesLive();
    FeedVersion version = judged.version();
    if (leader != null || verdict != Verdict.ACCEPT) {
      version = withKnownGood(source, judged, goesLive);
    }
    files().saveGood(name, judged.stored());
    if (leader != null) {
      version = acceptedAsThere(name, version, leader.accepted());
    }
    keep(name, version, origin);
    if (goesLive) {
      candidates.put(name, new Candidate(version, origin));
      outcomes.report(name, "accepted");
      return;
    }
    long before = archive.get(name).held();
    outcomes.held(source, version, origin == Origin.FETCHED);
    if (before != 0 && before != id) {
      files().remove(name, before);
    }
  }

  private void keep(String name, FeedVersion version, Origin origin) throws IOException {
    if (files().version(name, version.id()).isPresent()) {
      files().update(name, version); // it waits, and was judged again
    } else if (origin == Origin.LIVE) {
      files().keepAgain(name, archive.get(name).live(), version);
    } else {
      files().keep(name, version);
    }
  }

  /** The versions and hosts that a new text is compared with; what a leader decided is not. */
  private FeedJudge.Before before(Source source, boolean led) {
    String name = source.name();
    return new FeedJudge.Before(
        led ? Optional.empty() : archive.wholeLive(name),
        version ->
            VersionOfYesterday.of(files().versions(name), archive.get(name), version, parts.now())
                .flatMap(yesterday -> archive.whole(name, yesterday)),
        () -> parts.goodMail().senders().good(source.guard().knownAfter(), parts.now()));
  }

  private void reject(Source source, Judged judged) throws IOException {
    String reasons = String.join("; ", judged.judgement().reasons());
    if (judged.version().entries() == 0) {
      FeedContent content = judged.stored().content();
      reasons += content.notice().map(said -> "; the list says: " + said).orElse("");
    }
    LOG.warn("feed {}: new version rejected: {}", source.name(), reasons);
    outcomes.failed(source, LastCheck.REJECTED, "rejected: " + reasons, Optional.empty());
  }

  /** Takes the acceptance of an operator of the leader: none is asked for here. */
  private FeedVersion acceptedAsThere(String name, FeedVersion version, @Nullable Acceptance by) {
    if (by == null) {
      return version;
    }
    LOG.info(
        "feed {}: version {} was accepted by {} on the leader: {}",
        name,
        version.id(),
        by.by(),
        String.join("; ", version.reasons()));
    if (by.entries()) {
      parts.breaker().accept(name);
    }
    return version.with(by);
  }

  /**
   * Adds the good senders that it would list, so that the operator gets their names before
   * accepting it.
   */
  private FeedVersion withKnownGood(Source source, Judged judged, boolean heldEntries)
      throws IOException {
    FeedVersion version = judged.version();
    boolean known = !heldEntries || version.holdsGood();
    return version.with(publisher.knownGood(judged.stored(), source, heldEntries, known));
  }

  private void unchanged(Source source) throws IOException {
    long held = archive.get(source.name()).held();
    outcomes.unchanged(source);
    if (held != 0) {
      files().remove(source.name(), held);
    }
  }
}
