package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.guard.SubjectIndex.Way;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Texts in order, with the subjects they lead to. Immutable. */
final class NameTable {

  /** Sorts after every character of a key. */
  private static final String END = "\uffff";

  private final String[] keys;
  private final int[] subjects;

  NameTable(List<Way<String>> ways) {
    List<Way<String>> sorted =
        ways.stream()
            .sorted(Comparator.comparing((Way<String> w) -> w.key()).thenComparingInt(Way::subject))
            .toList();
    keys = sorted.stream().map(Way::key).toArray(String[]::new);
    subjects = sorted.stream().mapToInt(Way::subject).toArray();
  }

  int size() {
    return keys.length;
  }

  int subject(int index) {
    return subjects[index];
  }

  /** Index of the first key that is not before this one. */
  int from(String key) {
    int low = 0;
    int high = keys.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (keys[middle].compareTo(key) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Index after the last key that equals this one. */
  int behind(String key) {
    int at = from(key);
    while (at < keys.length && keys[at].equals(key)) {
      at++;
    }
    return at;
  }

  /** Index after the last key that begins with this text. */
  int behindAll(String start) {
    return from(start + END);
  }

  @Override
  public String toString() {
    return Arrays.toString(keys);
  }
}
