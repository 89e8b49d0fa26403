package io.bloomgate.blocklists.feed;

import io.bloomgate.blocklists.web.WebClient;
import io.bloomgate.config.settings.FeedUrl;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.Settings.Feeds.Fetching;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes the source of a feed; owns the HTTP client. Made once by the composition root and once by
 * the command line. Thread-safe.
 */
public final class FeedSources implements AutoCloseable {

  private final WebClient client;
  private final HttpPage pages;
  private final LongSupplier nanoTime;
  private final Duration fetchTime;

  /**
   * @param executor runs transfers, a virtual thread each in production
   * @param nanoTime for the time limit of a fetch
   */
  public FeedSources(Executor executor, LongSupplier nanoTime) {
    this(
        executor,
        nanoTime,
        FeedLimits.FETCH_TIME,
        new WebClient(WebClient.Means.ofJdk(FeedLimits.CONNECT_TIME, FeedLimits.SILENCE_TIME)));
  }

  FeedSources(Executor executor, LongSupplier nanoTime, Duration fetchTime, WebClient client) {
    this.client = client;
    this.pages = new HttpPage(client, executor, nanoTime);
    this.nanoTime = nanoTime;
    this.fetchTime = fetchTime;
  }

  /** The source that a feed's settings name. */
  public FeedSource of(Settings.Feeds.Source source) {
    return switch (source.location()) {
      case Settings.Feeds.Location.Url(FeedUrl url, Fetching fetching) -> http(url, fetching);
      case Settings.Feeds.Location.Files(String pattern) -> new FileFeedSource(pattern);
    };
  }

  /** A source named on the command line: a web address, or else a path or glob. */
  public FeedSource named(String fileOrUrl) {
    return named(fileOrUrl, null);
  }

  /**
   * The same through a proxy.
   *
   * @param proxy {@code null} for none
   * @throws IllegalArgumentException when it looks like a web address and is none
   */
  public FeedSource named(String fileOrUrl, Settings.Feeds.@Nullable Proxy proxy) {
    if (!fileOrUrl.matches("(?i)https?://.+")) {
      return new FileFeedSource(fileOrUrl);
    }
    FeedUrl url = new FeedUrl(fileOrUrl);
    URI first = url.parts().flatMap(p -> p.label(0)).map(url::part).orElse(url).uri("");
    if (first.getHost() == null) {
      throw new IllegalArgumentException("not a web address");
    }
    Fetching plain = Fetching.PLAIN;
    return http(
        url,
        new Fetching(
            plain.mirrors(),
            plain.checksumUrl(),
            plain.headers(),
            plain.secretFile(),
            proxy,
            plain.allowPrivateRedirects()));
  }

  private FeedSource http(FeedUrl url, Fetching fetching) {
    return new HttpFeedSource(url, fetching, pages, nanoTime, fetchTime);
  }

  /** Ends what is still under way. */
  @Override
  public void close() {
    client.close();
  }
}
