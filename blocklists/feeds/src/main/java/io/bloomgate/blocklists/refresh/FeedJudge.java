package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.fetch.FetchResult.Acceptance;
import io.bloomgate.blocklists.fetch.Validators;
import io.bloomgate.blocklists.format.FeedContent;
import io.bloomgate.blocklists.format.FeedFormat;
import io.bloomgate.blocklists.format.ParseTotals;
import io.bloomgate.blocklists.generation.KnownGoodHits;
import io.bloomgate.blocklists.guard.DigestedVersion;
import io.bloomgate.blocklists.guard.EntryKeys;
import io.bloomgate.blocklists.guard.FeedDigest;
import io.bloomgate.blocklists.guard.FeedGuard;
import io.bloomgate.blocklists.guard.FeedGuard.Judgement;
import io.bloomgate.blocklists.guard.FeedGuard.Verdict;
import io.bloomgate.blocklists.guard.GuardedText;
import io.bloomgate.blocklists.refresh.FeedVersion.FeedReading;
import io.bloomgate.blocklists.refresh.VersionReader.Stored;
import io.bloomgate.blocklists.senders.GoodHosts;
import io.bloomgate.blocklists.senders.GoodSenders;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Judges the text of a feed: reads it, holds entries back, and compares it with what is live and
 * what was live a day ago. Pure: it reads the octets that it is given, and changes nothing. Made by
 * {@link FeedIntake} for each text, on the feed-refresher thread.
 *
 * @param reader of the feed, by whose settings it is judged
 */
record FeedJudge(VersionReader reader) {

  /** Entries of a version that are looked at one by one. */
  private static final int MAX_PICKED = 100_000;

  /**
   * Octets that are to be judged.
   *
   * @param sha256 of the content
   * @param fetched when
   * @param leader what the leader of the fleet decided about them; {@code null} where this gateway
   *     decides
   */
  record Text(
      FeedContent content,
      String sha256,
      Validators validators,
      Instant fetched,
      @Nullable Decided leader) {

    /** The text of a stored version. */
    static Text of(Stored stored, @Nullable Decided leader) {
      FeedVersion version = stored.version();
      return new Text(
          stored.content(), version.sha256(), version.validators(), version.fetched(), leader);
    }
  }

  /**
   * The decision of the leader of the fleet about a version that it has live.
   *
   * @param accepted who let it through there, {@code null} where its guard did
   * @param held entries that it holds back, as they list good senders
   */
  record Decided(@Nullable Acceptance accepted, EntryKeys held) {}

  /**
   * The versions and hosts that a text is compared with.
   *
   * @param live what is live
   * @param yesterday finds what was live a day ago, for a version that is read in this way
   * @param good hosts whose mail was accepted
   */
  record Before(
      Optional<Stored> live,
      Function<FeedVersion, Optional<Stored>> yesterday,
      Supplier<GoodHosts> good) {}

  /**
   * A version that was read, and what the guard says of it.
   *
   * @param stored the version, and which entries are held back as they list good senders
   * @param digest of the version
   * @param live of the version that is live
   * @param spared it passes only without the entries that are held back
   */
  record Judged(
      Stored stored,
      Judgement judgement,
      FeedDigest digest,
      Optional<FeedDigest> live,
      boolean spared) {

    FeedVersion version() {
      return stored.version();
    }

    Verdict verdict() {
      return judgement.verdict();
    }

    /** The same, held for these reasons; as it was without any. */
    private Judged heldFor(List<String> reasons) {
      Stored waiting = new Stored(version().waitingFor(reasons), stored.content(), stored.good());
      return reasons.isEmpty()
          ? this
          : new Judged(waiting, judgement.heldFor(reasons), digest, live, spared);
    }

    private Judged sparing(boolean nowSpared) {
      return new Judged(stored, judgement, digest, live, nowSpared);
    }
  }

  private Source source() {
    return reader.source();
  }

