package io.bloomgate.gateway.alarm;

import io.bloomgate.blocklists.fetch.WebClient;
import io.bloomgate.blocklists.fetch.WebExchange;
import io.bloomgate.blocklists.fetch.WebRequest;
import io.bloomgate.config.settings.AlarmSettings;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Sends alarms by a POST of JSON, with the HTTP client of the feeds. No redirect is followed: the
 * address may hold a key. What the server answers is not read. Any thread that may block.
 */
final class AlarmPost implements AlarmSender {

  /** Time for the whole exchange. */
  static final Duration LIMIT = Duration.ofSeconds(20);

  /** Time for a connection, and without an octet from the server. */
  static final Duration SILENCE = Duration.ofSeconds(10);

  private static final int SUCCESS = 2;
  private static final int REDIRECT = 3;
  private static final int CLASS = 100;

  private final WebClient client;
  private final ThreadFactory threads;
  private final Supplier<String> hostname;
  private final String version;

  /**
   * Sends nothing yet.
   *
   * @param threads for exchanges, so that a time limit can leave one
   * @param hostname of the settings that count now
   */
  AlarmPost(WebClient client, ThreadFactory threads, Supplier<String> hostname, String version) {
    this.client = client;
    this.threads = threads;
    this.hostname = hostname;
    this.version = version;
  }

  @Override
  public String word() {
    return "url";
  }

  @Override
  public String recipient(AlarmSettings settings) {
    return settings.shownUrl();
  }

  @Override
  public String send(AlarmNotice notice, AlarmSettings settings) throws NotSentException {
    URI url = Objects.requireNonNull(settings.url(), "alarms.url");
    WebRequest request =
        new WebRequest(
            url,
            List.of(),
            Map.of("User-Agent", "Bloomgate/" + version + " (SMTP gateway, alarms)"),
            null);
    int status = status(request, notice.json(hostname.get()));
    if (status / CLASS == REDIRECT) {
      throw new NotSentException(
          "the server answered " + status + ", and redirects are not followed");
    }
    if (status / CLASS != SUCCESS) {
      throw new NotSentException("the server answered " + status);
    }
    return "HTTP " + status;
  }

  private int status(WebRequest request, byte[] json) throws NotSentException {
    try (WebExchange exchange = client.exchange()) {
      FutureTask<Integer> task = new FutureTask<>(() -> exchange.post(request, json).status());
      threads.newThread(task).start();
      return task.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new NotSentException("no answer within " + LIMIT.toSeconds() + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NotSentException("the gateway is stopping", e);
    } catch (ExecutionException e) {
      throw new NotSentException(WebExchange.words(e.getCause() == null ? e : e.getCause()), e);
    }
  }
}
