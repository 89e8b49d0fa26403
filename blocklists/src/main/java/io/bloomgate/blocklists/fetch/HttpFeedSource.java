package io.bloomgate.blocklists.fetch;

import io.bloomgate.blocklists.format.FeedContent;
import io.bloomgate.blocklists.format.octets.DamagedFeedException;
import io.bloomgate.blocklists.format.octets.Octets;
import io.bloomgate.config.settings.FeedUrl;
import io.bloomgate.config.settings.Fetching;
import io.bloomgate.config.settings.SecretFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A feed over HTTP or HTTPS: the publisher's checksums first where there are any, then its own
 * address, then its mirrors in their order. Made by {@link FeedSources}; a fetch blocks its thread.
 */
final class HttpFeedSource implements FeedSource {

  private static final Logger LOG = LoggerFactory.getLogger(HttpFeedSource.class);

  private final FeedUrl url;
  private final Fetching fetching;
  private final HttpPage pages;
  private final LongSupplier nanoTime;
  private final Duration limit;

  /**
   * @param limit time for the whole fetch, all addresses together
   */
  HttpFeedSource(
      FeedUrl url, Fetching fetching, HttpPage pages, LongSupplier nanoTime, Duration limit) {
    this.url = url;
    this.fetching = fetching;
    this.pages = pages;
    this.nanoTime = nanoTime;
    this.limit = limit;
  }

  @Override
  public String shown() {
    return url.shown();
  }

  @Override
  public FetchResult fetch(Validators known, Path directory) {
    long deadline = nanoTime.getAsLong() + limit.toNanos();
    try {
      FetchSecrets secrets = new FetchSecrets(url, fetching);
      if (fetching.checksumUrl() == null) {
        return fromAddresses(secrets, null, known, directory, deadline);
      }
      return switch (checksums(fetching.checksumUrl(), secrets, directory, deadline)) {
        case Checksums.Missing(AddressFetch.Result.Failed why) ->
            failed(List.of(why), "no checksum, so no list: ");
        case Checksums.Given(ChecksumList list) ->
            !known.checksum().isEmpty() && known.checksum().equals(list.fingerprint())
                ? new FetchResult.NotModified()
                : fromAddresses(secrets, list, known, directory, deadline);
      };
    } catch (SecretFile.UnusableException e) {
      String message = shown() + " is not asked: " + e.getMessage();
      return FetchResult.Failed.of(message, message);
    } catch (IOException e) {
      return FetchResult.Failed.of(
          shown() + ": cannot be stored; check space and owner of the state directory",
          shown() + ": " + Octets.escape(e.toString()));
    }
  }

  /** The publisher's checksums of the list. */
  private sealed interface Checksums {
    record Given(ChecksumList list) implements Checksums {}

    record Missing(AddressFetch.Result.Failed why) implements Checksums {}
  }

  private Checksums checksums(FeedUrl where, FetchSecrets secrets, Path directory, long deadline)
      throws IOException {
    Path file = directory.resolve("checksums");
    HttpPage.Target target =
        new HttpPage.Target(file, ChecksumList.MOST_OCTETS, shared(deadline, 2), true);
    HttpPage.Result result = pages.take(secrets.page(where), Validators.Stamp.NONE, target);
    if (result instanceof HttpPage.Result.Failed failed) {
      return new Checksums.Missing(new AddressFetch.Result.Failed(where, failed));
    }
    try {
      return new Checksums.Given(ChecksumList.read(Files.readAllBytes(file)));
    } catch (DamagedFeedException e) {
      return new Checksums.Missing(
          new AddressFetch.Result.Failed(
              where, HttpPage.Result.Failed.of(String.valueOf(e.getMessage()))));
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private FetchResult fromAddresses(
      FetchSecrets secrets,
      @Nullable ChecksumList checksums,
      Validators known,
      Path directory,
      long deadline)
      throws IOException {
    List<FeedUrl> addresses = new ArrayList<>();
    addresses.add(url);
    addresses.addAll(fetching.mirrors());
    List<AddressFetch.Result.Failed> failures = new ArrayList<>();
    for (FeedUrl address : addresses) {
      int left = addresses.size() - failures.size();
      AddressFetch.Care care =
          new AddressFetch.Care(known, checksums, shared(deadline, left), left > 1);
      switch (new AddressFetch(pages, secrets, address, directory, care).take()) {
        case AddressFetch.Result.NotModified ignored -> {
          return new FetchResult.NotModified(retryAfter(failures));
        }
        case AddressFetch.Result.Taken(FeedContent content, var stamps) -> {
          String checksum = checksums == null ? "" : checksums.fingerprint();
          return new FetchResult.Fetched(
              content, new Validators(stamps, checksum, "", address.shown()), retryAfter(failures));
        }
        case AddressFetch.Result.Failed failed -> failures.add(failed);
      }
      if (isMeantForUs(failures.getLast().what())) {
        break;
      }
      if (left > 1) {
        LOG.warn("{}; its next mirror is asked", failures.getLast().log());
      }
    }
    return failed(failures, "");
  }

  /** A stalling server must leave time for those that are asked after it. */
  private long shared(long deadline, int addresses) {
    long now = nanoTime.getAsLong();
    return now + (deadline - now) / addresses;
  }

  /** The publisher does not want this client; to go round it by a mirror would not be polite. */
  private static boolean isMeantForUs(HttpPage.Result.Failed failed) {
    return failed.status() == 401 || failed.status() == 403 || failed.status() == 429;
  }

  private static FetchResult failed(List<AddressFetch.Result.Failed> failures, String prefix) {
    return new FetchResult.Failed(
        prefix
            + failures.stream()
                .map(AddressFetch.Result.Failed::message)
                .collect(Collectors.joining("; ")),
        prefix
            + failures.stream()
                .map(AddressFetch.Result.Failed::log)
                .collect(Collectors.joining("; ")),
        retryAfter(failures),
        failures.stream().allMatch(failure -> failure.what().unasked()),
        failures.stream().allMatch(failure -> failure.what().isGone()));
  }

  /** The longest of their wishes. */
  private static Optional<Duration> retryAfter(List<AddressFetch.Result.Failed> failures) {
    return failures.stream().flatMap(f -> f.what().retryAfter().stream()).max(Duration::compareTo);
  }
}
