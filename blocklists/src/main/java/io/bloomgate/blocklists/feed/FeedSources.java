package io.bloomgate.blocklists.feed;

import io.bloomgate.config.settings.Settings;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes the source of a feed; owns the HTTP client, which is made at the first need and kept. Made
 * once by the composition root and once by the command line. Thread-safe.
 */
public final class FeedSources implements AutoCloseable {

  private final Executor executor;
  private final LongSupplier nanoTime;
  private final Duration fetchTime;
  private final RedirectRules.Resolver resolver;
  private @Nullable HttpClient client;

  /**
   * @param executor runs the HTTP client's work
   * @param nanoTime for the time limit of a fetch
   */
  public FeedSources(Executor executor, LongSupplier nanoTime) {
    this(executor, nanoTime, FeedLimits.FETCH_TIME, InetAddress::getAllByName);
  }

  FeedSources(
      Executor executor,
      LongSupplier nanoTime,
      Duration fetchTime,
      RedirectRules.Resolver resolver) {
    this.executor = executor;
    this.nanoTime = nanoTime;
    this.fetchTime = fetchTime;
    this.resolver = resolver;
  }

  /** The source that a feed's settings name. */
  public FeedSource of(Settings.Feeds.Source source) {
    return switch (source.location()) {
      case Settings.Feeds.Location.Url(URI uri) -> http(uri);
      case Settings.Feeds.Location.Files(String pattern) -> new FileFeedSource(pattern);
    };
  }

  /** A source named on the command line: a web address, or else a path or glob. */
  public FeedSource named(String fileOrUrl) {
    if (fileOrUrl.matches("(?i)https?://.+")) {
      return http(URI.create(fileOrUrl));
    }
    return new FileFeedSource(fileOrUrl);
  }

  /**
   * Certificates are always checked; {@code insecure: true} lets plain http pass, in the settings.
   */
  private FeedSource http(URI url) {
    return new HttpFeedSource(client(), url, new RedirectRules(url, resolver), nanoTime, fetchTime);
  }

  /** Ends what is still under way. */
  @Override
  public synchronized void close() {
    if (client != null) {
      client.shutdownNow();
    }
  }

  private synchronized HttpClient client() {
    if (client == null) {
      client =
          HttpClient.newBuilder()
              .executor(executor)
              .connectTimeout(FeedLimits.CONNECT_TIME)
              .followRedirects(HttpClient.Redirect.NEVER)
              .build();
    }
    return client;
  }
}
