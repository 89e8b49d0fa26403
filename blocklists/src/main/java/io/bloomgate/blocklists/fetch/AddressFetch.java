package io.bloomgate.blocklists.fetch;

import io.bloomgate.blocklists.fetch.FeedSources.FewerParts;
import io.bloomgate.blocklists.format.FeedContent;
import io.bloomgate.blocklists.format.octets.Compression;
import io.bloomgate.blocklists.format.octets.DamagedFeedException;
import io.bloomgate.blocklists.format.octets.FeedBytes;
import io.bloomgate.blocklists.format.octets.FeedLimits;
import io.bloomgate.blocklists.format.octets.Octets;
import io.bloomgate.config.settings.FeedUrl;
import io.bloomgate.config.settings.PartNumbers;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All files of one address: a single one, or its numbered parts, which make one version together or
 * none. Used by {@link HttpFeedSource} for the feed's own address and then for each mirror.
 */
final class AddressFetch {

  /**
   * How much care is taken.
   *
   * @param known marks of the stored version
   * @param checksums that the files must have, {@code null} when the publisher gives none
   * @param deadline of the clock in nanoseconds
   * @param suspicious look for damage at once, because another address could be asked instead
   * @param fewer what the fetches before found of parts that were missing
   */
  record Care(
      Validators known,
      @Nullable ChecksumList checksums,
      long deadline,
      boolean suspicious,
      FewerParts fewer) {}

  /** How it ended. */
  sealed interface Result {
    /** The version; marks by {@link #key}. */
    record Taken(FeedContent content, Map<String, Validators.Stamp> stamps) implements Result {}

    /** Every file is what it was. */
    record NotModified() implements Result {}

    /** One file was not to be had. */
    record Failed(FeedUrl where, HttpPage.Result.Failed what) implements Result {

      /** For the operator. */
      String message() {
        return where.shown() + (what.status() == 0 ? ": " : " ") + what.why();
      }

      /** For the log. */
      String log() {
        return message() + (what.cause().isEmpty() ? "" : " (" + what.cause() + ")");
      }
    }
  }

  private final HttpPage pages;
  private final FetchSecrets secrets;
  private final FeedUrl url;
  private final Optional<PartNumbers> parts;
  private final Path directory;
  private final Care care;
  private final List<Path> files = new ArrayList<>();
  private final Map<String, Validators.Stamp> stamps = new LinkedHashMap<>();
  private long octets;

  AddressFetch(HttpPage pages, FetchSecrets secrets, FeedUrl url, Path directory, Care care) {
    this.pages = pages;
    this.secrets = secrets;
    this.url = url;
    this.parts = url.parts();
    this.directory = directory;
    this.care = care;
  }

  /** Takes the version if it is not the known one; a failed fetch leaves no file. */
  Result take() throws IOException {
    Result result = takeAll(true);
    if (result instanceof Result.Failed) {
      discard();
    } else {
      care.fewer().forget(key(url));
    }
    return result;
  }

  /** The mark under which an address is remembered; shows nothing of what may be secret in it. */
  static String key(FeedUrl page) {
    return ChecksumList.sha256(page.text());
  }

  private Result takeAll(boolean conditional) throws IOException {
    int unchanged = 0;
    int index = 0;
    for (Optional<FeedUrl> page = page(0); page.isPresent(); page = page(index)) {
      Validators.Stamp known =
          conditional ? care.known().of(key(page.get())) : Validators.Stamp.NONE;
      switch (takeOne(page.get(), known, index)) {
        case HttpPage.Result.NotModified ignored -> unchanged++;
        case HttpPage.Result.Taken(Validators.Stamp stamp) -> stamps.put(key(page.get()), stamp);
        case HttpPage.Result.Failed failed -> {
          if (!endsTheParts(failed, index)) {
            return new Result.Failed(page.get(), failed);
          }
          return ended(index, unchanged);
        }
      }
      if (unchanged > 0 && unchanged <= index) {
        // Some parts are new and some are not. The old ones are not here, so all are fetched again.
        return again();
      }
      index++;
    }
    return isOpen()
        ? new Result.Failed(
            url, HttpPage.Result.Failed.of("there are more parts than {part:...} can number"))
        : ended(index, unchanged);
  }

  private Result ended(int count, int unchanged) throws IOException {
    Optional<Result.Failed> doubt = count > 1 || isOpen() ? doubt(count) : Optional.empty();
    if (doubt.isPresent()) {
      return doubt.get();
    }
    if (unchanged == 0) {
      return new Result.Taken(content(), stamps);
    }
    boolean shorter = page(count).filter(p -> care.known().pages().containsKey(key(p))).isPresent();
    return shorter ? again() : new Result.NotModified();
  }

  private Result again() throws IOException {
    discard();
    return takeAll(false);
  }

  private void discard() throws IOException {
    for (Path file : files) {
      Files.deleteIfExists(file);
    }
    files.clear();
    stamps.clear();
    octets = 0;
  }

  private Optional<FeedUrl> page(int index) {
    return parts.isPresent()
        ? parts.get().label(index).map(url::part)
        : Optional.of(url).filter(u -> index == 0);
  }

  private boolean endsTheParts(HttpPage.Result.Failed failed, int index) {
    return index > 0 && (failed.status() == 404 || failed.status() == 410) && isOpen();
  }

  private boolean isOpen() {
    return parts.filter(PartNumbers::isOpen).isPresent();
  }

