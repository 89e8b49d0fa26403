package io.bloomgate.blocklists.fetch;

import io.bloomgate.config.json.JsonRecords.Rare;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The marks by which a source can answer "not changed since": kept with a stored version and shown
 * to the source at the next fetch. Immutable.
 *
 * @param pages what each address said of its file, by a digest of the address; a mirror's marks
 *     mean nothing to another
 * @param checksum that the publisher gave for this version, empty when none
 * @param files path, size and time of each file, empty for HTTP
 * @param servedBy the address that gave this version, as it may be shown; empty for files
 */
public record Validators(
    Map<String, Stamp> pages, @Rare String checksum, @Rare String files, @Rare String servedBy) {

  /** Nothing known: everything counts as changed. */
  public static final Validators NONE = new Validators(Map.of(), "", "", "");

  /** The difference in age up to which an older file is no step back: mirrors lag. */
  private static final Duration TOLERANCE = Duration.ofHours(1);

  public Validators {
    pages = Collections.unmodifiableMap(new LinkedHashMap<>(pages));
  }

  /**
   * The marks of one HTTP answer.
   *
   * @param etag RFC 9110 section 8.8.3, empty when none
   * @param lastModified as it was written, empty when none
   */
  public record Stamp(@Rare String etag, @Rare String lastModified) {

    /** No marks. */
    public static final Stamp NONE = new Stamp("", "");
  }

  /** Makes the marks of a source of files, or of versions of a fleet. */
  public static Validators ofFiles(String state) {
    return new Validators(Map.of(), "", state, "");
  }

  /** The marks that this address gave with the version; none when another address gave it. */
  Stamp of(String key) {
    return Objects.requireNonNullElse(pages.get(key), Stamp.NONE);
  }

  /**
   * The reason why this version is older than the live one, by Last-Modified of the same address: a
   * mirror that has gone back, or an old copy that somebody serves again. Empty when nothing shows
   * it.
   */
  public List<String> olderThan(Validators live) {
    return pages.entrySet().stream()
        .flatMap(page -> older(page.getValue(), live.of(page.getKey())).stream())
        .limit(1)
        .toList();
  }

  private static Optional<String> older(Stamp fresh, Stamp live) {
    Optional<Instant> then = RetryAfter.instant(fresh.lastModified);
    Optional<Instant> now = RetryAfter.instant(live.lastModified);
    return then.isPresent() && now.isPresent() && !then.get().plus(TOLERANCE).isAfter(now.get())
        ? Optional.of(
            "older than the live version: Last-Modified is of %s, live is %s"
                .formatted(then.get(), now.get()))
        : Optional.empty();
  }

  /** The same with the checksum that the publisher gave. */
  Validators with(String given) {
    return new Validators(pages, given, files, servedBy);
  }

  /** The same version was had from another address: what each of them said of it stays known. */
  public Validators and(Validators newer) {
    Map<String, Stamp> all = new LinkedHashMap<>(pages);
    all.putAll(newer.pages);
    return new Validators(all, newer.checksum, newer.files, newer.servedBy);
  }
}
