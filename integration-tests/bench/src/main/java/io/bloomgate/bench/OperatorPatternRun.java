package io.bloomgate.bench;

import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Gather;
import io.bloomgate.blocklists.decision.Lists;
import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.blocklists.decision.Signs;
import io.bloomgate.blocklists.generation.KeyBatch;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.operator.ListFiles;
import io.bloomgate.blocklists.operator.NewEntry;
import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.blocklists.operator.OperatorLists.Origin;
import io.bloomgate.blocklists.operator.WidthRules;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.settings.Settings.Policy.OnError;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * What the decision about the envelope of a clean mail costs: without own entries, with 1,000
 * patterns at other domains, and with all of them at the domain of its sender. Argument: a new
 * folder. Called by operator.sh.
 */
final class OperatorPatternRun {

  private static final int PATTERNS = 1_000;
  private static final int DECISIONS = 200_000;
  private static final int ROUNDS = 6;

  private OperatorPatternRun() {}

  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    measure(folder.resolve("none"), "decision about a clean mail, no own entries, us", "");
    measure(
        folder.resolve("other"),
        "the same, 1,000 patterns at other domains",
        "news-%1$d-*@shop%1$d.example");
    measure(
        folder.resolve("own"),
        "the same, 1,000 patterns at its own domain",
        "news-%1$d-*@sender.example");
  }

  private static void measure(Path folder, String what, String pattern) throws Exception {
    Clock clock = Clock.systemUTC();
    WidthRules rules = new WidthRules(List.of(), List.of(), _ -> false);
    Path file = Files.createDirectories(folder).resolve(OperatorLists.FILE_NAME);
    try (OperatorLists lists =
        OperatorLists.open(file, new ListFiles(List.of(), List.of(), rules, clock), clock)) {
      if (!pattern.isEmpty()) {
        lists.add(
            IntStream.range(0, PATTERNS).mapToObj(i -> entry(pattern.formatted(i))).toList(),
            new Origin("bench", "block add"));
      }
      lists.poll(); // makes the filter
      System.out.printf(
          "%-58s %.2f%n", what, best(new Lists(ListSnapshot.EMPTY, lists.view(), Map.of())));
    }
  }

  private static NewEntry entry(String subject) {
    return NewEntry.of(ListKind.BLOCK, Subject.parseEntry(subject).toOptional().orElseThrow(), "");
  }

  /** The best round: others share the machine. */
  private static double best(Lists lists) {
    Facts facts =
        Facts.ofClient(IpPrefix.parse("192.0.2.1").toOptional().orElseThrow().network())
            .withSender(MailAddress.parse("order-7@sender.example").toOptional().orElseThrow());
    Policy policy =
        new Policy(
            Map.of(),
            List.of(),
            Signs.NONE,
            Map.of(),
            List.of(),
            List.of(),
            OnError.ACCEPT,
            List.of());
    KeyBatch batch = new KeyBatch();
    Instant now = Instant.now();
    double best = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long began = System.nanoTime();
      for (int i = 0; i < DECISIONS; i++) {
        if (Gather.verdict(facts, lists, policy, now, batch).refuses()) {
          throw new AssertionError("refused");
        }
      }
      best = Math.min(best, (System.nanoTime() - began) / 1e3 / DECISIONS);
    }
    return best;
  }
}
