package io.bloomgate.gateway.alarm;

import io.bloomgate.blocklists.refresh.FeedAge;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

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
