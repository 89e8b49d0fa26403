package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.fetch.FetchResult.Acceptance;
import io.bloomgate.blocklists.fetch.Validators;
import io.bloomgate.blocklists.guard.EntryGuard;
import io.bloomgate.blocklists.guard.FeedDigest;
import io.bloomgate.blocklists.guard.FeedGuard;
import io.bloomgate.blocklists.guard.HeldEntry;
import io.bloomgate.blocklists.guard.KnownGoodHits;
import io.bloomgate.config.json.JsonRecords.Inline;
import io.bloomgate.config.json.JsonRecords.Named;
import io.bloomgate.config.json.JsonRecords.Rare;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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
 * @param lines of the text
 * @param entries distinct entries that list something, those held back included
 * @param invalid bad lines
 * @param heldEntries entries that do not go live
 * @param reasons of the guard
 * @param held some of the entries that do not count, by name
 * @param knownGood what {@code feeds accept} would list of the known-good set: the version that
 *     waits, or its held entries
 * @param accepted who let it through, {@code null} when it was not accepted
 * @param liveSince when it first went live, {@code null} while it never was
 */
record FeedVersion(
    @Named("version") long id,
    String sha256,
    @Inline FeedReading reading,
    @Rare String location,
    Instant fetched,
    Validators validators,
    long lines,
    long entries,
    long invalid,
    long heldEntries,
    List<String> reasons,
    List<HeldEntry> held,
    KnownGoodHits knownGood,
    @Inline @Rare @Nullable Acceptance accepted,
    @Nullable Instant liveSince) {

  FeedVersion {
    reasons = List.copyOf(reasons);
    held = List.copyOf(held);
  }

  /** True when entries of it are held back, as they list good senders. */
  boolean holdsGood() {
    return held.stream().anyMatch(entry -> entry.reason().equals(EntryGuard.GOOD_SENDERS));
  }

  /** The same, to wait for the operator for these reasons too. */
  FeedVersion waitingFor(List<String> more) {
    return with(
        heldEntries, Stream.concat(more.stream(), reasons.stream()).toList(), held, knownGood);
  }

  /** True when the operator let its held entries through. */
  boolean entriesAccepted() {
    return accepted != null && accepted.entries();
  }

  /** True when some of its entries do not go live and the operator has not spoken of them. */
  boolean holdsEntries() {
    return heldEntries > 0 && !entriesAccepted();
  }

  /** True when something is to be said of entries that go live. */
  boolean hasNotes() {
    return held.stream().anyMatch(entry -> FeedGuard.isNote(entry.reason()));
  }

  /** The reasons for entries that are held back, without those for the version as a whole. */
  List<String> entryReasons() {
    return reasons.stream().filter(this::isOfEntries).toList();
  }

  /** The reasons for the version as a whole. */
  List<String> versionReasons() {
    return reasons.stream().filter(reason -> !isOfEntries(reason)).toList();
  }

  private boolean isOfEntries(String reason) {
    return held.stream().anyMatch(entry -> reason.endsWith(" " + entry.reason()));
  }

  FeedVersion with(Validators newer) {
    return with(newer, accepted, liveSince);
  }

  FeedVersion with(@Nullable Acceptance by) {
    return with(validators, by, liveSince);
  }

  /** The version after it went live; when it was live before, the first time counts. */
  FeedVersion wentLive(Instant now) {
    return with(validators, accepted, liveSince == null ? now : liveSince);
  }

  private FeedVersion with(
      Validators newValidators, @Nullable Acceptance by, @Nullable Instant newLiveSince) {
    return new FeedVersion(
        id,
        sha256,
        reading,
        location,
        fetched,
        newValidators,
        lines,
        entries,
        invalid,
        heldEntries,
        reasons,
        held,
        knownGood,
        by,
        newLiveSince);
  }

  /**
   * The version after its octets were lost or changed: it is not live any more, and cannot be
   * again.
   */
  FeedVersion lost() {
    return with(validators, null, null);
  }

  /** The same with what an acceptance would list of the known-good set. */
  FeedVersion with(KnownGoodHits hits) {
    return with(heldEntries, reasons, held, hits);
  }

  /** The same when the entries that are held back are now those of this digest. */
  FeedVersion holding(FeedDigest digest) {
    List<String> all = new ArrayList<>(versionReasons());
    all.addAll(FeedGuard.entryReasons(digest));
    return with(digest.heldEntries(), all, digest.heldSamples(), knownGood);
  }

  private FeedVersion with(
      long nowHeld, List<String> nowReasons, List<HeldEntry> samples, KnownGoodHits hits) {
    return new FeedVersion(
        id,
        sha256,
        reading,
        location,
        fetched,
        validators,
        lines,
        entries,
        invalid,
        nowHeld,
        nowReasons,
        samples,
        hits,
        accepted,
        liveSince);
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
}
