package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.fetch.FetchResult.Acceptance;
import io.bloomgate.blocklists.fetch.Validators;
import io.bloomgate.blocklists.guard.EntryGuard;
import io.bloomgate.blocklists.guard.FeedDigest;
import io.bloomgate.blocklists.guard.FeedGuard;
import io.bloomgate.blocklists.guard.FirstListed;
import io.bloomgate.blocklists.guard.HeldEntry;
import io.bloomgate.blocklists.guard.KnownGoodHits;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonNumber;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.JsonString;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
    long id,
    String sha256,
    FeedReading reading,
    String location,
    Instant fetched,
    Validators validators,
    long lines,
    long entries,
    long invalid,
    long heldEntries,
    List<String> reasons,
    List<HeldEntry> held,
    KnownGoodHits knownGood,
    @Nullable Accepted accepted,
    @Nullable Instant liveSince) {

  /**
   * An operator's acceptance of this version.
   *
   * @param by Unix user
   * @param entries with the entries too that are held back one by one
   */
  record Accepted(String by, Instant at, boolean entries) {

    /** What another gateway of the fleet says; {@code null} where nobody accepted. */
    static @Nullable Accepted of(@Nullable Acceptance other) {
      return other == null ? null : new Accepted(other.by(), other.at(), other.entries());
    }
  }

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
        heldEntries,
        Stream.concat(more.stream(), reasons.stream()).toList(),
        held,
        knownGood,
        accepted,
        liveSince);
  }

  /** True when the operator let its held entries through. */
  boolean entriesAccepted() {
    return accepted != null && accepted.entries;
  }

  /** True when some of its entries do not go live and the operator has not spoken of them. */
  boolean holdsEntries() {
    return heldEntries > 0 && !entriesAccepted();
  }

  /** True when hosts of its URLs are shared, so that only the URLs count. */
  boolean sharesHosts() {
    return held.stream().anyMatch(entry -> entry.reason().equals(EntryGuard.SHARED_HOST));
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

  FeedVersion with(@Nullable Accepted by) {
    return with(validators, by, liveSince);
  }

  /** It is live; when it was before, the first time counts. */
  FeedVersion wentLive(Instant now) {
    return with(validators, accepted, liveSince == null ? now : liveSince);
  }

  private FeedVersion with(
      Validators newValidators, @Nullable Accepted by, @Nullable Instant newLiveSince) {
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

  /** Its octets are lost or changed: it is not live any more, and cannot be again. */
  FeedVersion lost() {
    return with(validators, null, null);
  }

  /** The same with what an acceptance would list of the known-good set. */
  FeedVersion with(KnownGoodHits hits) {
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
        heldEntries,
        reasons,
        held,
        hits,
        accepted,
        liveSince);
  }

  /** The same when the entries that are held back are now those of this digest. */
  FeedVersion holding(FeedDigest digest) {
    List<String> all = new ArrayList<>(versionReasons());
    all.addAll(FeedGuard.entryReasons(digest));
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
        digest.heldEntries(),
        all,
        digest.heldSamples(),
        knownGood,
        accepted,
        liveSince);
  }

  /** As answers name it. */
  FirstListed.Version name() {
    return new FirstListed.Version(id, fetched, sha256);
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

  JsonObject toJson() {
    return reading
        .into(JsonValue.object().put("version", id).put("sha256", sha256))
        .put("location", location)
        .put("fetched", fetched.toString())
        .put("validators", validators.toJson())
        .put("lines", lines)
        .put("entries", entries)
        .put("invalid", invalid)
        .put("held_entries", heldEntries)
        .put("reasons", JsonValue.ofStrings(reasons))
        .put("held", new JsonArray(held.stream().map(HeldEntry::toJson).toList()))
        .put("known_good", knownGood.toJson())
        .put("accepted_by", accepted == null ? null : accepted.by)
        .put("accepted_at", accepted == null ? null : accepted.at.toString())
        .put("accepted_entries", entriesAccepted())
        .put("live_since", liveSince == null ? null : liveSince.toString())
        .build();
  }

  /** What {@link #toJson} wrote; empty when it is something else. */
  static Optional<FeedVersion> ofJson(JsonObject stored) {
    Optional<Instant> fetched = StoredJson.instant(stored, "fetched");
    Optional<String> sha256 = stored.text("sha256");
    Optional<FeedReading> reading = FeedReading.ofJson(stored);
    if (fetched.isEmpty() || sha256.isEmpty() || reading.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new FeedVersion(
            StoredJson.number(stored, "version"),
            sha256.get(),
            reading.get(),
            stored.text("location").orElse(""),
            fetched.get(),
            stored.get("validators").orElse(null) instanceof JsonObject v
                ? Validators.ofJson(v)
                : Validators.NONE,
            StoredJson.number(stored, "lines"),
            StoredJson.number(stored, "entries"),
            StoredJson.number(stored, "invalid"),
            StoredJson.number(stored, "held_entries"),
            StoredJson.texts(stored, "reasons"),
            held(stored),
            stored.object("known_good").map(KnownGoodHits::ofJson).orElse(KnownGoodHits.NONE),
            accepted(stored),
            StoredJson.instant(stored, "live_since").orElse(null)));
  }

  private static List<HeldEntry> held(JsonObject stored) {
    List<HeldEntry> held = new ArrayList<>();
    if (stored.get("held").orElse(null) instanceof JsonArray(List<JsonValue> all)) {
      for (JsonValue one : all) {
        if (one instanceof JsonObject entry) {
          held.add(
              new HeldEntry(
                  entry.text("entry").orElse(""),
                  (int) StoredJson.number(entry, "line"),
                  entry.text("reason").orElse("")));
        }
      }
    }
    return held;
  }

  private static @Nullable Accepted accepted(JsonObject stored) {
    Instant at = StoredJson.instant(stored, "accepted_at").orElse(null);
    if (at == null) {
      return null;
    }
    return new Accepted(
        stored.text("accepted_by").orElse(""), at, stored.isTrue("accepted_entries"));
  }

  /** Reading members of stored objects; what is missing or of another kind counts as unset. */
  static final class StoredJson {
    private StoredJson() {}

    static long number(JsonObject object, String name) {
      if (object.get(name).orElse(null) instanceof JsonNumber(String literal)) {
        try {
          return Long.parseLong(literal);
        } catch (NumberFormatException e) {
          return 0;
        }
      }
      return 0;
    }

    static Optional<Instant> instant(JsonObject object, String name) {
      try {
        return object.text(name).map(Instant::parse);
      } catch (DateTimeException e) {
        return Optional.empty();
      }
    }

    static List<Long> numbers(JsonObject object, String name) {
      return object.elements(name).stream()
          .flatMap(e -> e instanceof JsonNumber(String n) ? Stream.of(n) : Stream.empty())
          .filter(n -> n.matches("[0-9]{1,18}"))
          .map(Long::valueOf)
          .toList();
    }

    static List<String> texts(JsonObject object, String name) {
      return object.get(name).orElse(null) instanceof JsonArray(List<JsonValue> elements)
          ? elements.stream()
              .flatMap(e -> e instanceof JsonString(String t) ? Stream.of(t) : Stream.empty())
              .toList()
          : List.of();
    }
  }
}
