package io.bloomgate.blocklists.fetch;

import io.bloomgate.blocklists.fetch.FeedSources.FetchMeter;
import io.bloomgate.blocklists.fetch.FileFeedSource.UnwritableException;
import io.bloomgate.blocklists.fetch.WebClient.WebRequest;
import io.bloomgate.blocklists.fetch.WebClient.WebRequest.WebProxy;
import io.bloomgate.blocklists.fetch.WebExchange.WebAnswer;
import io.bloomgate.blocklists.format.octets.DamagedFeedException;
import io.bloomgate.blocklists.format.octets.FeedLimits;
import io.bloomgate.blocklists.format.octets.Octets;
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
   * @param headers for the server of {@code url} only
   * @param proxy {@code null} to ask directly
   * @param toPrivate the operator permits redirects to addresses inside
   * @param insecure the operator permits redirects to plain HTTP, which anyone on the way can write
   * @param secrets that no redirect may carry to another server
   */
  record Page(
      URI url,
      String shown,
      Map<String, String> headers,
      @Nullable WebProxy proxy,
      boolean toPrivate,
      boolean insecure,
      List<String> secrets) {

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

  /** The outcome of a request. */
  sealed interface Result {
    /** The file is there. */
    record Taken(Validators.Stamp stamp) implements Result {}

    /** The file has not changed since the stamp was given. */
    record NotModified() implements Result {}

    /**
     * The server gave no file.
     *
     * @param why what, and how to fix it, without the address
     * @param cause for the log
     * @param status of the answer, 0 when there was none
     * @param unasked the name of the first server has no address, so that nobody was asked
     */
    record Failed(
        String why, String cause, int status, Optional<Duration> retryAfter, boolean unasked)
        implements Result {
      /** True when there is no such page, and may never be again: RFC 9110 section 15.5. */
      boolean isGone() {
        return status == 404 || status == 410;
      }

      static Failed of(String why) {
        return new Failed(why, "", 0, Optional.empty(), false);
      }
    }
  }

  private static String version() {
    // From the jar's manifest; a build that runs from its classes has none.
    String version = HttpPage.class.getPackage().getImplementationVersion();
    return version == null ? "0" : version;
  }

  /** Takes the file if it is not the known one. */
  Result take(Page page, Validators.Stamp known, Target target) {
    Result result = tried(page, known, target);
    try {
      if (!(result instanceof Result.Taken)) {
        Files.deleteIfExists(target.file());
      }
      return result;
    } catch (IOException e) {
      return broken(new UnwritableException(e));
    }
  }

  private Result tried(Page page, Validators.Stamp known, Target target) {
    try {
      return follow(page, known, target);
    } catch (TimeoutException e) {
      return Result.Failed.of("not done in time");
    } catch (ExecutionException e) {
      return broken(e.getCause() == null ? e : e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Result.Failed.of("interrupted, the gateway is stopping");
    } catch (IllegalArgumentException | IOException e) {
      return broken(e);
    }
  }

  private Result follow(Page page, Validators.Stamp known, Target target)
      throws InterruptedException, ExecutionException, TimeoutException, IOException {
    RedirectRules rules = new RedirectRules(page, client::resolve);
    URI at = page.url();
    List<InetAddress> addresses = List.of();
    boolean atHome = true;
    for (int hop = 0; hop <= FeedLimits.REDIRECTS; hop++) {
      Map<String, String> headers = headers(atHome ? page.headers() : Map.of(), known, target);
      WebAnswer answer = send(new WebRequest(at, addresses, headers, page.proxy()), target);
      if (!RedirectRules.isRedirect(answer.status())) {
        return result(answer, known);
      }
      URI from = at;
      String location = answer.header("location").orElse("");
      switch (withinTime(target, () -> rules.judge(from, location))) {
        case RedirectRules.Decision.Refuse(String why) -> {
          return Result.Failed.of(why);
        }
        case RedirectRules.Decision.Follow(URI next, List<InetAddress> checked) -> {
          at = next;
          addresses = checked;
          // Keys stay at home, also when a stranger sends us back.
          atHome = atHome && rules.isOwn(next);
        }
      }
    }
    return Result.Failed.of("more than " + FeedLimits.REDIRECTS + " redirects");
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

  private Result result(WebAnswer answer, Validators.Stamp known) {
    if (answer.status() == 200) {
      return new Result.Taken(
          new Validators.Stamp(
              validator(answer.header("etag").orElse("")),
              validator(answer.header("last-modified").orElse(""))));
    }
    if (answer.status() == 304 && !known.equals(Validators.Stamp.NONE)) {
      return new Result.NotModified();
    }
    return new Result.Failed(
        "answered " + answer.status() + hint(answer.status()),
        "",
        answer.status(),
        RetryAfter.of(
            answer.header("retry-after").orElse(""),
            answer.header("date").orElse(""),
            clock.instant()),
        false);
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

  private static Result.Failed broken(Throwable cause) {
    String why =
        switch (cause) {
          case DamagedFeedException damaged -> String.valueOf(damaged.getMessage());
          case UnwritableException ignored ->
              "cannot be stored; check space and owner of the state directory";
          default -> WebExchange.words(cause);
        };
    boolean unasked = cause instanceof java.net.UnknownHostException;
    return new Result.Failed(why, Octets.escape(cause.toString()), 0, Optional.empty(), unasked);
  }
}
