package io.bloomgate.bench;

import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.entry.ListEntry.AsnRow;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.format.IpRange;
import io.bloomgate.blocklists.index.AsnTable;
import io.bloomgate.blocklists.index.EntryTally;
import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A table of AS numbers of ranges of whole /24 that fill IPv4: CPU time to build, octets on disk,
 * heap, and time of a look-up. Argument: ranges.
 */
public final class AsnRun {

  private static final int ASKED = 1 << 20;
  private static final int ROUNDS = 9;

  private AsnRun() {}

  /** Entry point. */
  public static void main(String[] args) throws IOException {
    int ranges = Integer.parseInt(args[0]);
    Path folder = Scratch.folder();
    try {
      SplittableRandom random = new SplittableRandom(1);
      long start = cpu();
      int networks = build(folder, ranges, random);
      double seconds = (cpu() - start) / 1e9;
      System.out.printf("%,d ranges, %,d networks: built in %.2f s%n", ranges, networks, seconds);
      System.out.printf(
          "on disk: %,d octets%n",
          Files.size(folder.resolve(AsnTable.NETWORKS))
              + Files.size(folder.resolve(AsnTable.SAID)));
      long before = heap();
      AsnTable table = AsnTable.open(folder, List.of("table"));
      System.out.printf("heap of the open table: %,d octets%n", heap() - before);
      IpPrefix[] asked = new IpPrefix[ASKED];
      for (int i = 0; i < ASKED; i++) {
        asked[i] = IpPrefix.host(IpAddress.ofV4(random.nextInt()));
      }
      for (int round = 0; round < ROUNDS; round++) {
        long found = 0;
        long begun = cpu();
        for (IpPrefix one : asked) {
          found += table.of(one).size();
        }
        double each = (cpu() - begun) / (double) ASKED;
        System.out.printf("look-up: %.0f ns, %,d of %,d found%n", each, found, ASKED);
      }
    } finally {
      Scratch.remove(folder);
    }
  }

  private static int build(Path folder, int ranges, SplittableRandom random) throws IOException {
    AsnTable.Builder builder = new AsnTable.Builder(new EntryTally(1), 1, 1L << 30);
    long blocks = 2 * ((1L << 24) / ranges) - 1;
    long first = 0;
    int networks = 0;
    for (int i = 0; i < ranges && first < 1L << 32; i++) {
      long last = Math.min((1L << 32) - 1, first + 256 * random.nextLong(1, blocks + 1) - 1);
      AsNumber number = new AsNumber(1 + random.nextInt(80_000));
      for (IpPrefix one :
          IpRange.networks(IpAddress.ofV4((int) first), IpAddress.ofV4((int) last))) {
        builder.add(0, new AsnRow(one, number, i % 3 == 0 ? "FR" : "IT", i));
        networks++;
      }
      first = last + 1;
    }
    builder.write(
        folder,
        new Keying(KeyHash.VERSION, KeyHash.NORMALISATION_VERSION, 1, 2),
        new LinkedHashMap<>());
    return networks;
  }

  private static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static long heap() {
    for (int i = 0; i < 4; i++) {
      System.gc();
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
