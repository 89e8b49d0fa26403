package io.bloomgate.bench;

import com.sun.management.ThreadMXBean;
import io.bloomgate.blocklists.key.DomainName;
import io.bloomgate.blocklists.key.IpAddress;
import io.bloomgate.blocklists.key.IpPrefix;
import io.bloomgate.blocklists.key.ListEntry;
import io.bloomgate.blocklists.key.ListEntry.NameMatch;
import io.bloomgate.blocklists.key.ListKey;
import io.bloomgate.blocklists.key.MailAddress;
import io.bloomgate.blocklists.snapshot.BuildOptions;
import io.bloomgate.blocklists.snapshot.FeedInput;
import io.bloomgate.blocklists.snapshot.ListAnswer;
import io.bloomgate.blocklists.snapshot.ListSnapshot;
import io.bloomgate.blocklists.snapshot.LiveSnapshot;
import io.bloomgate.blocklists.snapshot.SnapshotBuilder;
import io.bloomgate.blocklists.snapshot.SnapshotStore;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Figures of a generation with as many IPs as names: time to build, to open from disk, to ask, and
 * what a clean ask allocates. Not part of the tests, as it asserts nothing about time; run by
 *
 * <pre>
 * mvn -pl integration-tests -am test -Dtest=SnapshotBench \
 *     -Dsurefire.failIfNoSpecifiedTests=false -Dbench.entries=1000000
 * </pre>
 *
 * <p>IPs: 8 of 10 IPv4 hosts, 1 IPv4 network of /20 to /30, 1 IPv6 /64. Names: 8 to 30 octets.
 */
class SnapshotBench {

  private static final int ASKS = 1_000_000;
  private static final int KEYS = 1 << 16;
  private static final int ROUNDS = 5;
  private static final double MIB = 1024.0 * 1024;

  private final PrintStream out = System.out;

  @TempDir Path state;

  @Test
  void measure() throws Exception {
    int entries = Integer.getInteger("bench.entries", 1_000_000);
    Path directory = state.resolve("snapshots");
    out.printf("%,d IPs and %,d names, heap at most %,.0f MiB%n", entries, entries, maxHeap());
    try (SnapshotStore store = open(directory)) {
      LiveSnapshot live = new LiveSnapshot();
      long start = System.nanoTime();
      live.publish(store.build(feeds(entries), new BuildOptions(0.001, 256 << 20, 2)));
      row("build, self-check included", seconds(start), "s");
      row("  of it making the entries, twice", 2 * secondsToMake(entries), "s");
      start = System.nanoTime();
      store.verify(live);
      row("verify every page", seconds(start), "s");
      live.current()
          .manifest()
          .filters()
          .forEach((name, shape) -> out.println("  " + name + " " + shape));
    }
    row("on disk", octets(directory) / MIB, "MiB");
    ListSnapshot snapshot = ListSnapshot.EMPTY;
    for (int i = 0; i < ROUNDS; i++) {
      try (SnapshotStore store = open(directory)) {
        long start = System.nanoTime();
        snapshot = store.load();
        snapshot.ask(ip(1));
        row("load from disk and first answer", seconds(start) * 1e3, "ms");
      }
    }
    asks(snapshot, entries);
  }

  private SnapshotStore open(Path directory) throws IOException {
    return SnapshotStore.open(
        directory, new SnapshotBuilder(new SecureRandom()), InstantSource.system(), out::println);
  }

  private void asks(ListSnapshot snapshot, int entries) {
    ask(snapshot, "miss, IPv4", i -> ip(0x80000000 | mix(i) >>> 1));
    ask(snapshot, "miss, IPv6", i -> new ListKey.Ip(new IpAddress(mix(i), i)));
    ask(snapshot, "miss, name of 3 labels", i -> name("clean", mix(i)));
    ask(snapshot, "miss, mail address", i -> address(mix(i)));
    ask(snapshot, "hit, IPv4 host", i -> new ListKey.Ip(host(i % entries)));
    ask(snapshot, "hit, name", i -> new ListKey.Domain(listedName(i % entries)));
    message(snapshot);
  }

  /** The four keys of one message, as a session asks them; false positives are left out. */
  private void message(ListSnapshot snapshot) {
    ListKey[] keys = new ListKey[KEYS];
    int next = 0;
    for (int i = 0; next < KEYS; i++) {
      ListKey key =
          switch (next % 4) {
            case 0 -> ip(0x80000000 | mix(i) >>> 1);
            case 1 -> name("helo", mix(i));
            case 2 -> address(mix(i));
            default -> name("sender", mix(i));
          };
      if (snapshot.ask(key) instanceof ListAnswer.NotListed) {
        keys[next++] = key;
      }
    }
    double[] figures = time(snapshot, keys);
    out.printf(
        "%-36s %8.0f ns, %.1f octets%n",
        "clean check of a message's 4 keys", 4 * figures[0], 4 * figures[1]);
  }

