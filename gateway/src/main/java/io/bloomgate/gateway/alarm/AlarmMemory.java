package io.bloomgate.gateway.alarm;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.blocklists.refresh.FeedAge;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonSyntaxException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows what was sent to one recipient of alarms, and what is due. An alarm counts when it has
 * lasted {@link #BEGIN}, and as over when it was away for {@link #END}: one that comes and goes is
 * sent once. A file keeps what was sent, so that a restart sends nothing twice. One thread: the
 * chore of its {@link AlarmChannel}.
 */
final class AlarmMemory {

  /** Time that an alarm has to last before it is sent. */
  static final Duration BEGIN = Duration.ofMinutes(1);

  /** Time that an alarm has to be away before its end is sent. */
  static final Duration END = Duration.ofMinutes(10);

  /** Messages in an hour; what becomes due in between is in the next one. */
  static final int MAX_AN_HOUR = 6;

  /** Alarms that are known at a time. */
  static final int MAX_KNOWN = 200;

  private static final Duration HOUR = Duration.ofHours(1);

  private static final Logger LOG = LoggerFactory.getLogger(AlarmMemory.class);

  private final Path file;
  private final Map<String, OpenAlarm> known = new LinkedHashMap<>();
  private final Deque<Instant> sendings = new ArrayDeque<>();

  /**
   * Reads the file. What was sent before counts as seen now, so that it ends only when it stays
   * away from now on.
   */
  AlarmMemory(Path file, Instant now) {
    this.file = file;
    try {
      if (Files.exists(file)) {
        for (String line : Files.readString(file, UTF_8).lines().limit(MAX_KNOWN).toList()) {
          OpenAlarm sent = JsonRecords.read(OpenAlarm.class, line);
          known.put(sent.key(), sent.sent(now));
        }
      }
    } catch (IOException | JsonSyntaxException e) {
      LOG.warn("{} cannot be read; alarms may be sent again: {}", file, Faults.reason(e));
    }
  }

  /** Takes the sentences that {@code status} shows now. */
  void see(List<String> sentences, Instant now) {
    OpenAlarm.byKey(sentences)
        .forEach((key, sentence) -> {
          OpenAlarm before = known.get(key);
          if (before != null) {
            known.put(key, before.seen(sentence, now));
          } else if (known.size() < MAX_KNOWN) {
            known.put(key, new OpenAlarm(key, sentence, now, now, false));
          }
        });
    known.values().removeIf(alarm -> !alarm.sent() && isOver(alarm, now) && isShort(alarm));
  }

  private static boolean isOver(OpenAlarm alarm, Instant now) {
    return !now.isBefore(alarm.seen().plus(END));
  }

  private static boolean isShort(OpenAlarm alarm) {
    return alarm.seen().isBefore(alarm.since().plus(BEGIN));
  }

  /** The notice that is to be sent now, if any. */
  Optional<AlarmNotice> due(Instant now) {
    sendings.removeIf(at -> at.isAfter(now) || !now.isBefore(at.plus(HOUR)));
    List<OpenAlarm> begun = new ArrayList<>();
    List<OpenAlarm> ended = new ArrayList<>();
    List<OpenAlarm> open = new ArrayList<>();
    for (OpenAlarm alarm : known.values()) {
      if (isOver(alarm, now)) {
        ended.add(alarm);
      } else if (alarm.seen().equals(now) && alarm.sent()) {
        open.add(alarm);
      } else if (alarm.seen().equals(now) && !isShort(alarm)) {
        begun.add(alarm);
      }
    }
    boolean due = !begun.isEmpty() || !ended.isEmpty();
    return due && sendings.size() < MAX_AN_HOUR
        ? Optional.of(new AlarmNotice(now, false, begun, ended, open))
        : Optional.empty();
  }

  /** The notice has arrived. */
  void sent(AlarmNotice notice) {
    sendings.add(notice.at());
    notice.begun().forEach(alarm -> known.put(alarm.key(), alarm.sent(alarm.seen())));
    notice.ended().forEach(alarm -> known.remove(alarm.key()));
    save();
  }

  /** Forgets all, because there is no recipient: a later one gets all that is open then. */
  void forget() {
    if (!known.isEmpty()) {
      known.clear();
      save();
    }
  }

  private void save() {
    StringBuilder text = new StringBuilder();
    known.values().stream()
        .filter(OpenAlarm::sent)
        .forEach(alarm -> text.append(JsonRecords.text(alarm)).append('\n'));
    try {
      DurableFiles.replace(file, text.toString().getBytes(UTF_8));
    } catch (IOException e) {
      LOG.warn("{} cannot be written; a restart may send alarms again: {}", file, Faults.reason(e));
    }
  }

  /**
   * An alarm that is open, or was until lately. Immutable; stored as JSON by {@link AlarmMemory}.
   *
   * @param key of the alarm: the same while only figures and reasons of the sentence change
   * @param sentence as {@code status} had it last
   * @param since when it began
   * @param seen when it was there last
   * @param sent whether its begin was sent, or that it became worse
   */
  record OpenAlarm(String key, String sentence, Instant since, Instant seen, boolean sent) {

    /** Figures that are words: those of names, addresses and times stay. */
    private static final Pattern FIGURE = Pattern.compile("(?<![\\w.:-])\\d+(?![\\w.:-])");

    private static final String REASON = ": ";

    /** The sentences of one look by their keys; two with one key are two alarms. */
    static Map<String, String> byKey(List<String> sentences) {
      Map<String, String> keyed = new LinkedHashMap<>();
      for (String sentence : sentences) {
        String key = key(sentence);
        while (keyed.containsKey(key)) {
          key += "+";
        }
        keyed.put(key, sentence);
      }
      return keyed;
    }

    /** The sentence up to its reason, which follows the first colon behind two words or more. */
    private static String key(String sentence) {
      int end = sentence.indexOf(REASON);
      if (end >= 0 && sentence.lastIndexOf(' ', end) < 0) {
        end = sentence.indexOf(REASON, end + REASON.length());
      }
      return FIGURE.matcher(end < 0 ? sentence : sentence.substring(0, end)).replaceAll("#");
    }

    /** Returns it with what {@code status} shows now; one that has become worse is sent again. */
    OpenAlarm seen(String now, Instant at) {
      boolean worse = now.contains(FeedAge.IGNORED) && !sentence.contains(FeedAge.IGNORED);
      return new OpenAlarm(key, now, since, at, sent && !worse);
    }

    OpenAlarm sent(Instant at) {
      return new OpenAlarm(key, sentence, since, at, true);
    }
  }
}
