package io.bloomgate.gateway.alarm;

import io.bloomgate.blocklists.fetch.WebClient;
import io.bloomgate.blocklists.fetch.WebClient.WebRequest;
import io.bloomgate.blocklists.fetch.WebExchange;
import io.bloomgate.config.settings.AlarmSettings;
import io.bloomgate.gateway.report.OwnMail;
import io.bloomgate.gateway.report.OwnMail.NotSentException;
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

/** A way in which alarms reach people. Its methods block within a limit of time. */
interface AlarmSender {

  /** The word for the way, {@code mail} or {@code url}. */
  String word();

  /** The recipient by these settings, for people; empty for none. */
  String recipient(AlarmSettings settings);

  /**
   * Sends it.
   *
   * @return what the other side answered, for people
   */
  String send(AlarmNotice notice, AlarmSettings settings) throws NotSentException;

  /** Sends alarms by mail, as text. Any thread that may block. */
  record AlarmMail(OwnMail mail) implements AlarmSender {

    @Override
    public String word() {
      return "mail";
    }

    @Override
    public String recipient(AlarmSettings settings) {
      return Objects.requireNonNullElse(settings.to(), "");
    }

    @Override
    public String send(AlarmNotice notice, AlarmSettings settings) throws NotSentException {
      String text = notice.text(mail.hostname().get());
      return mail.send(
          new OwnMail.Content("alarm", notice.headline(), notice.at(), text, null),
          recipient(settings));
    }
  }

  /**
   * Sends alarms by a POST of JSON, with the HTTP client of the feeds. No redirect is followed: the
   * address may hold a key. What the server answers is not read. Any thread that may block.
   *
   * @param threads for exchanges, so that a time limit can leave one
   * @param hostname of the settings that count now
   */
  record AlarmPost(
      WebClient client, ThreadFactory threads, Supplier<String> hostname, String version)
      implements AlarmSender {

    /** Time for the whole exchange. */
    static final Duration LIMIT = Duration.ofSeconds(20);

    /** Time for a connection, and without an octet from the server. */
    static final Duration SILENCE = Duration.ofSeconds(10);

    private static final int SUCCESS = 2;
    private static final int REDIRECT = 3;
    private static final int CLASS = 100;

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
}
