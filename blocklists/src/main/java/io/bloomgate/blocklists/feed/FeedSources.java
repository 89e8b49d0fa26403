package io.bloomgate.blocklists.feed;

import io.bloomgate.config.settings.Settings;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/**
 * Makes the source of a feed; owns the HTTP clients, which are made at the first need and kept.
 * Made once by the composition root and once by the command line. Thread-safe.
 */
public final class FeedSources implements AutoCloseable {

  private final Executor executor;
  private final LongSupplier nanoTime;
  private final Duration fetchTime;
  private final RedirectRules.Resolver resolver;
  private final Lazy checked = new Lazy(false);
  private final Lazy unchecked = new Lazy(true);

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
      case Settings.Feeds.Location.Url(URI uri) -> http(uri, source.insecure());
      case Settings.Feeds.Location.Files(String pattern) -> new FileFeedSource(pattern);
    };
  }

  /** A source named on the command line: a web address, or else a path or glob. */
  public FeedSource named(String fileOrUrl) {
    if (fileOrUrl.matches("(?i)https?://.+")) {
      return http(URI.create(fileOrUrl), false);
    }
    return new FileFeedSource(fileOrUrl);
  }

  private FeedSource http(URI url, boolean insecure) {
    return new HttpFeedSource(
        (insecure ? unchecked : checked).client(),
        url,
        new RedirectRules(url, resolver),
        nanoTime,
        fetchTime);
  }

  /** Ends what is still under way. */
  @Override
  public void close() {
    checked.close();
    unchecked.close();
  }

  /** A client that is made when it is first needed. */
  private final class Lazy {
    private final boolean insecure;
    private @org.jspecify.annotations.Nullable HttpClient client;

    Lazy(boolean insecure) {
      this.insecure = insecure;
    }

    synchronized HttpClient client() {
      if (client == null) {
        HttpClient.Builder builder =
            HttpClient.newBuilder()
                .executor(executor)
                .connectTimeout(FeedLimits.CONNECT_TIME)
                .followRedirects(HttpClient.Redirect.NEVER);
        if (insecure) {
          builder.sslContext(trustingAll());
        }
        client = builder.build();
      }
      return client;
    }

    synchronized void close() {
      if (client != null) {
        client.shutdownNow();
      }
    }
  }

  /** {@code insecure: true}: the operator gave up knowing who answers. */
  private static SSLContext trustingAll() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new TrustEveryone()}, new SecureRandom());
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has TLS", e);
    }
  }
}