  private void ask(ListSnapshot snapshot, String what, IntFunction<ListKey> key) {
    ListKey[] keys = new ListKey[KEYS];
    for (int i = 0; i < KEYS; i++) {
      keys[i] = key.apply(i * 7919 & Integer.MAX_VALUE);
    }
    double[] figures = time(snapshot, keys);
    out.printf(
        "%-36s %8.0f ns, %.1f octets, %.4f listed, %.5f false positives%n",
        what, figures[0], figures[1], figures[2], figures[3]);
  }

  /** Nanoseconds, octets, share listed, share of false positives of an ask; best of the rounds. */
  private static double[] time(ListSnapshot snapshot, ListKey[] keys) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    double[] best = {Double.MAX_VALUE, Double.MAX_VALUE, 0, 0};
    for (int round = 0; round < ROUNDS; round++) {
      long listed = 0;
      long falsePositives = 0;
      long allocated = threads.getCurrentThreadAllocatedBytes();
      long start = System.nanoTime();
      for (int i = 0; i < ASKS; i++) {
        ListAnswer answer = snapshot.ask(keys[i & KEYS - 1]);
        listed += answer instanceof ListAnswer.Listed ? 1 : 0;
        falsePositives += answer instanceof ListAnswer.FalsePositive ? 1 : 0;
      }
      best[0] = Math.min(best[0], (System.nanoTime() - start) / (double) ASKS);
      double octets = (double) (threads.getCurrentThreadAllocatedBytes() - allocated) / ASKS;
      best[1] = Math.min(best[1], octets);
      best[2] = listed / (double) ASKS;
      best[3] = falsePositives / (double) ASKS;
    }
    return best;
  }

  private static List<FeedInput> feeds(int entries) {
    return List.of(
        new FeedInput("ips", "1", consumer -> ips(entries, consumer)),
        new FeedInput("names", "1", consumer -> names(entries, consumer)));
  }

  private static void ips(int entries, Consumer<? super ListEntry> consumer) {
    for (int i = 0; i < entries; i++) {
      IpPrefix prefix =
          switch (i % 10) {
            case 8 -> IpPrefix.around(host(i), 20 + mix(i) % 11);
            case 9 -> IpPrefix.around(new IpAddress(0x2001_0db8_0000_0000L | mix(i), 0), 64);
            default -> IpPrefix.host(host(i));
          };
      consumer.accept(new ListEntry.Network(prefix, false, i + 1));
    }
  }

  private static void names(int entries, Consumer<? super ListEntry> consumer) {
    for (int i = 0; i < entries; i++) {
      consumer.accept(new ListEntry.Domain(listedName(i), NameMatch.SUFFIX, false, i + 1));
    }
  }

  private static double secondsToMake(int entries) {
    long start = System.nanoTime();
    long[] sum = {0};
    ips(entries, entry -> sum[0] += entry.line());
    names(entries, entry -> sum[0] += entry.line());
    if (sum[0] == 0) {
      throw new AssertionError("no entries");
    }
    return seconds(start);
  }

  /** Listed hosts lie in the lower half of IPv4, asked clean ones in the upper. */
  private static IpAddress host(int i) {
    return IpAddress.ofV4(mix(i) & 0x7fffffff);
  }

  private static ListKey ip(int bits) {
    return new ListKey.Ip(IpAddress.ofV4(bits));
  }

  private static DomainName listedName(int i) {
    long random = new SplittableRandom(i).nextLong();
    String label = Long.toHexString(random | Long.MIN_VALUE).substring(1, 4 + (i & 7)) + i;
    return parse(label + ".example");
  }

  private static ListKey name(String label, int random) {
    return new ListKey.Domain(parse("mail." + label + random + ".test"));
  }

  private static ListKey address(int random) {
    return new ListKey.Address(
        MailAddress.parse("user" + random + "@clean.example.test").toOptional().orElseThrow());
  }

  private static DomainName parse(String text) {
    return DomainName.parse(text).toOptional().orElseThrow();
  }

  /** Spreads counting numbers over 31 bits. */
  private static int mix(int i) {
    return (int) (new SplittableRandom(i).nextLong() >>> 33);
  }

  private void row(String what, double value, String unit) {
    out.println(String.format(Locale.ROOT, "%-36s %8.2f %s", what, value, unit));
  }

  private static double seconds(long start) {
    return (System.nanoTime() - start) / 1e9;
  }

  private static double maxHeap() {
    return Runtime.getRuntime().maxMemory() / MIB;
  }

  private static double octets(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).mapToLong(p -> p.toFile().length()).sum();
    }
  }
}
