package io.bloomgate.blocklists.workbench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.kinds.FilterKinds;
import io.bloomgate.blocklists.filter.kinds.FilterRequest;
import io.bloomgate.blocklists.workbench.FilterChange.Verb;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.name.Parsed;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Filter files made by somebody who knows the format: all sums are right, and the numbers are not.
 * Every command refuses such a file with a sentence, or does its work.
 */
class HostileFilterTest {

  /** With few probes, because most attempts measure what they made. */
  private static final WorkbenchTools TOOLS =
      new WorkbenchTools(() -> new SplittableRandom(1), () -> 0, 1L << 28, 1_000);

  private static final Keying KEYING =
      new Keying(KeyHash.VERSION, KeyHash.NORMALISATION_VERSION, 0x5eedL, 12);

  private static final int HEADER = 512;
  private static final int DIGEST = 480;
  private static final int MEASURES = 36;
  private static final int ENTRIES = 56;
  private static final int CAPACITY = 64;
  private static final int RATE = 72;
  private static final int EXPECTED = 80;
  private static final int FIRST_MEASURE = 88;
  private static final int PAGE = 64 * 1024;

  private static final List<Long> WHOLE =
      List.of(
          0L, 1L, -1L, 7L, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 31, 1L << 40, Long.MAX_VALUE / 8);
  private static final List<Long> RATES =
      Stream.of(Double.NaN, Double.POSITIVE_INFINITY, -1.0, -0.0, 0.0, 2.0, 1e-300)
          .map(Double::doubleToLongBits)
          .toList();

  private static final Set<FilterKind> REMOVABLE =
      EnumSet.of(FilterKind.COUNTING, FilterKind.SCALABLE_COUNTING, FilterKind.CUCKOO);

  @TempDir Path folder;

  private final List<String> wrong = new ArrayList<>();

  private byte[] filter(FilterKind kind) throws Exception {
    long[] hashes = new SplittableRandom(3).longs(300).toArray();
    Path file = folder.resolve("good");
    FilterFile.write(
        file,
        FilterKinds.build(
            kind,
            new FilterRequest(
                hashes.length, 0.01, sink -> new SplittableRandom(4).longs(50).forEach(sink)),
            sink -> Arrays.stream(hashes).forEach(sink)),
        KEYING);
    return Files.readAllBytes(file);
  }

  /** Makes all sums right again. */
  static byte[] sealed(byte[] file) throws Exception {
    ByteBuffer octets = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    int pages = (file.length - HEADER + PAGE + 3) / (PAGE + 4);
    int body = file.length - HEADER - pages * Integer.BYTES;
    for (int page = 0; page < pages; page++) {
      CRC32C crc = new CRC32C();
      crc.update(file, HEADER + page * PAGE, Math.min(PAGE, body - page * PAGE));
      octets.putInt(HEADER + body + page * Integer.BYTES, (int) crc.getValue());
    }
    MessageDigest sha = MessageDigest.getInstance("SHA-256");
    sha.update(file, 0, DIGEST);
    sha.update(file, HEADER + body, pages * Integer.BYTES);
    octets.put(DIGEST, sha.digest());
    return file;
  }

  /** Work on a file. */
  @FunctionalInterface
  private interface Command {
    void run(Path file) throws OfflineException;
  }

  private void attempt(String what, byte[] octets, Command command) throws IOException {
    Path file = Files.write(folder.resolve("bad"), octets);
    try {
      command.run(file);
    } catch (OfflineException refused) {
      if (refused.problem().length() < 10 || refused.problem().lines().count() != 1) {
        wrong.add(what + " says: " + refused.problem());
      }
      if (!Arrays.equals(octets, Files.readAllBytes(file))) {
        wrong.add(what + " is refused, and the file was changed");
      }
    } catch (RuntimeException | Error e) {
      wrong.add(what + " ends with " + e + " at " + e.getStackTrace()[0]);
    }
  }

  @AfterEach
  void eachIsRefusedOrDone() {
    assertEquals("", String.join("\n", wrong));
  }

  private void readAndAsk(Path file) throws OfflineException {
    Json.write(LoadedFilter.read(file, TOOLS).toJson());
    FilterQuery query = FilterQuery.of(file, TOOLS);
    for (int i = 0; i < 50; i++) {
      query.ask("h" + i + ".example");
    }
  }

  private static void change(Path file, Verb verb) throws OfflineException {
    List<Parsed<String>> keys =
        List.of(Parsed.ok("a.example"), Parsed.ok("192.0.2.1"), Parsed.ok("b.example"));
    new FilterChange(TOOLS).run(file, verb, keys, false);
  }

  private void estimate(Path file) throws OfflineException {
    Json.write(FilterComparison.Estimate.of(file, file, TOOLS));
  }

  private void merge(Path file) throws OfflineException {
    for (FilterBuild.Operation operation : FilterBuild.Operation.values()) {
      new FilterBuild(TOOLS, InputStream.nullInputStream())
          .join(operation, List.of(file, file), folder.resolve("merged"));
      LoadedFilter.read(folder.resolve("merged"), TOOLS);
    }
  }

