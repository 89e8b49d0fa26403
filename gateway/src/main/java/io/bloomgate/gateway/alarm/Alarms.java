package io.bloomgate.gateway.alarm;

import io.bloomgate.blocklists.fetch.WebClient;
import io.bloomgate.config.settings.AlarmSettings;
import io.bloomgate.gateway.alarm.AlarmMemory.OpenAlarm;
import io.bloomgate.gateway.alarm.AlarmSender.AlarmMail;
import io.bloomgate.gateway.alarm.AlarmSender.AlarmPost;
import io.bloomgate.gateway.report.OwnMail;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
   * Nothing is sent yet.
   *
   * @param stateDir keeps what was sent
   * @param threads for exchanges over HTTP
   */
  public Alarms(
      Path stateDir,
      Supplier<AlarmSettings> settings,
      OwnMail ownMail,
      ThreadFactory threads,
      InstantSource clock,
      String version) {
    this.clock = clock;
    AlarmSender byMail = new AlarmMail(ownMail);
    AlarmSender byPost = new AlarmPost(client, threads, ownMail.hostname(), version);
    mail = new AlarmChannel(byMail, settings, clock, stateDir.resolve("alarms.mail"));
    post = new AlarmChannel(byPost, settings, clock, stateDir.resolve("alarms.url"));
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

  /**
   * The alarms that somebody has said to have seen, so that others need not look too. One that has
   * ended and begins again is not seen; a restart forgets all. Thread-safe: asked by commands and
   * by the chores of {@link Alarms}.
   */
  static final class SeenAlarms {

    /** Alarms that are known to be seen at a time. */
    private static final int MAX_SEEN = 200;

    /** The user who has seen an alarm, when, and when the alarm was there last. */
    private record Note(String by, Instant at, Instant there) {}

    private final Map<String, Note> notes = new HashMap<>();

    /**
     * Notes that somebody has seen the alarms that are this one or begin like this; figures may
     * have changed.
     *
     * @param sentences the alarms of now
     * @return those that were meant
     */
    synchronized List<String> see(String alarm, List<String> sentences, String by, Instant now) {
      List<String> meant = new ArrayList<>();
      List<String> same = List.copyOf(OpenAlarm.byKey(List.of(alarm)).keySet());
      OpenAlarm.byKey(sentences)
          .forEach((key, sentence) -> {
            if ((sentence.startsWith(alarm) || same.contains(key))
                && (notes.size() < MAX_SEEN || notes.containsKey(key))) {
              notes.put(key, new Note(by, now, now));
              meant.add(sentence);
            }
          });
      return meant;
    }

    synchronized boolean isEmpty() {
      return notes.isEmpty();
    }

    /** Returns those of the alarms of now that somebody has seen; forgets what has ended. */
    synchronized List<Alarms.Seen> look(List<String> sentences, Instant now) {
      Map<String, String> keyed = OpenAlarm.byKey(sentences);
      List<Alarms.Seen> seen = new ArrayList<>();
      keyed.forEach((key, sentence) -> {
        Note note = notes.get(key);
        if (note != null) {
          notes.put(key, new Note(note.by(), note.at(), now));
          seen.add(new Alarms.Seen(sentence, note.by(), note.at()));
        }
      });
      notes.values().removeIf(note -> !now.isBefore(note.there().plus(AlarmMemory.END)));
      return seen;
    }
  }
}
