package io.bloomgate.blocklists.fetch;

import io.bloomgate.blocklists.format.FeedContent;
import io.bloomgate.blocklists.format.octets.Compression;
import io.bloomgate.blocklists.format.octets.DamagedFeedException;
import io.bloomgate.blocklists.format.octets.FeedBytes;
import io.bloomgate.blocklists.format.octets.FeedLimits;
import io.bloomgate.blocklists.format.octets.Octets;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.settings.FeedUrl;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The file of one address. Used by {@link HttpFeedSource} for the feed's own address and then for
 * each mirror.
 */
final class AddressFetch {

  /**
   * The conditions of one fetch.
   *
   * @param known marks of the stored version
   * @param checksums that the file must have, {@code null} when the publisher gives none
   * @param deadline of the clock in nanoseconds
   * @param suspicious look for damage at once, because another address could be asked instead
   */
  record Care(
      Validators known, @Nullable ChecksumList checksums, long deadline, boolean suspicious) {}

  /** The outcome of a fetch. */
  sealed interface Result {
    /** The version; marks by {@link #key}. */
    record Taken(FeedContent content, Map<String, Validators.Stamp> stamps) implements Result {}

    /** The file has not changed. */
    record NotModified() implements Result {}

    /** The file could not be fetched. */
    record Failed(FeedUrl where, HttpPage.Result.Failed what) implements Result {

      /** A sentence for the operator. */
      String message() {
        return where.shown() + (what.status() == 0 ? ": " : " ") + what.why();
      }

      /** A sentence for the log, with the cause. */
      String log() {
        return message() + (what.cause().isEmpty() ? "" : " (" + what.cause() + ")");
      }
    }
  }

  private final HttpPage pages;
  private final FetchSecrets secrets;
  private final FeedUrl url;
  private final Path directory;
  private final Care care;

  AddressFetch(HttpPage pages, FetchSecrets secrets, FeedUrl url, Path directory, Care care) {
    this.pages = pages;
    this.secrets = secrets;
    this.url = url;
    this.directory = directory;
    this.care = care;
  }

  /** Takes the version if it is not the known one; a failed fetch leaves no file. */
  Result take() throws IOException {
    HttpPage.Target target =
        new HttpPage.Target(
            directory.resolve("taking-" + key(url)),
            FeedLimits.FETCHED_OCTETS,
            care.deadline(),
            care.checksums() != null);
    return switch (pages.take(secrets.page(url), care.known().of(key(url)), target)) {
      case HttpPage.Result.NotModified _ -> new Result.NotModified();
      case HttpPage.Result.Failed failed -> new Result.Failed(url, failed);
      case HttpPage.Result.Taken(Validators.Stamp stamp) -> {
        Optional<String> trouble = trouble(target.file());
        if (trouble.isPresent()) {
          Files.delete(target.file());
          yield new Result.Failed(url, HttpPage.Result.Failed.of(trouble.get()));
        }
        Path file = directory.resolve(FileFeedSource.partName(0));
        Files.move(target.file(), file, StandardCopyOption.REPLACE_EXISTING);
        yield new Result.Taken(new FeedContent(List.of(file)), Map.of(key(url), stamp));
      }
    };
  }

  /** The mark under which an address is remembered; shows nothing of what may be secret in it. */
  static String key(FeedUrl page) {
    return Fingerprint.ofText(page.text()).toString();
  }

  /** The problem of a file that came whole; empty for none. */
  private Optional<String> trouble(Path file) throws IOException {
    ChecksumList checksums = care.checksums();
    if (checksums != null) {
      String path = url.uri("").getPath();
      String name = ChecksumList.lastName(path == null ? "" : path);
      Optional<String> expected = checksums.of(name);
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
          text.transferTo(OutputStream.nullOutputStream());
        }
      }
      return new FeedContent(List.of(file)).looksLikeWebPage()
          ? Optional.of("it is a web page, not a list")
          : Optional.empty();
    } catch (DamagedFeedException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }
}
