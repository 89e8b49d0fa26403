package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.fetch.FetchResult.Acceptance;
import io.bloomgate.blocklists.fetch.Validators;
import io.bloomgate.blocklists.format.Octets;
import io.bloomgate.blocklists.generation.KnownGoodHits;
import io.bloomgate.blocklists.guard.EntryGuard;
import io.bloomgate.blocklists.guard.FeedDigest;
import io.bloomgate.blocklists.guard.FeedGuard;
import io.bloomgate.blocklists.guard.HeldEntry;
import io.bloomgate.config.json.JsonRecords.Inline;
import io.bloomgate.config.json.JsonRecords.Named;
import io.bloomgate.config.json.JsonRecords.Rare;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.settings.Settings.Feeds.Match;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A version of a feed whose octets are stored. Immutable; written beside the octets by {@link
 * FeedFiles}.
 *
 * @param id grows with every stored version of the feed
 * @param sha256 over the octets as fetched
 * @param reading how they were read
 * @param location where they came from, as a digest that shows no credentials
 * @param fetched when
 * @param found what was read of it, and what the guard said
 * @param validators to ask the source with
 * @param accepted who let it through, {@code null} when it was not accepted
 * @param liveSince when it first went live, {@code null} while it never was
 */
record FeedVersion(
    @Named("version") long id,
    String sha256,
    @Inline FeedReading reading,
    @Rare String location,
    Instant fetched,
    @Inline Found found,
    Validators validators,
    @Inline @Rare @Nullable Acceptance accepted,
    @Nullable Instant liveSince) {

  /**
   * The counts of its lines and entries, and the words of the guard.
   *
   * @param lines of the text
   * @param entries distinct entries that list something, those held back included
   * @param invalid bad lines
   * @param heldEntries entries that do not go live
   * @param reasons of the guard
   * @param held some of the entries that do not count, by name
   * @param knownGood what {@code feeds accept} would list of the known-good set: the version that
   *     waits, or its held entries
   */
  record Found(
      long lines,
      long entries,
      long invalid,
      long heldEntries,
      List<String> reasons,
      List<HeldEntry> held,
      KnownGoodHits knownGood) {
    Found {
      reasons = List.copyOf(reasons);
      held = List.copyOf(held);
    }

    private Found with(long nowHeld, List<String> why, List<HeldEntry> some, KnownGoodHits hits) {
      return new Found(lines, entries, invalid, nowHeld, why, some, hits);
    }
  }

  long entries() {
    return found.entries;
  }

  long invalid() {
    return found.invalid;
  }

  long heldEntries() {
    return found.heldEntries;
  }

  List<String> reasons() {
    return found.reasons;
  }

  List<HeldEntry> held() {
    return found.held;
  }

  KnownGoodHits knownGood() {
    return found.knownGood;
  }

  private FeedVersion with(
      Found newFound,
      Validators newValidators,
      @Nullable Acceptance by,
      @Nullable Instant newLiveSince) {
    return new FeedVersion(
        id, sha256, reading, location, fetched, newFound, newValidators, by, newLiveSince);
  }

  /** The same, to wait for the operator for these reasons too. */
  FeedVersion waitingFor(List<String> more) {
    List<String> all = Stream.concat(more.stream(), reasons().stream()).toList();
    return with(
        found.with(heldEntries(), all, held(), knownGood()), validators, accepted, liveSince);
  }

  /** The same with what an acceptance would list of the known-good set. */
  FeedVersion with(KnownGoodHits hits) {
    return with(
        found.with(heldEntries(), reasons(), held(), hits), validators, accepted, liveSince);
  }

  /** The same when the entries that are held back are now those of this digest. */
  FeedVersion holding(FeedDigest digest) {
    List<String> all = new ArrayList<>(versionReasons());
    all.addAll(FeedGuard.entryReasons(digest));
    Found now = found.with(digest.heldEntries(), all, digest.heldSamples(), knownGood());
    return with(now, validators, accepted, liveSince);
  }

  FeedVersion with(Validators newer) {
    return with(found, newer, accepted, liveSince);
  }

  FeedVersion with(@Nullable Acceptance by) {
    return with(found, validators, by, liveSince);
  }

  /** The version after it went live; when it was live before, the first time counts. */
  FeedVersion wentLive(Instant now) {
    return with(found, validators, accepted, liveSince == null ? now : liveSince);
  }

  /**
   * The version after its octets were lost or changed: it is not live any more, and cannot be
   * again.
   */
  FeedVersion lost() {
    return with(found, validators, null, null);
  }

  /** True when entries of it are held back, as they list good senders. */
  boolean holdsGood() {
    return isHeldFor(EntryGuard.GOOD_SENDERS);
  }

  private boolean isHeldFor(String reason) {
    return held().stream().anyMatch(entry -> entry.reason().equals(reason));
  }

  /** True when the operator let its held entries through. */
  boolean entriesAccepted() {
    return accepted != null && accepted.entries();
  }

  /** True when some of its entries do not go live and the operator has not spoken of them. */
  boolean holdsEntries() {
    return heldEntries() > 0 && !entriesAccepted();
  }

  /** True when something is to be said of entries that go live. */
  boolean hasNotes() {
    return held().stream().anyMatch(entry -> FeedGuard.isNote(entry.reason()));
  }

  /** The reasons for entries that are held back, without those for the version as a whole. */
  List<String> entryReasons() {
    return reasons().stream().filter(this::isOfEntries).toList();
  }

  /** The reasons for the version as a whole. */
  List<String> versionReasons() {
    return reasons().stream().filter(reason -> !isOfEntries(reason)).toList();
  }

  private boolean isOfEntries(String reason) {
    return held().stream().anyMatch(entry -> reason.endsWith(" " + entry.reason()));
  }

  /** The name of the version in answers. */
  ListingOrigin.Version name() {
    return new ListingOrigin.Version(id, fetched, sha256);
  }

  /** The name of the format in which it was read. */
  String format() {
    return reading.format();
  }

  /** True when it came from where the settings say now. */
  boolean isFrom(Source source) {
    return location.equals(VersionReader.locationKey(source.location()));
  }

  /** True when it is live or was. */
  boolean wasLive() {
    return liveSince != null;
  }

  /** True when a build may take it: it was live, or the operator let it through. */
  boolean mayBeLive() {
    return wasLive() || accepted != null;
  }

  /**
   * The way in which a version of a feed was read when it was judged. What is live is read that way
   * again at every build, whatever the settings say by then: another way makes another list of the
   * same octets, and no list goes live unjudged. Immutable.
   *
   * @param format by name, as it was written or found
   * @param match {@code null} where the format decides
   * @param allowBogons whether reserved networks were let through
   * @param rules digest of the guard under which it was judged
   */
  record FeedReading(
      String format, @Nullable Match match, boolean allowBogons, @Rare String rules) {

    private static final String ANY_LINES = "lines";

    /** Formats of which {@code lines} reads each line as they do. */
    private static final Set<String> NARROW_LINES = Set.of("ips", "domains");

    /** The way that the settings want, in this format. */
    static FeedReading of(Source source, String format) {
      return new FeedReading(format, source.match(), source.allowBogons(), rules(source));
    }

    private static String rules(Source source) {
      return Fingerprint.ofText(source.guard().toString()).toString();
    }

    /**
     * True when the settings make the same list of the same octets, or a smaller one: reserved
     * networks that are no longer allowed are left out at the next build anyway.
     *
     * @param formatNow in which the octets would be read now
     */
    boolean isAlike(Source source, String formatNow) {
      return format.equals(formatNow)
          && match == source.match()
          && (allowBogons || !source.allowBogons());
    }

    /**
     * True when the other was read in the same way, so that both list alike what they have in
     * common.
     */
    boolean lists(FeedReading other) {
      return format.equals(other.format)
          && match == other.match
          && allowBogons == other.allowBogons;
    }

    /** True when the other would write each entry of the same octets alike. */
    boolean spells(FeedReading other) {
      return format.equals(other.format) && match == other.match;
    }

    /**
     * The reason why a version whose format was found must wait when it is another one than the
     * live version's; empty when it is the same, or the one reads each line of the other alike.
     */
    static List<String> otherFormat(FeedReading live, FeedReading now) {
      String before = withoutChecks(live.format);
      String after = withoutChecks(now.format);
      boolean wider =
          (before.equals(ANY_LINES) && NARROW_LINES.contains(after))
              || (after.equals(ANY_LINES) && NARROW_LINES.contains(before));
      return before.equals(after) || wider
          ? List.of()
          : List.of(
              "format: this version reads as %s, the live one as %s; name the format in the settings to read both alike"
                  .formatted(Octets.escape(after), Octets.escape(before)));
    }

    /**
     * The format without the checks of a list of URLs: they decide what it gives, but it is one
     * format.
     */
    private static String withoutChecks(String format) {
      return format.startsWith("urls:") ? "urls" : format;
    }

    /** True when the guard of the settings is the one that judged. */
    boolean wasJudgedBy(Source source) {
      return rules.equals(rules(source));
    }
  }
}
