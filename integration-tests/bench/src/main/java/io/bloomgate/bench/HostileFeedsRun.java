package io.bloomgate.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.bloomgate.blocklists.fetch.FeedSources;
import io.bloomgate.blocklists.guard.FeedTest;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * What feeds cost that are made to cost: seconds and memory until each is read or refused, on the
 * way of {@code feeds test}, the format detected. Memory is the peak of the heap beyond what was in
 * use before; run with a small heap, it cannot hide what a collection would have taken away.
 */
public final class HostileFeedsRun {

  private static final long SEED = 20_261_121;
  private static final int OCTETS = 200_000_000;
  private static final int LINES = 1_000_000;
  private static final int BLOCK = 1 << 16;

  private static final int READMES = 200;
  private static final int README_OCTETS = 30 << 20;
  private static final double MIB = 1 << 20;

  /** Writes a text. */
  private interface Text {
    void write(OutputStream out) throws IOException;
  }

  /**
   * A feed.
   *
   * @param format {@code null} to find it
   */
  private record Hostile(String name, @Nullable String format, Text text) {
    Hostile(String name, Text text) {
      this(name, null, text);
    }
  }

  private static final List<Hostile> FEEDS =
      List.of(
          new Hostile("line-of-200MB", out -> repeat(out, "a".repeat(BLOCK), OCTETS)),
          new Hostile("quote-of-200MB", out -> repeat(out, "\"" + "a,".repeat(BLOCK), OCTETS)),
          new Hostile("json-string-of-200MB", HostileFeedsRun::jsonString),
          new Hostile("1M-equal-lines", out -> repeat(out, "203.0.113.7\n", 12 * LINES)),
          new Hostile("1M-equal-names", out -> repeat(out, "spam.example\n", 13 * LINES)),
          new Hostile("25M-equal-lines-gzip", HostileFeedsRun::equalLinesPacked),
          new Hostile("json-members-of-150MB", "json:list", HostileFeedsRun::jsonMembers),
          new Hostile("zip-of-readmes", HostileFeedsRun::zipOfReadmes),
          new Hostile("1M-ipv6-exceptions", "ip6trie", HostileFeedsRun::ipv6Exceptions),
          new Hostile("gzip-bomb", HostileFeedsRun::gzipBomb),
          new Hostile("gzip-in-gzip-bomb", HostileFeedsRun::gzipInGzip),
          new Hostile("zip-bomb", HostileFeedsRun::zipBomb),
          new Hostile("random-octets", HostileFeedsRun::randomOctets));

  private HostileFeedsRun() {}