  /** Why parts that all came may yet not be a version: the publisher is just making another. */
  private Optional<Result.Failed> doubt(int count) throws IOException {
    int live = partsOfLive();
    if (isOpen() && (live == 0 || count < live)) {
      Optional<Result.Failed> hole = hole(count);
      Optional<String> fewer = care.fewer().doubt(key(url), count, live);
      if (hole.isPresent() || fewer.isPresent()) {
        return hole.or(() -> fewer.map(why -> failed(url, why)));
      }
    }
    return isTorn() ? Optional.of(failed(url, "it changed between its parts")) : Optional.empty();
  }

  private static Result.Failed failed(FeedUrl where, String why) {
    return new Result.Failed(where, HttpPage.Result.Failed.of(why));
  }

  private int partsOfLive() {
    int count = 0;
    for (Optional<FeedUrl> part = page(0);
        part.isPresent() && care.known().pages().containsKey(key(part.get()));
        part = page(count)) {
      count++;
    }
    return count;
  }

  /** A part after the missing one shows that the list does not end there. */
  private Optional<Result.Failed> hole(int missing) throws IOException {
    Optional<FeedUrl> behind = page(missing + 1);
    if (behind.isEmpty()) {
      return Optional.empty();
    }
    return switch (takeOne(behind.get(), Validators.Stamp.NONE, missing + 1)) {
      case HttpPage.Result.Failed failed ->
          endsTheParts(failed, missing + 1)
              ? Optional.empty()
              : Optional.of(new Result.Failed(behind.get(), failed));
      case HttpPage.Result.NotModified ignored -> Optional.empty();
      case HttpPage.Result.Taken ignored ->
          Optional.of(failed(behind.get(), "it is there, and the part before it is missing"));
    };
  }

  /**
   * Asks for the first part again when all are here. Only where the server marks its versions and
   * need not send it again; that it cannot be had now says nothing.
   */
  private boolean isTorn() throws IOException {
    FeedUrl first = page(0).orElseThrow();
    Validators.Stamp stamp = stamps.getOrDefault(key(first), Validators.Stamp.NONE);
    if (files.size() < 2 || care.checksums() != null || stamp.equals(Validators.Stamp.NONE)) {
      return false;
    }
    Path again = directory.resolve("again");
    HttpPage.Target target =
        new HttpPage.Target(again, FeedLimits.FETCHED_OCTETS, care.deadline(), false);
    if (pages.take(secrets.page(first), stamp, target) instanceof HttpPage.Result.Taken) {
      // Some servers mark equal files differently, or do not look at marks.
      boolean other = Files.mismatch(again, files.getFirst()) >= 0;
      Files.delete(again);
      return other;
    }
    return false;
  }

  private HttpPage.Result takeOne(FeedUrl page, Validators.Stamp known, int index)
      throws IOException {
    Path file = directory.resolve(FileFeedSource.partName(index));
    HttpPage.Target target =
        new HttpPage.Target(
            directory.resolve("taking-" + key(page)),
            FeedLimits.FETCHED_OCTETS - octets,
            care.deadline(),
            care.checksums() != null);
    HttpPage.Result result = pages.take(secrets.page(page), known, target);
    if (!(result instanceof HttpPage.Result.Taken)) {
      return result;
    }
    Optional<String> trouble = trouble(page, target.file());
    if (trouble.isPresent()) {
      Files.delete(target.file());
      return HttpPage.Result.Failed.of(trouble.get());
    }
    Files.move(target.file(), file, StandardCopyOption.REPLACE_EXISTING);
    files.add(file);
    octets += Files.size(file);
    return result;
  }

  /** What is wrong with a file that came whole. */
  private Optional<String> trouble(FeedUrl page, Path file) throws IOException {
    ChecksumList checksums = care.checksums();
    if (checksums != null) {
      String path = page.uri("").getPath();
      String name = ChecksumList.lastName(path == null ? "" : path);
      Optional<String> expected = checksums.of(name, parts.isEmpty());
      if (expected.isEmpty()) {
        return Optional.of("the publisher's checksums do not name " + Octets.escape(name));
      }
      if (!ChecksumList.matches(file, expected.get())) {
        return Optional.of("it does not have the checksum that the publisher gives for it");
      }
    }
    return care.suspicious() ? damage(file) : Optional.empty();
  }

  /** Reads the file to its end, as the parser will, when it is compressed. */
  private static Optional<String> damage(Path file) throws IOException {
    try (InputStream raw = Files.newInputStream(file)) {
      boolean packed = Compression.of(raw.readNBytes(Compression.MAGIC_OCTETS)) != Compression.NONE;
      if (packed) {
        try (InputStream octets = Files.newInputStream(file);
            InputStream text = FeedBytes.open(octets)) {
          text.transferTo(java.io.OutputStream.nullOutputStream());
        }
      }
      return new FeedContent(List.of(file)).looksLikeWebPage()
          ? Optional.of("it is a web page, not a list")
          : Optional.empty();
    } catch (DamagedFeedException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /**
   * Empty parts say nothing, would hide what format the others have, and are damage in some; so
   * they are removed before the directory is stored and read again at every build.
   */
  private FeedContent content() throws IOException {
    List<Path> filled = new ArrayList<>();
    for (Path file : files) {
      if (Files.size(file) > 0) {
        filled.add(file);
      }
    }
    if (filled.isEmpty()) {
      return new FeedContent(files);
    }
    for (Path file : files) {
      if (!filled.contains(file)) {
        Files.delete(file);
      }
    }
    return new FeedContent(filled);
  }
}
