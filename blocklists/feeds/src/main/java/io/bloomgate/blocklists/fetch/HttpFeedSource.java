package io.bloomgate.blocklists.fetch;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.fetch.FetchResult.Failed;
import io.bloomgate.blocklists.fetch.WebClient.WebRequest.WebProxy;
import io.bloomgate.blocklists.format.Compression;
import io.bloomgate.blocklists.format.DamagedFeedException;
import io.bloomgate.blocklists.format.FeedBytes;
import io.bloomgate.blocklists.format.FeedContent;
import io.bloomgate.blocklists.format.FeedLimits;
import io.bloomgate.blocklists.format.Octets;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.settings.FeedUrl;
import io.bloomgate.config.settings.Fetching;
import io.bloomgate.config.settings.Fetching.HeaderValue;
import io.bloomgate.config.settings.Fetching.Proxy;
import io.bloomgate.config.settings.SecretFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A feed over HTTP or HTTPS: the publisher's checksums first where there are any, then its own
 * address, then its mirrors in their order. Made by {@link FeedSources}; a fetch blocks its thread.
 *
 * @param limit time for the whole fetch, all addresses together
 */
record HttpFeedSource(
    FeedUrl url, Fetching fetching, HttpPage pages, LongSupplier nanoTime, Duration limit)
    implements FeedSource {

  private static final Logger LOG = LoggerFactory.getLogger(HttpFeedSource.class);

  @Override
  public String shown() {
    return url.shown();
  }

  @Override
  public FetchResult fetch(Validators known, Path directory) {
    long deadline = nanoTime.getAsLong() + limit.toNanos();
    try {
      FetchSecrets secrets = new FetchSecrets(url, fetching);
      FeedUrl where = fetching.checksumUrl();
      if (where == null) {
        return fromAddresses(new Conditions(secrets, null, known, directory, deadline));
      }
      Path file = directory.resolve("checksums");
      HttpPage.Target target =
          new HttpPage.Target(file, ChecksumList.MOST_OCTETS, shared(deadline, 2), true);
      HttpPage.Page page = secrets.page(where);
      if (pages.take(page, Validators.NONE, target) instanceof Failed failed) {
        return failed(List.of(failed), "no checksum, so no list: ");
      }
      ChecksumList checksums;
      try {
        checksums = ChecksumList.read(Files.readAllBytes(file));
      } catch (DamagedFeedException e) {
        Failed damaged = page.failed(String.valueOf(e.getMessage()));
        return failed(List.of(damaged), "no checksum, so no list: ");
      } finally {
        Files.deleteIfExists(file);
      }
      return !known.checksum().isEmpty() && known.checksum().equals(checksums.fingerprint())
          ? new FetchResult.NotModified()
          : fromAddresses(new Conditions(secrets, checksums, known, directory, deadline));
    } catch (SecretFile.UnusableException e) {
      String message = shown() + " is not asked: " + e.getMessage();
      return Failed.of(message);
    } catch (IOException e) {
      return Failed.of(
          shown() + ": cannot be stored; check space and owner of the state directory",
          shown() + ": " + Octets.escape(e.toString()));
    }
  }

  /**
   * The conditions of one fetch.
   *
   * @param checksums that the file must have, {@code null} when the publisher gives none
   * @param known marks of the stored version
   * @param deadline of the clock in nanoseconds
   */
  private record Conditions(
      FetchSecrets secrets,
      @Nullable ChecksumList checksums,
      Validators known,
      Path directory,
      long deadline) {}

  /** Asks the feed's own address and then each mirror. */
  private FetchResult fromAddresses(Conditions asked) throws IOException {
    List<FeedUrl> addresses = new ArrayList<>();
    addresses.add(url);
    addresses.addAll(fetching.mirrors());
    List<Failed> failures = new ArrayList<>();
    for (FeedUrl address : addresses) {
      int left = addresses.size() - failures.size();
      FetchResult result = take(asked, address, left);
      if (!(result instanceof Failed failed)) {
        return result;
      }
      failures.add(failed);
      if (failed.kind() == Failed.Kind.BARRED) {
        break;
      }
      if (left > 1) {
        LOG.warn("{}; its next mirror is asked", failed.log());
      }
    }
    return failed(failures, "");
  }

  /** Takes the version of an address if it is not the known one; a failed fetch leaves no file. */
  private FetchResult take(Conditions asked, FeedUrl address, int left) throws IOException {
    Path file = asked.directory.resolve("taking-" + key(address));
    HttpPage.Target target =
        new HttpPage.Target(
            file, FeedLimits.FETCHED_OCTETS, shared(asked.deadline, left), asked.checksums != null);
    HttpPage.Page page = asked.secrets.page(address);
    FetchResult result = pages.take(page, asked.known, target);
    if (!(result instanceof FetchResult.Fetched fetched)) {
      return result;
    }
    // Damage is looked for at once only where another address could be asked instead.
    Optional<String> trouble =
        asked.checksums == null ? Optional.empty() : asked.checksums.trouble(address, file);
    trouble = trouble.isEmpty() && left > 1 ? damage(file) : trouble;
    if (trouble.isPresent()) {
      Files.delete(file);
      return page.failed(trouble.get());
    }
    Path part = asked.directory.resolve(FileFeedSource.partName(0));
    Files.move(file, part, StandardCopyOption.REPLACE_EXISTING);
    String checksum = asked.checksums == null ? "" : asked.checksums.fingerprint();
    return new FetchResult.Fetched(
        new FeedContent(List.of(part)), fetched.validators().with(checksum));
  }

  /** The mark under which an address is remembered; shows nothing of what may be secret in it. */
  private static String key(FeedUrl page) {
    return Fingerprint.ofText(page.text()).toString();
  }

  /** Reads the file to its end, as the parser will, when it is compressed. */
  private static Optional<String> damage(Path file) throws IOException {
    try (InputStream raw = Files.newInputStream(file)) {
      if (Compression.of(raw.readNBytes(Compression.MAGIC_OCTETS)) != Compression.NONE) {
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

  private long shared(long deadline, int addresses) {
    long now = nanoTime.getAsLong();
    return now + (deadline - now) / addresses;
  }

  private static Failed failed(List<Failed> failures, String prefix) {
    Set<Failed.Kind> kinds = failures.stream().map(Failed::kind).collect(Collectors.toSet());
    return new Failed(
        prefix + failures.stream().map(Failed::message).collect(Collectors.joining("; ")),
        prefix + failures.stream().map(Failed::log).collect(Collectors.joining("; ")),
        failures.stream().flatMap(f -> f.retryAfter().stream()).max(Duration::compareTo),
        kinds.size() == 1 ? failures.getFirst().kind() : Failed.Kind.OTHER);
  }

  /**
   * The keys of one fetch, read when it begins, and the requests that they go into. Nothing of it
   * is kept or shown. Used by {@link HttpFeedSource}.
   */
  private static final class FetchSecrets {

    private final FeedUrl own;
    private final Fetching fetching;
    private final String urlSecret;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private final List<String> fromFiles = new ArrayList<>();
    private final @Nullable WebProxy proxy;

    /**
     * Reads all files that the settings name.
     *
     * @param own the feed's own address
     */
    FetchSecrets(FeedUrl own, Fetching fetching) throws SecretFile.UnusableException {
      this.own = own;
      this.fetching = fetching;
      Path secretFile = fetching.secretFile();
      urlSecret = secretFile == null ? "" : read(secretFile);
      for (Map.Entry<String, HeaderValue> header : fetching.headers().entrySet()) {
        headers.put(
            header.getKey(),
            switch (header.getValue()) {
              case HeaderValue.Text(String value) -> value;
              case HeaderValue.SecretFile(Path file) -> read(file);
            });
      }
      proxy = proxy(fetching.proxy());
    }

    private String read(Path file) throws SecretFile.UnusableException {
      String key = SecretFile.read(file);
      fromFiles.add(key);
      return key;
    }

    private static @Nullable WebProxy proxy(@Nullable Proxy proxy)
        throws SecretFile.UnusableException {
      if (proxy == null) {
        return null;
      }
      Path file = proxy.credentials();
      String credentials = file == null ? "" : SecretFile.read(file);
      if (file != null && credentials.indexOf(':') < 1) {
        throw new SecretFile.UnusableException(file, "write USER:PASSWORD into it");
      }
      return new WebProxy(proxy.address().host(), proxy.address().port(), credentials);
    }

    /** The request for one address. Headers of the settings go to the feed's own server only. */
    HttpPage.Page page(FeedUrl url) {
      URI uri = URI.create(url.uri(urlSecret).toASCIIString());
      Map<String, String> keyed = new LinkedHashMap<>();
      if (uri.getUserInfo() != null) {
        byte[] credentials = uri.getUserInfo().getBytes(UTF_8);
        keyed.put("Authorization", "Basic " + Base64.getEncoder().encodeToString(credentials));
      }
      if (RedirectRules.sameServer(own.server(), uri)) {
        keyed.putAll(headers);
      }
      return new HttpPage.Page(
          withoutUser(uri),
          url.shown(),
          key(url),
          keyed,
          proxy,
          fetching.allowPrivateRedirects(),
          fetching.insecure(),
          List.copyOf(fromFiles));
    }

    /** User and password are in a separate header. */
    private static URI withoutUser(URI url) {
      if (url.getRawUserInfo() == null) {
        return url;
      }
      try {
        return new URI(url.toString().replaceFirst("//[^/?#@]*@", "//"));
      } catch (URISyntaxException e) {
        throw new IllegalArgumentException("not a URL", e);
      }
    }
  }
}
