package io.bloomgate.blocklists.fetch;

import io.bloomgate.blocklists.format.FeedLimits;
import io.bloomgate.config.settings.FeedUrl;
import io.bloomgate.config.settings.Fetching;
import io.bloomgate.config.settings.Fetching.HeaderValue;
import io.bloomgate.config.settings.Location;
import io.bloomgate.config.settings.Settings;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes the source of a feed; owns the HTTP client. Made once by the composition root and once by
 * the command line. Thread-safe.
 */
public final class FeedSources implements AutoCloseable {

  private final WebClient client;
  private final Executor executor;
  private final LongSupplier nanoTime;
  private final InstantSource clock;
  private final Duration fetchTime;
  private final Fetching ofNamed;
  private final TimedReads reads;

  /** Programs that fetch by rsync. */
  private final Set<Process> running = ConcurrentHashMap.newKeySet();

  /**
   * Makes sources for the feeds of the settings.
   *
   * @param executor runs transfers, a thread of low priority each in production
   * @param nanoTime for the time limit of a fetch
   * @param clock for servers that ask to be left alone until some time
   */
  public FeedSources(Executor executor, LongSupplier nanoTime, InstantSource clock) {
    this(executor, nanoTime, clock, null);
  }

  /**
   * Makes sources that are named on the command line too.
   *
   * @param proxy for those, {@code null} for none
   */
  public FeedSources(
      Executor executor,
      LongSupplier nanoTime,
      InstantSource clock,
      Fetching.@Nullable Proxy proxy) {
    this(
        executor,
        nanoTime,
        clock,
        FeedLimits.FETCH_TIME,
        new WebClient(WebClient.Means.ofJdk(FeedLimits.CONNECT_TIME, FeedLimits.SILENCE_TIME)),
        Fetching.by(proxy));
  }

  FeedSources(
      Executor executor,
      LongSupplier nanoTime,
      InstantSource clock,
      Duration fetchTime,
      WebClient client,
      Fetching ofNamed) {
    this.client = client;
    this.executor = executor;
    this.nanoTime = nanoTime;
    this.clock = clock;
    this.fetchTime = fetchTime;
    this.ofNamed = ofNamed;
    this.reads = new TimedReads(executor, fetchTime);
  }

  /** The source that a feed's settings name. */
  public FeedSource of(Settings.Feeds.Source source) {
    return of(source, FetchMeter.NONE);
  }

  /**
   * The same for a fetch whose progress is shown.
   *
   * @param meter is called as downloads advance
   */
  public FeedSource of(Settings.Feeds.Source source, FetchMeter meter) {
    return switch (source.location()) {
      case Location.Url(FeedUrl url, Fetching fetching) -> http(url, fetching, meter);
      case Location.Rsync(FeedUrl url) -> rsync(url);
      case Location.Files(String pattern) -> new FileFeedSource(pattern, false, reads);
    };
  }

  /**
   * A source named on the command line: a web address, one of an rsync server, or else a path or
   * glob.
   *
   * @throws IllegalArgumentException when it looks like an address and is none
   */
  public FeedSource named(String fileOrUrl) {
    if (fileOrUrl.matches("(?i)rsync://.*")) {
      return rsync(FeedUrl.ofRsync(fileOrUrl));
    }
    if (!fileOrUrl.matches("(?i)https?://.+")) {
      return new FileFeedSource(fileOrUrl, true, reads);
    }
    FeedUrl url = new FeedUrl(fileOrUrl);
    if (url.uri("").getHost() == null) {
      throw new IllegalArgumentException("not a web address");
    }
    // Who names plain http in the world may be sent on to plain http.
    boolean insecure = ofNamed.insecure() || url.isPlainToTheWorld();
    return http(url, ofNamed.withInsecure(insecure), FetchMeter.NONE);
  }

  /**
   * A file that the leader of a fleet published.
   *
   * @param addressOrPath the path is absolute
   */
  public FeedSource published(String addressOrPath, FetchMeter meter) {
    if (addressOrPath.startsWith("/")) {
      return new FileFeedSource(addressOrPath, false, reads);
    }
    // As it is, because its checksum is known.
    Map<String, HeaderValue> headers = Map.of("Accept-Encoding", new HeaderValue.Text("identity"));
    Fetching plainly = new Fetching(List.of(), null, headers, null, null, false, false);
    return http(new FeedUrl(addressOrPath), plainly, meter);
  }

  private HttpPage pages(FetchMeter meter) {
    return new HttpPage(client, executor, nanoTime, clock, meter);
  }

  private FeedSource http(FeedUrl url, Fetching fetching, FetchMeter meter) {
    return new HttpFeedSource(url, fetching, pages(meter), nanoTime, fetchTime);
  }

  private FeedSource rsync(FeedUrl url) {
    return new RsyncFeedSource(url, nanoTime, fetchTime, running);
  }

  /** Ends what is still under way. */
  @Override
  public void close() {
    client.close();
    running.forEach(RsyncFeedSource::end);
  }

  /**
   * Receives the progress of a download. Called on the thread of the transfer, for every block that
   * came.
   */
  @FunctionalInterface
  public interface FetchMeter {

    /** Nobody listens. */
    FetchMeter NONE = (octets, total) -> {};

    /**
     * Some octets have come.
     *
     * @param octets of the current file so far, as they come over the wire
     * @param total of that file as the server gives it, -1 when it does not
     */
    void taken(long octets, long total);
  }
}
