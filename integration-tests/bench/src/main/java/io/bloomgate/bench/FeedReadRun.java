package io.bloomgate.bench;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.format.FeedFormat;
import io.bloomgate.blocklists.format.FeedSink;
import io.bloomgate.blocklists.format.FeedSink.ParseProblem;
import io.bloomgate.blocklists.format.ParseTotals;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How fast plain lists are read on one core, from octets to entries handed on, in MB/s. Arguments:
 * rounds, a folder with real feeds (where it is missing, lists are made), and the one list to read
 * if not all.
 */
public final class FeedReadRun {

  private static final int OCTETS = 64 << 20;
  private static final int WARM_UPS = 3;

  private record Contest(String name, String format, Supplier<InputStream> text, int octets) {
    static Contest of(String name, String format, byte[] text) {
      return new Contest(name, format, () -> new ByteArrayInputStream(text), text.length);
    }
  }

  private FeedReadRun() {}

  /** Entry point. */
  public static void main(String[] args) throws IOException {
    int rounds = Integer.parseInt(args[0]);
    Path folder = Path.of(args[1]);
    byte[] ips = FeedTexts.ips(folder, OCTETS);
    byte[] domains = FeedTexts.domains(folder, OCTETS);
    List<Contest> contests = new ArrayList<>();
    contests.add(Contest.of("lines-of-ips", "lines", ips));
    contests.add(Contest.of("lines-of-domains", "lines", domains));
    contests.add(Contest.of("lines-mixed", "lines", FeedTexts.mixed(ips, domains)));
    contests.add(Contest.of("ips", "ips", ips));
    contests.add(Contest.of("domains", "domains", domains));
    contests.add(Contest.of("hosts", "hosts", FeedTexts.hosts(folder, OCTETS)));
    if (args.length > 2) {
      contests.removeIf(contest -> !contest.name.equals(args[2]));
    }
    for (int round = -WARM_UPS; round < rounds; round++) {
      for (Contest contest : contests) {
        read(contest, round >= 0);
      }
    }
  }

  private static void read(Contest contest, boolean counts) throws IOException {
    FeedFormat format = FeedFormat.named(contest.format).toOptional().orElseThrow();
    Taken sink = new Taken();
    ThreadMXBean thread = ManagementFactory.getThreadMXBean();
    long worked = thread.getCurrentThreadCpuTime();
    long start = System.nanoTime();
    ParseTotals totals = format.parse(contest.text.get(), null, sink);
    double seconds = (System.nanoTime() - start) / 1e9;
    double cpuSeconds = (thread.getCurrentThreadCpuTime() - worked) / 1e9;
    if (totals.entries() != sink.entries
        || sink.last == null
        || totals.invalid() > totals.entries() / 100) {
      throw new IllegalStateException(contest.name + ": " + totals);
    }
    if (counts) {
      double megabytes = contest.octets / 1e6;
      Figures.add("read/" + contest.name + "/MB-per-s", megabytes / seconds);
      Figures.add("read/" + contest.name + "/MB-per-cpu-s", megabytes / cpuSeconds);
    }
  }

  /** Uses each entry, so that none is left out by the compiler. */
  private static final class Taken implements FeedSink {
    private long entries;
    private @Nullable ListEntry last;

    @Override
    public void entry(ListEntry entry) {
      entries++;
      last = entry;
    }

    @Override
    public void problem(ParseProblem problem) {
      // Counted by the parser, too.
    }
  }
}
