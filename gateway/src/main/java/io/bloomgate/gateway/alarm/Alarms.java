package io.bloomgate.gateway.alarm;

import io.bloomgate.blocklists.fetch.WebClient;
import io.bloomgate.config.settings.AlarmSettings;
import io.bloomgate.gateway.relay.MailRoutes;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;

/**
 * Sends alarms to the recipients of the section {@code alarms}, by mail and by a POST. Each way has
 * its own chore: neither waits for the other. One for a gateway.
 */
public final class Alarms implements AutoCloseable {

  private final WebClient client =
      new WebClient(WebClient.Means.ofJdk(AlarmPost.SILENCE, AlarmPost.SILENCE));
  private final SeenAlarms seen = new SeenAlarms();
  private final InstantSource clock;
  private final AlarmChannel mail;
  private final AlarmChannel post;

  /**
   * The services that alarms need.
   *
   * @param hostname of the settings that count now
   * @param ids random words for ids of messages
   * @param threads for exchanges over HTTP
   */
  public record Surroundings(
      Supplier<AlarmSettings> settings,
      Supplier<MailRoutes> routes,
      Supplier<String> hostname,
      Supplier<String> ids,
      ThreadFactory threads,
      InstantSource clock,
      String version) {}

  /**
   * Nothing is sent yet.
   *
   * @param stateDir keeps what was sent
   */
  public Alarms(Path stateDir, Surroundings around) {
    clock = around.clock();
    mail =
        new AlarmChannel(
            new AlarmMail(around.routes(), around.hostname(), around.ids()),
            around.settings(),
            around.clock(),
            stateDir.resolve("alarms.mail"));
    post =
        new AlarmChannel(
            new AlarmPost(client, around.threads(), around.hostname(), around.version()),
            around.settings(),
            around.clock(),
            stateDir.resolve("alarms.url"));
  }

  /**
   * The outcome of a test.
   *
   * @param way mail or url
   * @param answer what the other side answered, or why it was not sent
   */
  public record Tested(String way, String to, boolean sent, String answer) {}

  /**
   * An alarm that somebody has seen.
   *
   * @param alarm its sentence as it is now
   */
  public record Seen(String alarm, String by, Instant at) {}

  /** Notes that somebody has seen alarms, by the sentence or its beginning; says which. */
  public List<String> see(String alarm, List<String> alarms, String by) {
    return seen.see(alarm, alarms, by, clock.instant());
  }

  /** Returns those of the alarms of now that somebody has seen. */
  public List<Seen> seen(List<String> alarms) {
    return seen.look(alarms, clock.instant());
  }

  /** Sends by mail what is due. */
  public void tickMail(Supplier<List<String>> alarms) {
    if (!seen.isEmpty()) {
      seen(alarms.get()); // or an alarm that ends while nobody looks would stay seen
    }
    mail.tick(alarms);
  }

  /** Sends by a POST what is due. */
  public void tickPost(Supplier<List<String>> alarms) {
    post.tick(alarms);
  }

  /** Sentences for {@code status} while alarms do not arrive. */
  public List<String> problems() {
    return List.of(mail, post).stream().flatMap(way -> way.problem().stream()).toList();
  }

  /** Sends a test to all recipients; blocks. */
  public List<Tested> test() {
    return List.of(mail, post).stream().flatMap(way -> way.test().stream()).toList();
  }

  @Override
  public void close() {
    client.close();
  }
}
