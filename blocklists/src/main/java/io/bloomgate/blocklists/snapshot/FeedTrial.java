package io.bloomgate.blocklists.snapshot;

import io.bloomgate.blocklists.feed.DigestedVersion;
import io.bloomgate.blocklists.feed.EntryGuard;
import io.bloomgate.blocklists.feed.FeedContent;
import io.bloomgate.blocklists.feed.FeedDiff;
import io.bloomgate.blocklists.feed.FeedDigest;
import io.bloomgate.blocklists.feed.FeedFormat;
import io.bloomgate.blocklists.feed.FeedGuard;
import io.bloomgate.blocklists.feed.FeedGuard.Judgement;
import io.bloomgate.blocklists.feed.FeedSink;
import io.bloomgate.blocklists.feed.HeldBack;
import io.bloomgate.blocklists.feed.LiveEntries;
import io.bloomgate.blocklists.feed.ParseTotals;
import io.bloomgate.blocklists.feed.ProtectedSet;
import io.bloomgate.blocklists.feed.PublishedDate;
import io.bloomgate.blocklists.feed.Validators;
import io.bloomgate.blocklists.feed.ZoneLifetime;
import io.bloomgate.blocklists.knowngood.KnownGoodCheck;
import io.bloomgate.blocklists.knowngood.KnownGoodHits;
import io.bloomgate.blocklists.knowngood.KnownGoodSet;
import io.bloomgate.config.settings.Settings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Reads and judges versions of one feed under its settings. Made for one refresh; used on the
 * feed-refresher thread.
 */
final class FeedTrial {

  private final Settings.Feeds.Source source;
  private final EntryGuard guard;

  FeedTrial(Settings.Feeds.Source source, List<ProtectedSet> protectedSets) {
    this.source = source;
    this.guard = new EntryGuard(source.guard(), source.allowBogons(), protectedSets);
  }

  /**
   * A version that was read, and what the guard says of it.
   *
   * @param digest of the version
   * @param live of the version that is live
   */
  record Judged(
      FeedVersion version, Judgement judgement, FeedDigest digest, Optional<FeedDigest> live) {}

  /**
   * Reads and judges.
   *
   * @param live the octets that are live now
   * @param liveVersion what is known of them; the guard compares with them only if they come from
   *     the same place
   */
  Judged judge(
      FeedContent content,
      long id,
      Validators validators,
      Instant now,
      Optional<FeedContent> live,
      Optional<FeedVersion> liveVersion)
      throws IOException {
    FeedFormat format = chosen(content);
    DigestedVersion read = DigestedVersion.read(content, format, source.match(), guard);
    ParseTotals totals = ZoneLifetime.check(read.totals(), content, format, now);
    FeedDigest digest = read.digest();
    Optional<FeedDigest> before = Optional.empty();
    if (live.isPresent() && liveVersion.isPresent()) {
      before = Optional.of(digest(live.get(), liveVersion.get()));
    }
    List<String> older = List.of();
    if (live.isPresent() && isFromHere(liveVersion)) {
      Validators known = liveVersion.get().validators();
      older = PublishedDate.older(content, validators, live.get(), known, now);
    }
    Judgement judgement =
        FeedGuard.judge(
            source.guard(),
            totals,
            digest,
            before.filter(d -> isFromHere(liveVersion)),
            content.looksLikeWebPage(),
            older);
    FeedVersion version =
        new FeedVersion(
            id,
            content.sha256(),
            format.name(),
            locationKey(source.location()),
            now,
            validators,
            totals.lines(),
            digest.entries() + digest.exceptions(),
            totals.invalid(),
            digest.heldEntries(),
            judgement.reasons(),
            digest.heldSamples(),
            KnownGoodHits.NONE,
            null);
    return new Judged(version, judgement, digest, before);
  }

  private boolean isFromHere(Optional<FeedVersion> version) {
    return version.filter(v -> v.location().equals(locationKey(source.location()))).isPresent();
  }

  /** What a stored version lists. */
  FeedDigest digest(FeedContent content, FeedVersion version) throws IOException {
    return DigestedVersion.read(content, formatOf(version), source.match(), guard).digest();
  }

  /** The entries of a stored version that are held back and may be accepted. */
  FeedDigest heldBack(FeedContent content, FeedVersion version) throws IOException {
    return DigestedVersion.ofHeldBack(content, formatOf(version), source.match(), guard).digest();
  }

  /**
   * What {@code feeds accept} would list of the known-good set.
   *
   * @param heldEntries only what is held back of the version, as it is live itself
   */
  KnownGoodHits knownGood(
      FeedContent content, FeedVersion version, KnownGoodSet good, boolean heldEntries)
      throws IOException {
    KnownGoodCheck check = new KnownGoodCheck(good);
    content.read(formatOf(version), source.match(), sink(check, heldEntries));
    if (check.wantsAnotherReading()) {
      check = check.another();
      content.read(formatOf(version), source.match(), sink(check, heldEntries));
    }
    return check.hits();
  }

  private FeedSink sink(KnownGoodCheck check, boolean heldEntries) {
    return heldEntries
        ? new HeldBack(guard, new LiveEntries(guard.accepted(), check::take))
        : new LiveEntries(guard, check::take);
  }

  /** The entries of a stored version that go live. */
  EntrySource entries(FeedContent content, FeedVersion version) throws IOException {
    FeedFormat format = formatOf(version);
    EntryGuard holds = version.entriesAccepted() ? guard.accepted() : guard;
    return consumer -> {
      ParseTotals totals = content.read(format, source.match(), new LiveEntries(holds, consumer));
      if (totals.damage().isPresent()) {
        throw new IOException(
            "stored version "
                + version.id()
                + " of feed "
                + source.name()
                + " is damaged: "
                + totals.damage().get());
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
        source.match(),
        accepted || version.entriesAccepted() ? guard.accepted() : guard);
  }

  /** Something that is not stored, to be compared with what is. */
  FeedDiff.Side side(FeedContent content) throws IOException {
    return new FeedDiff.Side(content, chosen(content), source.match(), guard);
  }

  /** The format of the settings, or else the one that the content seems to have. */
  private FeedFormat chosen(FeedContent content) throws IOException {
    return source.format().isEmpty() ? content.detect() : known(source.format());
  }

  /** The format of the settings, or else the one that was found when the version was fetched. */
  private FeedFormat formatOf(FeedVersion version) throws IOException {
    return known(source.format().isEmpty() ? version.format() : source.format());
  }

  /** Another format than the one that was named would read other entries. */
  private FeedFormat known(String name) throws IOException {
    return switch (FeedFormat.named(name)) {
      case FeedFormat.Lookup.Known(FeedFormat format) -> format;
      case FeedFormat.Lookup.Unknown(String hint) ->
          throw new IOException("feed " + source.name() + " has an unknown format; " + hint);
    };
  }

  /** Tells one location from another without showing what may be secret in it. */
  static String locationKey(Settings.Feeds.Location location) {
    String text =
        switch (location) {
          case Settings.Feeds.Location.Url url -> url.url().text();
          case Settings.Feeds.Location.Files(String pattern) -> pattern;
        };
    return sha256(text);
  }

  static String sha256(String text) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
