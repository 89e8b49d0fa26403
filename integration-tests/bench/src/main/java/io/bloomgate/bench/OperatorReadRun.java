package io.bloomgate.bench;

import io.bloomgate.blocklists.operator.ListFiles;
import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.blocklists.operator.OperatorView;
import io.bloomgate.blocklists.operator.WidthRules;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.Subject;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * What a decision pays for the operator's entries: a miss of the filter, and the point query behind
 * a hit. Arguments: the database of a stopped gateway, how many queries. Called by operator.sh.
 */
final class OperatorReadRun {

  private OperatorReadRun() {}

  public static void main(String[] arguments) throws Exception {
    int queries = Integer.parseInt(arguments[1]);
    Clock clock = Clock.systemUTC();
    ListFiles none =
        new ListFiles(
            List.of(), List.of(), new WidthRules(List.of(), List.of(), _ -> false), clock);
    try (OperatorLists lists = OperatorLists.openReadOnly(Path.of(arguments[0]), none, clock)) {
      List<Subject> subjects = new ArrayList<>(lists.subjects(ListKind.ALLOW, queries * 10));
      Collections.shuffle(subjects, new Random(1));
      // The first half warms up.
      int size = Math.min(subjects.size(), 2 * queries);
      List<ListKey> keys = subjects.subList(0, size).stream().map(OperatorReadRun::key).toList();
      time(lists.view(), keys.subList(0, size / 2));
      long[] taken = time(lists.view(), keys.subList(size / 2, size));
      System.out.printf(
          "%-58s %.0f %.0f%n",
          "point query of the store, us: median, p99 (goal 100)",
          taken[taken.length / 2] / 1e3,
          taken[taken.length * 99 / 100] / 1e3);
    }
  }

  private static long[] time(OperatorView view, List<ListKey> keys) {
    long[] taken = new long[keys.size()];
    Instant now = Instant.now();
    for (int i = 0; i < taken.length; i++) {
      long began = System.nanoTime();
      if (view.covering(ListKind.ALLOW, keys.get(i), now).isEmpty()) {
        throw new AssertionError(keys.get(i) + " is not found");
      }
      taken[i] = System.nanoTime() - began;
    }
    Arrays.sort(taken);
    return taken;
  }

  private static ListKey key(Subject subject) {
    return subject.keys().getFirst();
  }
}
