package io.bloomgate.config.settings;

import io.bloomgate.config.notation.HostPort;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The way in which a list is fetched; part of {@link Location.Url}.
 *
 * @param mirrors asked in this order when the first address fails
 * @param checksumUrl where the publisher shows the checksum of the list; {@code null} for none
 * @param headers by name, sent to the server of the feed's own address only
 * @param secretFile with the key for {@code {secret}}, {@code null} when no address has one
 * @param proxy the one that counts for this feed, {@code null} for none
 * @param insecure redirects to plain http are followed beyond this network too
 */
public record Fetching(
    List<FeedUrl> mirrors,
    @Nullable FeedUrl checksumUrl,
    Map<String, HeaderValue> headers,
    @Nullable Path secretFile,
    @Nullable Proxy proxy,
    boolean allowPrivateRedirects,
    boolean insecure) {

  /** One address, asked through a proxy or directly. */
  public static Fetching by(@Nullable Proxy proxy) {
    return new Fetching(List.of(), null, Map.of(), null, proxy, false, false);
  }

  /** The same, with redirects to plain http or without. */
  public Fetching withInsecure(boolean permitted) {
    return Copy.of(Fetching.class, this, Map.of("insecure", permitted));
  }

  /** Every address that a fetch may ask, the feed's own first. */
  public List<FeedUrl> addresses(FeedUrl own) {
    return Stream.of(
            List.of(own), mirrors, checksumUrl == null ? List.<FeedUrl>of() : List.of(checksumUrl))
        .flatMap(List::stream)
        .toList();
  }

  /** The value of a request header. */
  public sealed interface HeaderValue {
    /** The value as the settings have it; never shown, because it may be a key. */
    record Text(String value) implements HeaderValue {
      @Override
      public String toString() {
        return "***";
      }
    }

    /** The value is read from a file at each fetch. */
    record SecretFile(Path file) implements HeaderValue {}
  }

  /**
   * An HTTP proxy for http and https.
   *
   * @param credentials file with USER:PASSWORD, {@code null} when it asks for none
   */
  public record Proxy(HostPort address, @Nullable Path credentials) {}
}
