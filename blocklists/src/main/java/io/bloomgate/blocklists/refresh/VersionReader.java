package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.fetch.FetchResult.Acceptance;
import io.bloomgate.blocklists.fetch.Validators;
import io.bloomgate.blocklists.format.FeedContent;
import io.bloomgate.blocklists.format.FeedFormat;
import io.bloomgate.blocklists.format.ParseTotals;
import io.bloomgate.blocklists.format.ZoneLifetime;
import io.bloomgate.blocklists.generation.EntrySource;
import io.bloomgate.blocklists.generation.KnownGoodHits;
import io.bloomgate.blocklists.guard.DigestedVersion;
import io.bloomgate.blocklists.guard.EntryGuard;
import io.bloomgate.blocklists.guard.EntryKeys;
import io.bloomgate.blocklists.guard.FeedDiff;
import io.bloomgate.blocklists.guard.FeedDigest;
import io.bloomgate.blocklists.guard.FeedGuard;
import io.bloomgate.blocklists.guard.FeedGuard.Judgement;
import io.bloomgate.blocklists.guard.LiveEntries;
import io.bloomgate.blocklists.guard.ProtectedSet;
import io.bloomgate.blocklists.refresh.FeedVersion.FeedReading;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.FeedUrl;
import io.bloomgate.config.settings.Location;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.Settings.Feeds.Match;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads and judges versions of one feed under its settings. Made for each look; used on the
 * feed-refresher thread, and by {@link KeptVersions}.
 */
final class VersionReader {

  private final Settings.Feeds.Source source;
  private final EntryGuard guard;

  /** The same for versions that were judged while reserved networks were held back. */
  private final EntryGuard strict;

  private final FeedFiles files;

  /**
   * @param files where it is written which entries of a version list good senders
   */
  VersionReader(Settings.Feeds.Source source, List<ProtectedSet> noFeed, FeedFiles files) {
    // A list of good senders lists protected ones with good reason.
    List<ProtectedSet> protectedSets = source.action() == Action.TRUST ? List.of() : noFeed;
    this.source = source;
    this.files = files;
    this.guard = new EntryGuard(source.guard(), source.allowBogons(), protectedSets);
    this.strict =
        source.allowBogons() ? new EntryGuard(source.guard(), false, protectedSets) : guard;
  }

