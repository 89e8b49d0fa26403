package io.bloomgate.blocklists.fetch;

import io.bloomgate.blocklists.fetch.FeedSources.FetchMeter;
import io.bloomgate.blocklists.fetch.FetchResult.Failed.Kind;
import io.bloomgate.blocklists.fetch.FileFeedSource.UnwritableException;
import io.bloomgate.blocklists.fetch.WebClient.WebRequest;
import io.bloomgate.blocklists.fetch.WebClient.WebRequest.WebProxy;
import io.bloomgate.blocklists.fetch.WebExchange.WebAnswer;
import io.bloomgate.blocklists.fetch.WebExchange.WebException;
import io.bloomgate.blocklists.format.DamagedFeedException;
import io.bloomgate.blocklists.format.FeedContent;
import io.bloomgate.blocklists.format.FeedLimits;
import io.bloomgate.blocklists.format.Octets;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One file over HTTP or HTTPS: conditional, bounded in octets and time, redirects followed by our
 * own rules ({@link RedirectRules}). The octets go to disk as they come; compression is seen by its
 * magic bytes later, whatever the headers say. Used by {@link HttpFeedSource}; blocks its thread.
 *
 * @param executor runs transfers and looks names up, so that a time limit can leave them
 * @param clock for servers that name a time and do not say what time they have
 * @param meter is called for every block that comes
 */
