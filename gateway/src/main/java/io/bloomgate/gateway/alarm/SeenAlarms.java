package io.bloomgate.gateway.alarm;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The alarms that somebody has said to have seen, so that others need not look too. One that has
 * ended and begins again is not seen; a restart forgets all. Thread-safe: asked by commands and by
 * the chores of {@link Alarms}.
 */
final class SeenAlarms {

  /** Alarms that are known to be seen at a time. */
  private static final int MAX_SEEN = 200;

  /** The user who has seen an alarm, when, and when the alarm was there last. */
  private record Note(String by, Instant at, Instant there) {}

  private final Map<String, Note> notes = new HashMap<>();

  /**
   * Notes that somebody has seen the alarms that are this one or begin like this; figures may have
   * changed.
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
