package io.bloomgate.bench;

import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.format.FeedContent;
import io.bloomgate.blocklists.format.FeedFormat;
import io.bloomgate.blocklists.guard.EntryGuard;
import io.bloomgate.blocklists.guard.FeedTest;
import io.bloomgate.blocklists.guard.LiveEntries;
import io.bloomgate.blocklists.impact.AcceptedMail;
import io.bloomgate.blocklists.impact.GoodHits;
import io.bloomgate.blocklists.impact.Side;
import io.bloomgate.blocklists.impact.VersionTrial;
import io.bloomgate.blocklists.sessions.AcceptedSessions;
import io.bloomgate.blocklists.sessions.SessionDays;
import io.bloomgate.blocklists.sessions.SessionSearch;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.Action;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * What the guard takes to compare a new version of 100,000 entries with the newest 100,000 accepted
 * sessions of a store, in steps. Part of sessions.sh, behind the days that it wrote; the first
 * round is that of a cold JVM.
 */
final class GoodMailRun {

  private static final int ENTRIES = 100_000;
  private static final int ROUNDS = 5;

  /** One session makes a network a good one: the most work, as if each had sent on two days. */
  private static final int ONE_IS_GOOD = 1;

  private final SessionDays store;
  private final Path folder;

  GoodMailRun(SessionDays store, Path folder) {
    this.store = store;
    this.folder = folder;
  }

  void run() throws Exception {
    Path list = write();
    for (int round = 1; round <= ROUNDS; round++) {
      round(list, "guard, round " + round + ": ");
    }
    Files.delete(list);
  }

  /**
   * One entry in a thousand is a /24 that accepted mail may have come from; the others hit nothing.
   */
  private Path write() throws Exception {
    Random random = new Random(5);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < ENTRIES; i++) {
      lines.add(
          i % 1_000 == 0
              ? "100." + random.nextInt(256) + "." + random.nextInt(256) + ".0/24"
              : IpAddress.ofV4(11 << 24 | random.nextInt(1 << 24)).toString());
    }
    return Files.write(folder.resolve("version.txt"), lines);
  }

  private void round(Path list, String name) throws Exception {
    Policy policy = Side.withoutLists(List.of()).policy();
    Side live =
        new Side(
            Side.withoutLists(List.of()).lists(),
            policy.withFeeds(
                Map.of(
                    "list",
                    new Policy.FeedRule(
                        0, EnumSet.copyOf(Check.WITHOUT_LOOK_UP), Action.REJECT, null, null))));
    Beside before = Beside.now();
    long began = System.nanoTime();
    long worked = cpu();
    SessionSearch search =
        new SessionSearch(
            store,
            problem -> {
              throw new AssertionError(problem);
            });
    AcceptedMail mail =
        AcceptedMail.read(
            new AcceptedSessions(
                search, Instant.EPOCH, InstantSource.system().instant(), System::nanoTime),
            policy,
            ONE_IS_GOOD);
    figure(name + "sessions read, s", began);
    long next = System.nanoTime();
    AcceptedMail.Concerned hits = mail.concerned();
    FeedContent content = new FeedContent(List.of(list));
    content.read(
        known(),
        null,
        new LiveEntries(new EntryGuard(FeedTest.DEFAULT_GUARD, false, List.of()), hits::take));
    List<ListEntry> concerned = hits.entries();
    figure(name + "entries read, s", next);
    next = System.nanoTime();
    Path trial = folder.resolve("trial");
    GoodHits good =
        new VersionTrial(live, new Random(6), InstantSource.system())
            .hits("list", concerned, mail, trial);
    Scratch.remove(trial);
    figure(name + concerned.size() + " entries tried, s", next);
    figure(name + "all, s (goal 0.5)", began);
    System.out.printf(Locale.ROOT, "%-68s %.3f%n", name + "all, s of CPU", (cpu() - worked) / 1e9);
    System.out.println("  " + good.networks() + " networks; " + Beside.now().since(before));
  }

  /**
   * What the JVM did beside this thread: why the round took longer than its own CPU.
   *
   * @param pauses of the collector, ms
   * @param compiling CPU of the compiler's threads as it counts them, ms
   * @param octets that this thread allocated
   */
  private record Beside(long pauses, long compiling, long octets) {

    static Beside now() {
      return new Beside(
          ManagementFactory.getGarbageCollectorMXBeans().stream()
              .filter(collector -> !collector.getName().contains("Concurrent"))
              .mapToLong(GarbageCollectorMXBean::getCollectionTime)
              .sum(),
          ManagementFactory.getCompilationMXBean().getTotalCompilationTime(),
          ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
              .getCurrentThreadAllocatedBytes());
    }

    String since(Beside before) {
      return "pauses %d ms, the compiler %d ms, %d MB allocated"
          .formatted(
              pauses - before.pauses,
              compiling - before.compiling,
              (octets - before.octets) / 1_000_000);
    }
  }

  private static FeedFormat known() {
    return switch (FeedFormat.named("lines")) {
      case FeedFormat.Lookup.Known(FeedFormat format) -> format;
      case FeedFormat.Lookup.Unknown(String hint) -> throw new AssertionError(hint);
    };
  }

  private static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static void figure(String name, long since) {
    System.out.printf(Locale.ROOT, "%-68s %.3f%n", name, (System.nanoTime() - since) / 1e9);
  }
}