record HttpPage(
    WebClient client,
    Executor executor,
    LongSupplier nanoTime,
    InstantSource clock,
    FetchMeter meter) {

  /** Some publishers refuse clients that do not say who they are. */
  static final String USER_AGENT = "Bloomgate/" + version() + " (SMTP gateway, feed refresh)";

  private static final int LONGEST_VALIDATOR = 1024;

  /**
   * The page that is asked for.
   *
   * @param url with its key, without user information
   * @param shown without its key
   * @param key under which its marks are remembered; shows nothing of what may be secret in it
   * @param headers for the server of {@code url} only
   * @param proxy {@code null} to ask directly
   * @param toPrivate the operator permits redirects to addresses inside
   * @param insecure the operator permits redirects to plain HTTP, which anyone on the way can write
   * @param secrets that no redirect may carry to another server
   */
  record Page(
      URI url,
      String shown,
      String key,
      Map<String, String> headers,
      @Nullable WebProxy proxy,
      boolean toPrivate,
      boolean insecure,
      List<String> secrets) {

    /** There is no file, because of this. */
    FetchResult.Failed failed(String why) {
      return FetchResult.Failed.of(shown + ": " + why);
    }

    @Override
    public String toString() {
      return shown;
    }
  }

  /**
   * The file to which the octets go, and the bounds of octets and time.
   *
   * @param file does not exist yet; it does not afterwards either unless the file was taken
   * @param octets at most
   * @param deadline of the clock in nanoseconds
   * @param asIs without compression on the way, because a checksum is over the file itself
   */
  record Target(Path file, long octets, long deadline, boolean asIs) {}

  private static String version() {
    // From the jar's manifest; a build that runs from its classes has none.
    String version = HttpPage.class.getPackage().getImplementationVersion();
    return version == null ? "0" : version;
  }

  /**
   * Takes the file if it is not the known one.
   *
   * @param known marks of the version that is stored
   */
  FetchResult take(Page page, Validators known, Target target) {
    FetchResult result = tried(page, known.of(page.key), target);
    try {
      if (!(result instanceof FetchResult.Fetched)) {
        Files.deleteIfExists(target.file());
      }
      return result;
    } catch (IOException e) {
      return broken(page, new UnwritableException(e));
    }
  }

  private FetchResult tried(Page page, Validators.Stamp known, Target target) {
    try {
      return follow(page, known, target);
    } catch (TimeoutException e) {
      return page.failed("not done in time");
    } catch (ExecutionException e) {
      return broken(page, e.getCause() == null ? e : e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return page.failed("interrupted, the gateway is stopping");
    } catch (IllegalArgumentException | IOException e) {
      return broken(page, e);
    }
  }

  private FetchResult follow(Page page, Validators.Stamp known, Target target)
      throws InterruptedException, ExecutionException, TimeoutException, IOException {
    RedirectRules rules = new RedirectRules(page, client::resolve);
    URI at = page.url();
    List<InetAddress> addresses = List.of();
    boolean atHome = true;
    for (int hop = 0; hop <= FeedLimits.REDIRECTS; hop++) {
      Map<String, String> headers = headers(atHome ? page.headers() : Map.of(), known, target);
      WebAnswer answer = send(new WebRequest(at, addresses, headers, page.proxy()), target);
      if (!RedirectRules.isRedirect(answer.status())) {
        return result(page, answer, known, target);
      }
      URI from = at;
      String location = answer.header("location").orElse("");
      RedirectRules.Follow next = withinTime(target, () -> rules.judge(from, location));
      at = next.target();
      addresses = next.addresses();
      // Keys stay at home, also when a stranger sends us back.
      atHome = atHome && rules.isOwn(at);
    }
    return page.failed("more than " + FeedLimits.REDIRECTS + " redirects");
  }

  private static Map<String, String> headers(
      Map<String, String> own, Validators.Stamp known, Target target) {
    Map<String, String> headers = new LinkedHashMap<>();
    if (own.keySet().stream().noneMatch("User-Agent"::equalsIgnoreCase)) {
      headers.put("User-Agent", USER_AGENT);
    }
    if (own.keySet().stream().noneMatch("Accept"::equalsIgnoreCase)) {
      headers.put("Accept", "*/*");
    }
    headers.put("Accept-Encoding", target.asIs ? "identity" : "gzip");
    headers.putAll(own);
    if (!known.etag().isEmpty()) {
      headers.put("If-None-Match", known.etag());
    }
    if (!known.lastModified().isEmpty()) {
      headers.put("If-Modified-Since", known.lastModified());
    }
    return headers;
  }

  private WebAnswer send(WebRequest request, Target target)
      throws InterruptedException, ExecutionException, TimeoutException {
    try (WebExchange exchange = client.exchange()) {
      return withinTime(target, () -> transfer(exchange, request, target));
    }
  }

  /**
   * Runs a step until time is up; a step that cannot be interrupted, as the JDK's resolver, is left
   * to itself then.
   */
  private <T> T withinTime(Target target, Callable<T> step)
      throws InterruptedException, ExecutionException, TimeoutException {
    FutureTask<T> task = new FutureTask<>(step);
    executor.execute(task);
    long left = target.deadline - nanoTime.getAsLong();
    return task.get(Math.max(1, left), TimeUnit.NANOSECONDS);
  }

  private WebAnswer transfer(WebExchange exchange, WebRequest request, Target target)
      throws IOException {
    WebAnswer answer = exchange.get(request);
    if (answer.status() == 200) {
      save(answer.body(), target, total(answer));
    }
    return answer;
  }

  private static long total(WebAnswer answer) {
    String length = answer.header("content-length").orElse("");
    return length.matches("[0-9]{1,18}") ? Long.parseLong(length) : -1;
  }

  private void save(InputStream body, Target target, long total) throws IOException {
    long octets =
        FileFeedSource.copy(body, target.file, target.octets, taken -> meter.taken(taken, total));
    if (octets > target.octets) {
      throw new DamagedFeedException("more than " + target.octets + " octets");
    }
  }

  private FetchResult result(Page page, WebAnswer answer, Validators.Stamp known, Target target) {
    int status = answer.status();
    if (status == 200) {
      Validators.Stamp stamp =
          new Validators.Stamp(
              validator(answer.header("etag").orElse("")),
              validator(answer.header("last-modified").orElse("")));
      return new FetchResult.Fetched(
          new FeedContent(List.of(target.file)),
          new Validators(Map.of(page.key, stamp), "", "", page.shown));
    }
    if (status == 304 && !known.equals(Validators.Stamp.NONE)) {
      return new FetchResult.NotModified();
    }
    String message = page.shown + " answered " + status + hint(status);
    Optional<Duration> retryAfter =
        RetryAfter.of(
            answer.header("retry-after").orElse(""),
            answer.header("date").orElse(""),
            clock.instant());
    return new FetchResult.Failed(message, message, retryAfter, kind(status));
  }

  private static Kind kind(int status) {
    return switch (status) {
      case 401, 403, 429 -> Kind.BARRED;
      case 404, 410 -> Kind.GONE; // RFC 9110 section 15.5
      default -> Kind.OTHER;
    };
  }

  /**
   * A validator that is sent back at a later fetch; anything but short printable ASCII is not worth
   * keeping.
   */
  private static String validator(String text) {
    boolean fit =
        text.length() <= LONGEST_VALIDATOR && text.chars().allMatch(c -> c >= ' ' && c <= '~');
    return fit ? text : "";
  }

  private static String hint(int status) {
    return switch (status) {
      case 401, 403 -> "; the publisher wants a key or another user agent, or blocks this address";
      case 404, 410 -> "; the list has moved or ended, look at the publisher's page";
      case 429 -> "; asked too often, set a longer `every`";
      default -> status >= 500 ? "; trouble at the publisher, it will be tried again" : "";
    };
  }

  private static FetchResult broken(Page page, Throwable cause) {
    if (cause instanceof WebException own && own.getCause() == null) {
      return page.failed(String.valueOf(own.getMessage()));
    }
    String why =
        switch (cause) {
          case DamagedFeedException damaged -> String.valueOf(damaged.getMessage());
          case UnwritableException ignored ->
              "cannot be stored; check space and owner of the state directory";
          default -> WebExchange.words(cause);
        };
    String message = page.shown + ": " + why;
    Kind kind = cause instanceof java.net.UnknownHostException ? Kind.UNASKED : Kind.OTHER;
    String log = message + " (" + Octets.escape(cause.toString()) + ")";
    return new FetchResult.Failed(message, log, Optional.empty(), kind);
  }
}