  private void diff(Path file) throws OfflineException {
    try {
      Path list = Files.writeString(folder.resolve("list"), "a.example\nb.example\n");
      JsonRecords.text(FilterComparison.Diff.of(file, list, "lines", TOOLS, key -> {}));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void like(Path file) throws OfflineException {
    try {
      Path list = Files.writeString(folder.resolve("list"), "a.example\nb.example\n");
      new FilterBuild(TOOLS, InputStream.nullInputStream())
          .run(
              new FilterBuild.Request(
                  List.of(list),
                  folder.resolve("like"),
                  null,
                  false,
                  new FilterBuild.Plan(null, null, null, file, 0),
                  List.of()));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @EnumSource
  void numbersOfTheHeaderAreNotTrusted(FilterKind kind) throws Exception {
    byte[] good = filter(kind);
    ByteBuffer header = ByteBuffer.wrap(good).order(ByteOrder.LITTLE_ENDIAN);
    int end = FIRST_MEASURE + header.getInt(MEASURES) * Long.BYTES;
    for (int field = ENTRIES; field < end; field += Long.BYTES) {
      for (long number : numbers(field, header.getLong(field))) {
        byte[] bad = good.clone();
        ByteBuffer.wrap(bad).order(ByteOrder.LITTLE_ENDIAN).putLong(field, number);
        sealed(bad);
        String what = kind + " with " + number + " at octet " + field;
        attempt(what + ", read", bad, this::readAndAsk);
        attempt(what + ", added to", bad, file -> change(file, Verb.ADD));
        attempt(what + ", estimated", bad, this::estimate);
        if (REMOVABLE.contains(kind)) {
          attempt(what + ", removed from", bad, file -> change(file, Verb.REMOVE));
        }
        if (field == ENTRIES) {
          attempt(what + ", merged", bad, this::merge);
        }
        if (field == CAPACITY || field == RATE) {
          attempt(what + ", beside a list", bad, this::diff);
          attempt(what + ", as a model", bad, this::like);
        }
      }
    }
  }

  /** Each check of the header alone, which other checks may hide. */
  @ParameterizedTest
  @EnumSource
  void numbersThatNoFilterHasAreRefusedWhenItIsRead(FilterKind kind) throws Exception {
    byte[] good = filter(kind);
    for (int field : new int[] {ENTRIES, CAPACITY, RATE, EXPECTED}) {
      boolean isRate = field >= RATE;
      for (double rate : new double[] {-1, 2, Double.NaN, Double.POSITIVE_INFINITY}) {
        byte[] bad = good.clone();
        long number = isRate ? Double.doubleToLongBits(rate) : -1;
        ByteBuffer.wrap(bad).order(ByteOrder.LITTLE_ENDIAN).putLong(field, number);
        Path file = Files.write(folder.resolve("bad"), sealed(bad));
        Exception refused =
            assertThrows(
                DamagedFileException.class,
                () -> FilterKinds.read(file),
                () -> kind + " with " + number + " at octet " + field);
        String message = String.valueOf(refused.getMessage());
        assertTrue(message.contains("has numbers that no filter has"), message);
      }
    }
  }

  /** Numbers and rates; of a field that has one of these only the ones that are near. */
  private static List<Long> numbers(int field, long now) {
    List<Long> all = new ArrayList<>(field == RATE || field == EXPECTED ? RATES : WHOLE);
    if (field >= FIRST_MEASURE) {
      all.addAll(RATES);
    }
    all.addAll(List.of(now + 1, now - 1, 2 * now, -now));
    return all;
  }

  @ParameterizedTest
  @EnumSource
  void numbersOfTheBodyAreNotTrusted(FilterKind kind) throws Exception {
    byte[] good = filter(kind);
    for (int at = HEADER; at < Math.min(good.length - 8, HEADER + 64); at += Long.BYTES) {
      for (long number : numbers(at, 0)) {
        byte[] bad = good.clone();
        ByteBuffer.wrap(bad).order(ByteOrder.LITTLE_ENDIAN).putLong(at, number);
        sealed(bad);
        String what = kind + " with " + number + " at octet " + at;
        attempt(what + ", read", bad, this::readAndAsk);
        attempt(what + ", added to", bad, file -> change(file, Verb.ADD));
      }
    }
  }

  @Test
  void theNumberOfMeasuresIsNotTrusted() throws Exception {
    List<FilterKind> kinds = new ArrayList<>(List.of(FilterKind.values()));
    for (FilterKind kind : kinds) {
      byte[] good = filter(kind);
      for (int count : new int[] {0, 1, 2, 47, 48, 49, -1, Integer.MAX_VALUE}) {
        byte[] bad = good.clone();
        ByteBuffer.wrap(bad).order(ByteOrder.LITTLE_ENDIAN).putInt(MEASURES, count);
        sealed(bad);
        attempt(kind + " with " + count + " measures", bad, this::readAndAsk);
        attempt(
            kind + " with " + count + " measures, added to", bad, file -> change(file, Verb.ADD));
      }
    }
  }
}