  /** Entry point. */
  public static void main(String[] args) throws Exception {
    Path folder = Scratch.folder();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
        FeedSources sources = new FeedSources(executor, System::nanoTime, InstantSource.system())) {
      for (Hostile hostile : FEEDS) {
        if (args.length == 0 || hostile.name.equals(args[0])) {
          measure(hostile, folder, sources);
        }
      }
    } finally {
      Scratch.remove(folder);
    }
  }

  private static void measure(Hostile hostile, Path folder, FeedSources sources)
      throws IOException, InterruptedException {
    Path file = folder.resolve(hostile.name);
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), BLOCK)) {
      hostile.text.write(out);
    }
    System.gc();
    heap().forEach(MemoryPoolMXBean::resetPeakUsage);
    double before = peak();
    ThreadMXBean thread = ManagementFactory.getThreadMXBean();
    long worked = thread.getCurrentThreadCpuTime();
    long start = System.nanoTime();
    FeedTest.Outcome outcome =
        new FeedTest(
                sources, FeedTest.DEFAULT_GUARD, false, List.of(), folder, InstantSource.system())
            .run(
                new FeedTest.Request(
                    file.toString(), hostile.format, null, Set.of(), List.of(), null));
    Figures.add("hostile/" + hostile.name + "/s", (System.nanoTime() - start) / 1e9);
    Figures.add(
        "hostile/" + hostile.name + "/cpu-s", (thread.getCurrentThreadCpuTime() - worked) / 1e9);
    Figures.add("hostile/" + hostile.name + "/MiB", (peak() - before) / MIB);
    System.out.println("  " + shown(outcome));
    Files.delete(file);
  }

  private static String shown(FeedTest.Outcome outcome) {
    return switch (outcome) {
      case FeedTest.Outcome.Tested tested ->
          tested.report().format()
              + ": "
              + tested.report().judgement().verdict().word()
              + " "
              + tested.report().judgement().reasons();
      case FeedTest.Outcome.Failed failed -> failed.message();
    };
  }

  private static List<MemoryPoolMXBean> heap() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP)
        .toList();
  }

  private static double peak() {
    return heap().stream().mapToDouble(pool -> pool.getPeakUsage().getUsed()).sum();
  }

  private static void repeat(OutputStream out, String text, long octets) throws IOException {
    byte[] block = text.getBytes(US_ASCII);
    for (long written = 0; written < octets; written += block.length) {
      out.write(block, 0, (int) Math.min(block.length, octets - written));
    }
  }

  private static void jsonString(OutputStream out) throws IOException {
    out.write("[\"".getBytes(US_ASCII));
    repeat(out, "a".repeat(BLOCK), OCTETS);
  }

  /** Packed less well than a bomb, so that it is read. */
  private static void equalLinesPacked(OutputStream out) throws IOException {
    try (OutputStream packed =
        new GZIPOutputStream(out, BLOCK) {
          {
            def.setLevel(Deflater.BEST_SPEED);
          }
        }) {
      repeat(packed, "203.0.113.7\n", 12L * 25 * LINES);
    }
  }

  private static void jsonMembers(OutputStream out) throws IOException {
    out.write('{');
    for (int written = 0, i = 0; written < 3 * OCTETS / 4; i++) {
      byte[] member = ("\"a" + i + "\":\"\",").getBytes(US_ASCII);
      out.write(member);
      written += member.length;
    }
    out.write("\"list\":[\"203.0.113.7\"]}".getBytes(US_ASCII));
  }

  private static void zipOfReadmes(OutputStream out) throws IOException {
    try (ZipOutputStream packed = new ZipOutputStream(out)) {
      for (int i = 0; i < READMES; i++) {
        packed.putNextEntry(new ZipEntry("README." + i));
        repeat(packed, "\0".repeat(BLOCK), README_OCTETS);
        packed.closeEntry();
      }
    }
  }

  private static void ipv6Exceptions(OutputStream out) throws IOException {
    for (int i = 0; i < LINES; i++) {
      out.write("!2001:%x:%x::/48\n".formatted(i >> 16, i & 0xffff).getBytes(US_ASCII));
    }
    for (int i = 0; i < LINES / 10; i++) {
      out.write("2a00:%x:%x::/48\n".formatted(i >> 16, i & 0xffff).getBytes(US_ASCII));
    }
  }

  private static void gzipBomb(OutputStream out) throws IOException {
    try (OutputStream packed = new GZIPOutputStream(out, BLOCK)) {
      repeat(packed, "203.0.113.7\n".repeat(BLOCK / 12), 4L * OCTETS);
    }
  }

  private static void gzipInGzip(OutputStream out) throws IOException {
    try (OutputStream packed = new GZIPOutputStream(out, BLOCK)) {
      gzipBomb(packed);
    }
  }

  private static void zipBomb(OutputStream out) throws IOException {
    try (ZipOutputStream packed = new ZipOutputStream(out)) {
      packed.putNextEntry(new ZipEntry("list.txt"));
      repeat(packed, "203.0.113.7\n".repeat(BLOCK / 12), 4L * OCTETS);
      packed.closeEntry();
    }
  }

  private static void randomOctets(OutputStream out) throws IOException {
    Random random = new Random(SEED);
    byte[] block = new byte[BLOCK];
    for (int written = 0; written < OCTETS; written += block.length) {
      random.nextBytes(block);
      out.write(block);
    }
  }
}