  Settings.Feeds.Source source() {
    return source;
  }

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
    static Text of(FeedArchive.Stored stored, @Nullable Decided leader) {
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
   * A version that was read, and what the guard says of it.
   *
   * @param digest of the version
   * @param live of the version that is live
   */
  record Judged(
      FeedVersion version, Judgement judgement, FeedDigest digest, Optional<FeedDigest> live) {

    /** The same, held for these reasons; as it was without any. */
    Judged heldFor(List<String> reasons) {
      return reasons.isEmpty()
          ? this
          : new Judged(version.waitingFor(reasons), judgement.heldFor(reasons), digest, live);
    }
  }

  /**
   * Reads and judges.
   *
   * @param live what is live now; the guard compares with it only if it comes from the same place
   * @param held entries that are held back, as they list good senders
   */
  Judged judge(Text text, long id, Instant now, Optional<FeedArchive.Stored> live, EntryKeys held)
      throws IOException {
    FeedContent content = text.content();
    FeedFormat format = formatNow(content);
    DigestedVersion read =
        DigestedVersion.read(
            content, format, source.match(), guard.reading(format).holdingToo(held));
    ParseTotals totals = ZoneLifetime.check(read.totals(), content, format, now);
    FeedDigest digest = read.digest();
    FeedReading reading = FeedReading.of(source, format.name());
    Optional<FeedDigest> before = Optional.empty();
    List<String> reasons = new ArrayList<>();
    if (live.isPresent()) {
      before = Optional.of(digest(live.get()));
    }
    Optional<FeedArchive.Stored> here = live.filter(v -> v.version().isFrom(source));
    if (here.isPresent()) {
      reasons.addAll(text.validators().olderThan(here.get().version().validators()));
      if (source.format().isEmpty()) {
        reasons.addAll(FeedReading.otherFormat(here.get().version().reading(), reading));
      }
    }
    Judgement judgement =
        FeedGuard.judge(
            source.guard(),
            totals,
            digest,
            here.isEmpty()
                ? Optional.empty()
                : before.map(d -> comparedWith(here.get().version(), reading, d)),
            content.looksLikeWebPage(),
            reasons);
    FeedVersion version =
        new FeedVersion(
            id,
            text.sha256(),
            reading,
            locationKey(source.location()),
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
    return new Judged(version, judgement, digest, before);
  }

  /** Another match or format spells every name in another way; that alone is no turnover. */
  private FeedDigest comparedWith(FeedVersion before, FeedReading now, FeedDigest digest) {
    return before.reading().spells(now) ? digest : digest.comparedByName();
  }

  /** The entries of a version, for the guard to compare another one with. */
  FeedDigest compared(FeedArchive.Stored before, FeedVersion with) throws IOException {
    return comparedWith(before.version(), with.reading(), digest(before));
  }

  /** True when the settings would read these octets as that version was read. */
  boolean readsAlike(FeedContent content, FeedVersion version) throws IOException {
    return version.reading().isAlike(source, formatNow(content).name());
  }

  /** The format of the settings, or else the one that the content seems to have. */
  private FeedFormat formatNow(FeedContent content) throws IOException {
    FeedFormat named = source.format().isEmpty() ? content.detect() : known(source.format());
    return named.forChecks(source.checks());
  }

  /** The entries of a stored version. */
  FeedDigest digest(FeedArchive.Stored stored) throws IOException {
    return digest(stored.content(), stored.version());
  }

  /** The same of octets that were not compared with their digest. */
  FeedDigest digest(FeedContent content, FeedVersion version) throws IOException {
    return DigestedVersion.read(content, formatOf(version), matchOf(version), guardOf(version))
        .digest();
  }

  /** The entries of a stored version that are held back and may be accepted. */
  FeedDigest heldBack(FeedContent content, FeedVersion version) throws IOException {
    return DigestedVersion.ofHeldBack(
            content, formatOf(version), matchOf(version), guardOf(version))
        .digest();
  }

  /**
   * The entries that {@code feeds accept} would list.
   *
   * @param heldEntries only what is held back of the version, as it is live itself
   */
  EntrySource acceptable(FeedContent content, FeedVersion version, boolean heldEntries)
      throws IOException {
    FeedFormat format = formatOf(version);
    EntryGuard holds = guardOf(version);
    EntryGuard accepted = acceptedOf(version);
    return consumer ->
        content.read(
            format,
            matchOf(version),
            heldEntries
                ? LiveEntries.heldBack(holds, new LiveEntries(accepted, consumer))
                : new LiveEntries(holds, consumer));
  }

  /** Hands over the entries of a judged version that go live, a range as its networks. */
  void live(FeedContent content, FeedVersion version, Consumer<? super ListEntry> entries)
      throws IOException {
    content.read(formatOf(version), matchOf(version), new LiveEntries(guardOf(version), entries));
  }

  /** The version when these entries are held back, as they list good senders. */
  FeedVersion holding(FeedArchive.Stored stored, EntryKeys held) throws IOException {
    FeedVersion version = stored.version();
    return version.holding(
        DigestedVersion.read(
                stored.content(),
                formatOf(version),
                matchOf(version),
                rulesOf(version).holdingToo(held))
            .digest());
  }

  /**
   * Hands over the entries of a text that no rule holds back, a range as its networks.
   *
   * @param version of which the text is, {@code null} for a new one
   */
  void ruled(FeedContent content, @Nullable FeedVersion version, Consumer<ListEntry> entries)
      throws IOException {
    FeedFormat format = version == null ? formatNow(content) : formatOf(version);
    EntryGuard rules = version == null ? guard.reading(format) : rulesOf(version);
    content.read(
        format,
        version == null ? source.match() : matchOf(version),
        new LiveEntries(rules, entries));
  }

  /** The entries of a stored version that go live. */
  EntrySource entries(FeedArchive.Stored stored) throws UnreadableException {
    FeedVersion version = stored.version();
    FeedFormat format = formatOf(version);
    EntryGuard holds;
    try {
      holds = version.entriesAccepted() ? acceptedOf(version) : guardOf(version);
    } catch (IOException e) {
      throw new UnreadableException(source.name(), version.id(), String.valueOf(e.getMessage()));
    }
    return consumer -> {
      Optional<String> damage;
      try {
        LiveEntries entries = new LiveEntries(holds, consumer);
        damage = stored.content().read(format, matchOf(version), entries).damage();
      } catch (IOException e) {
        damage = Optional.of(String.valueOf(e.getMessage()));
      }
      if (damage.isPresent()) {
        throw new UnreadableException(source.name(), version.id(), damage.get());
      }
    };
  }

  /**
   * A stored version, to be compared with another.
   *
   * @param accepted look at it as if the operator had accepted its held entries
   */
  FeedDiff.Side side(FeedContent content, FeedVersion version, boolean accepted)
      throws IOException {
    return new FeedDiff.Side(
        content,
        formatOf(version),
        matchOf(version),
        accepted || version.entriesAccepted() ? acceptedOf(version) : guardOf(version));
  }

  /** Something that is not stored, to be compared with what is. */
  FeedDiff.Side side(FeedContent content) throws IOException {
    FeedFormat format = formatNow(content);
    return new FeedDiff.Side(content, format, source.match(), guard.reading(format));
  }

  private FeedFormat formatOf(FeedVersion version) throws UnreadableException {
    try {
      return known(version.format());
    } catch (IOException e) {
      throw new UnreadableException(source.name(), version.id(), String.valueOf(e.getMessage()));
    }
  }

  private @Nullable Match matchOf(FeedVersion version) {
    return version.reading().match();
  }

  private EntryGuard guardOf(FeedVersion version) throws IOException {
    return rulesOf(version).holdingToo(files.good(version, source.name()));
  }

  private EntryGuard rulesOf(FeedVersion version) throws UnreadableException {
    return (version.reading().allowBogons() ? guard : strict).reading(formatOf(version));
  }

  private EntryGuard acceptedOf(FeedVersion version) throws UnreadableException {
    return guard.reading(formatOf(version)).accepted();
  }

  /** Another format than the one that was named would read other entries. */
  private FeedFormat known(String name) throws IOException {
    return switch (FeedFormat.named(name)) {
      case FeedFormat.Lookup.Known(FeedFormat format) -> format;
      case FeedFormat.Lookup.Unknown(String hint) ->
          throw new IOException("feed " + source.name() + " has an unknown format; " + hint);
    };
  }

  /** A digest that differs for each location, without showing what may be secret in it. */
  static String locationKey(Location location) {
    String text =
        switch (location) {
          case Location.Url url -> url.url().text();
          case Location.Rsync(FeedUrl url) -> url.text();
          case Location.Files(String pattern) -> pattern;
        };
    return Fingerprint.ofText(text).toString();
  }

  /** A stored version cannot be read, or not as it was read when it was judged. */
  static final class UnreadableException extends IOException {

    private static final long serialVersionUID = 1L;

    private final String feed;
    private final long version;

    UnreadableException(String feed, long version, String why) {
      super("stored version " + version + " of feed " + feed + " is damaged: " + why);
      this.feed = feed;
      this.version = version;
    }

    String feed() {
      return feed;
    }

    long version() {
      return version;
    }
  }
}