  /** Reads and judges a text as version {@code id}. */
  Judged judge(Text text, long id, Before before) throws IOException {
    Decided leader = text.leader();
    if (leader != null) {
      // The leader compared it with the version before; here it must only be a list at all.
      return read(text, id, Optional.empty(), Optional.empty(), leader.held());
    }
    Optional<Stored> live = before.live();
    Optional<FeedDigest> liveDigest =
        live.isEmpty() ? Optional.empty() : Optional.of(reader.digest(live.get()));
    EntryKeys held =
        live.filter(stored -> !stored.version().entriesAccepted())
            .map(Stored::good)
            .orElse(EntryKeys.NONE);
    Judged judged = read(text, id, live, liveDigest, EntryKeys.NONE);
    boolean holds = judged.verdict() == Verdict.HOLD;
    if (holds && GoodSenders.isAsked(source())) {
      // Perhaps only what lists good senders is too much: entries are held for that, no version.
      held = touching(judged.stored, before.good().get(), held);
    }
    if (held.size() > 0 && judged.verdict() != Verdict.REJECT) {
      Judged without = read(text, id, live, liveDigest, held);
      judged = without.verdict().goesLive() || !holds ? without.sparing(holds) : judged;
    }
    return judged.verdict().goesLive() ? overADay(judged, before) : judged;
  }

  /** Small steps that each pass may be a large one within a day. */
  private Judged overADay(Judged judged, Before before) throws IOException {
    Optional<Stored> yesterday = before.yesterday().apply(judged.version());
    return yesterday.isEmpty()
        ? judged
        : judged.heldFor(
            FeedGuard.overADay(
                source().guard(),
                judged.digest,
                judged.live.orElseThrow(),
                compared(
                    yesterday.get().version(),
                    judged.version().reading(),
                    reader.digest(yesterday.get()))));
  }

  /**
   * Reads, and judges by one comparison.
   *
   * @param live what is live now; the guard compares with it only if it comes from the same place
   * @param before the entries of what is live
   * @param held entries that are held back, as they list good senders
   */
  private Judged read(
      Text text, long id, Optional<Stored> live, Optional<FeedDigest> before, EntryKeys held)
      throws IOException {
    FeedContent content = text.content();
    FeedFormat format = reader.formatNow(content);
    DigestedVersion read =
        new GuardedText(content, format, source().match(), reader.guard(format).holdingToo(held))
            .digested();
    ParseTotals totals = read.totals();
    FeedDigest digest = read.digest();
    FeedReading reading = FeedReading.of(source(), format.name());
    List<String> reasons = new ArrayList<>();
    Optional<FeedVersion> here = live.map(Stored::version).filter(v -> v.isFrom(source()));
    if (here.isPresent()) {
      reasons.addAll(text.validators().olderThan(here.get().validators()));
      if (source().format().isEmpty()) {
        reasons.addAll(FeedReading.otherFormat(here.get().reading(), reading));
      }
    }
    Judgement judgement =
        FeedGuard.judge(
            source().guard(),
            read,
            here.flatMap(version -> before.map(d -> compared(version, reading, d))),
            content.looksLikeWebPage(),
            reasons);
    FeedVersion version =
        new FeedVersion(
            id,
            text.sha256(),
            reading,
            VersionReader.locationKey(source().location()),
            text.fetched(),
            new FeedVersion.Found(
                totals.lines(),
                digest.entries() + digest.exceptions(),
                totals.invalid(),
                digest.heldEntries(),
                judgement.reasons(),
                digest.heldSamples(),
                KnownGoodHits.NONE),
            text.validators(),
            null,
            null);
    return new Judged(new Stored(version, content, held), judgement, digest, before, false);
  }

  /** Another match or format spells every name in another way; that alone is no turnover. */
  private static FeedDigest compared(FeedVersion before, FeedReading now, FeedDigest digest) {
    return before.reading().spells(now) ? digest : digest.comparedByName();
  }

  /**
   * Networks of a text that hold one of these hosts, and what is held back already; of too many
   * only that.
   */
  private EntryKeys touching(Stored text, GoodHosts good, EntryKeys held) throws IOException {
    List<ListEntry> found =
        picked(
            reader,
            text,
            entry ->
                held.contains(entry)
                    || (entry instanceof ListEntry.Network(IpPrefix prefix, var out, var line)
                        && good.touches(prefix)));
    return found.size() > MAX_PICKED ? held : EntryKeys.of(found);
  }

  /**
   * The entries that are wanted of those that no rule holds back, each once; at most one more than
   * {@link #MAX_PICKED}.
   */
  static List<ListEntry> picked(VersionReader reader, Stored text, Predicate<ListEntry> wanted)
      throws IOException {
    Map<ListEntry, ListEntry> found = new LinkedHashMap<>();
    reader
        .text(text.holding(EntryKeys.NONE))
        .live(entry -> {
          if (!entry.exception() && found.size() <= MAX_PICKED && wanted.test(entry)) {
            found.putIfAbsent(entry.with(false, 0), entry);
          }
        });
    return List.copyOf(found.values());
  }
}
