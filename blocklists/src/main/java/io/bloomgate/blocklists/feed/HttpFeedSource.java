package io.bloomgate.blocklists.feed;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A feed over HTTP or HTTPS: conditional, bounded in octets and time, redirects followed by our own
 * rules ({@link RedirectRules}). The octets go to disk as they come; gzip is seen by its magic
 * bytes later, whatever the headers say. Made by {@link FeedSources}; a fetch blocks its thread.
 */
final class HttpFeedSource implements FeedSource {

  /** Some publishers refuse clients that do not say who they are. */
  static final String USER_AGENT = "Bloomgate/0.1 (SMTP gateway, feed refresh)";

  private static final long LONGEST_VALIDATOR = 1024;

  private final HttpClient client;
  private final URI url;
  private final RedirectRules redirects;
  private final LongSupplier nanoTime;
  private final Duration limit;

  HttpFeedSource(
      HttpClient client, URI url, RedirectRules redirects, LongSupplier nanoTime, Duration limit) {
    this.client = client;
    this.url = url;
    this.redirects = redirects;
    this.nanoTime = nanoTime;
    this.limit = limit;
  }

  @Override
  public String shown() {
    return RedactedUrl.of(url);
  }

  @Override
  public FetchResult fetch(Validators known, Path directory) {
    long deadline = nanoTime.getAsLong() + limit.toNanos();
    Path part = directory.resolve(FileFeedSource.partName(0));
    URI at = url;
    try {
      for (int hop = 0; hop <= FeedLimits.REDIRECTS; hop++) {
        HttpResponse<Optional<Path>> response = send(request(at, known), part, deadline);
        int status = response.statusCode();
        if (!RedirectRules.isRedirect(status)) {
          return result(response, known);
        }
        RedirectRules.Decision next =
            redirects.judge(at, response.headers().firstValue("Location"));
        if (next instanceof RedirectRules.Decision.Refuse(String why)) {
          return failed(why);
        } else if (next instanceof RedirectRules.Decision.Follow(URI target)) {
          at = target;
        }
      }
      return failed("more than " + FeedLimits.REDIRECTS + " redirects");
    } catch (TimeoutException e) {
      return failed("not done within " + limit.toSeconds() + " s");
    } catch (ExecutionException e) {
      return broken(e.getCause() == null ? e : e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return failed("interrupted, the gateway is stopping");
    } catch (IllegalArgumentException | IOException e) {
      return broken(e);
    }
  }

  private HttpResponse<Optional<Path>> send(HttpRequest request, Path part, long deadline)
      throws InterruptedException, ExecutionException, TimeoutException {
    CompletableFuture<HttpResponse<Optional<Path>>> answer =
        client.sendAsync(
            request,
            info ->
                info.statusCode() == 200
                    ? new FileBody(part, FeedLimits.FETCHED_OCTETS)
                    : new NoBody());
    try {
      return answer.get(Math.max(1, deadline - nanoTime.getAsLong()), TimeUnit.NANOSECONDS);
    } finally {
      // Harmless when it is done; otherwise it closes the connection.
      answer.cancel(true);
    }
  }

  private HttpRequest request(URI target, Validators known) throws IOException {
    URI bare = RedirectRules.withoutUser(target);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(bare)
            .GET()
            .header("User-Agent", USER_AGENT)
            .header("Accept", "*/*")
            .header("Accept-Encoding", "gzip");
    if ("http".equalsIgnoreCase(bare.getScheme())) {
      // Old servers stumble over the offer to upgrade.
      request.version(HttpClient.Version.HTTP_1_1);
    }
    String user = target.getUserInfo();
    if (user != null) {
      byte[] credentials = user.getBytes(UTF_8);
      request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(credentials));
    }
    if (!known.etag().isEmpty()) {
      request.header("If-None-Match", known.etag());
    }
    if (!known.lastModified().isEmpty()) {
      request.header("If-Modified-Since", known.lastModified());
    }
    return request.build();
  }

  private FetchResult result(HttpResponse<Optional<Path>> response, Validators known) {
    int status = response.statusCode();
    @Nullable Path part = response.body().orElse(null);
    if (status == 200 && part != null) {
      return new FetchResult.Fetched(
          new FeedContent(List.of(part)),
          new Validators(header(response, "ETag"), header(response, "Last-Modified"), ""));
    }
    if (status == 304 && !known.equals(Validators.NONE)) {
      return new FetchResult.NotModified();
    }
    String message = shown() + " answered " + status + hint(status);
    return new FetchResult.Failed(message, message, RetryAfter.of(header(response, "Retry-After")));
  }

  private static String hint(int status) {
    return switch (status) {
      case 401, 403 -> "; the publisher wants a key or another user agent, or blocks this address";
      case 404, 410 -> "; the list has moved or ended, look at the publisher's page";
      case 429 -> "; asked too often, set a longer `every`";
      default -> status >= 500 ? "; trouble at the publisher, it will be tried again" : "";
    };
  }

  private static String header(HttpResponse<?> response, String name) {
    return response
        .headers()
        .firstValue(name)
        .filter(v -> v.length() <= LONGEST_VALIDATOR)
        .orElse("");
  }

  private FetchResult failed(String why) {
    return FetchResult.Failed.of(shown() + ": " + why, shown() + ": " + why);
  }

  private FetchResult broken(Throwable cause) {
    String why =
        switch (cause) {
          case DamagedFeedException damaged -> String.valueOf(damaged.getMessage());
          case java.net.http.HttpTimeoutException ignored -> "no connection in time";
          case java.net.ConnectException ignored -> "no connection; check host and firewall";
          case javax.net.ssl.SSLException ignored -> "TLS failed; check the server's certificate";
          case java.nio.file.FileSystemException ignored ->
              "cannot be written to the state directory";
          default ->
              String.valueOf(cause.getMessage()).contains("No space left")
                  ? "the disk of the state directory is full"
                  : "the transfer broke off";
        };
    return FetchResult.Failed.of(
        shown() + ": " + why, shown() + ": " + why + " (" + Octets.escape(cause.toString()) + ")");
  }
}
