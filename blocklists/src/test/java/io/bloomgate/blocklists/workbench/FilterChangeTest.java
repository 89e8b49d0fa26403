package io.bloomgate.blocklists.workbench;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.file.PagedFileChange;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.HashSource;
import io.bloomgate.blocklists.filter.kinds.FilterKinds;
import io.bloomgate.blocklists.filter.kinds.FilterRequest;
import io.bloomgate.blocklists.workbench.FilterChangeReport.Verb;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A change of a filter file: stopped anywhere, the file is the one before it or the one after. */
class FilterChangeTest {

  private static final WorkbenchTools TOOLS =
      new WorkbenchTools(() -> new SplittableRandom(1), () -> 0, 1L << 28);

  private static final Keying KEYING =
      new Keying(KeyHash.VERSION, KeyHash.NORMALISATION_VERSION, 0x5eedL, 12);

  @TempDir Path folder;

  /** The program ends here, as by kill -9: nothing that it would have done comes after. */
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** Stops at a step; a write that is stopped has put down a part of its octets. */
  private static final class StoppingDisk implements PagedFileChange.Disk {
    private final int last;
    private final double part;
    private int steps;

    StoppingDisk(int last, double part) {
      this.last = last;
      this.part = part;
    }

    private boolean stops() {
      if (steps > last) {
        throw new Killed();
      }
      return steps++ == last;
    }

    @Override
    public void write(FileChannel to, ByteBuffer octets, long offset) throws IOException {
      if (stops()) {
        ByteBuffer some = octets.slice(0, (int) (octets.remaining() * part));
        PagedFileChange.Disk.REAL.write(to, some, offset);
        throw new Killed();
      }
      PagedFileChange.Disk.REAL.write(to, octets, offset);
    }

    @Override
    public void force(FileChannel file) throws IOException {
      if (stops()) {
        throw new Killed();
      }
      PagedFileChange.Disk.REAL.force(file);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
      if (stops()) {
        throw new Killed();
      }
      PagedFileChange.Disk.REAL.rename(from, to);
    }

    @Override
    public void delete(Path file) throws IOException {
      if (stops()) {
        throw new Killed();
      }
      PagedFileChange.Disk.REAL.delete(file);
    }
  }

  private static FilterKeys keys(int from, int to) {
    return FilterKeys.of(IntStream.range(from, to).mapToObj(i -> "h" + i + ".example").toList());
  }

  private Path filter(FilterKind kind, int capacity) throws Exception {
    Path file = folder.resolve("f");
    FilterFile.write(
        file, FilterKinds.build(kind, new FilterRequest(capacity, 0.001), HashSource.NONE), KEYING);
    new FilterChange(TOOLS).run(file, Verb.ADD, keys(0, 300));
    return file;
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(f -> f.getFileName().toString()).sorted().toList();
    }
  }

  /** Several pages; 20 keys change a part of them, 5000 let a scalable filter grow by a slice. */
  @ParameterizedTest
  @EnumSource(names = {"COUNTING", "SCALABLE", "SCALABLE_COUNTING", "CUCKOO"})
  void stoppedAfterEveryWriteTheFileIsAsBeforeOrAfter(FilterKind kind) throws Exception {
    Path file = filter(kind, 30_000);
    byte[] before = Files.readAllBytes(file);
    FilterKeys more = keys(300, 303);
    StoppingDisk counting = new StoppingDisk(Integer.MAX_VALUE - 1, 0);
    new FilterChange(TOOLS, counting).run(file, Verb.ADD, more);
    byte[] after = Files.readAllBytes(file);
    assertFalse(Arrays.equals(before, after));
    assertTrue(counting.steps > 12, "steps " + counting.steps);
    boolean[] seen = new boolean[2];
    for (int stop = 0; stop < counting.steps; stop++) {
      for (double part : new double[] {0, 0.5, 1}) {
        Files.write(file, before);
        StoppingDisk disk = new StoppingDisk(stop, part);
        assertThrows(Killed.class, () -> new FilterChange(TOOLS, disk).run(file, Verb.ADD, more));
        assertTrue(FilterCheck.of(file, TOOLS).isWhole());
        byte[] now = Files.readAllBytes(file);
        seen[Arrays.equals(now, after) ? 1 : 0] = true;
        if (!Arrays.equals(now, after)) {
          assertArrayEquals(before, now, "stopped at " + stop + ", part " + part);
          new FilterChange(TOOLS).run(file, Verb.ADD, more);
          assertArrayEquals(after, Files.readAllBytes(file));
        }
        Files.deleteIfExists(folder.resolve("f.change.tmp"));
        assertEquals(List.of("f"), names());
      }
    }
    assertTrue(seen[0] && seen[1], "both were seen");
  }

  @Test
  void aFilterThatGrowsIsStoppedAnywhereToo() throws Exception {
    Path file = filter(FilterKind.SCALABLE_COUNTING, 300);
    byte[] before = Files.readAllBytes(file);
    FilterKeys more = keys(300, 2500);
    StoppingDisk counting = new StoppingDisk(Integer.MAX_VALUE - 1, 0);
    new FilterChange(TOOLS, counting).run(file, Verb.ADD, more);
    byte[] after = Files.readAllBytes(file);
    assertTrue(after.length > 3 * before.length, "it grew");
    for (int stop = 0; stop < counting.steps; stop++) {
      Files.write(file, before);
      StoppingDisk disk = new StoppingDisk(stop, 0.5);
      assertThrows(Killed.class, () -> new FilterChange(TOOLS, disk).run(file, Verb.ADD, more));
      LoadedFilter.read(file, TOOLS);
      byte[] now = Files.readAllBytes(file);
      assertTrue(Arrays.equals(now, before) || Arrays.equals(now, after), "stopped at " + stop);
    }
  }

  /** Has room for some octets more than the folder has now. */
  private static final class FullDisk implements PagedFileChange.Disk {
    private long room;

    FullDisk(long room) {
      this.room = room;
    }

    @Override
    public void write(FileChannel to, ByteBuffer octets, long offset) throws IOException {
      long more = Math.max(0, offset + octets.remaining() - to.size());
      if (more > room) {
        ByteBuffer some = octets.slice(0, (int) (octets.remaining() - more + room));
        room = 0;
        PagedFileChange.Disk.REAL.write(to, some, offset);
        throw new FileSystemException("f", null, "No space left on device");
      }
      room -= more;
      PagedFileChange.Disk.REAL.write(to, octets, offset);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"COUNTING", "SCALABLE", "SCALABLE_COUNTING", "CUCKOO"})
  void onAFullDiskTheFileStaysAsItWas(FilterKind kind) throws Exception {
    int capacity = kind == FilterKind.COUNTING || kind == FilterKind.CUCKOO ? 3000 : 300;
    Path file = filter(kind, capacity);
    byte[] before = Files.readAllBytes(file);
    FilterKeys more = keys(300, 2500);
    FullDisk large = new FullDisk(Long.MAX_VALUE);
    new FilterChange(TOOLS, large).run(file, Verb.ADD, more);
    long needed = Long.MAX_VALUE - large.room;
    byte[] after = Files.readAllBytes(file);
    for (long room = 0; room < needed; room += Math.max(1, needed / 20)) {
      Files.write(file, before);
      FilterChange change = new FilterChange(TOOLS, new FullDisk(room));
      OfflineException refused =
          assertThrows(OfflineException.class, () -> change.run(file, Verb.ADD, more));
      assertEquals(file + " cannot be written: No space left on device", refused.problem());
      assertArrayEquals(before, Files.readAllBytes(file), "room " + room + " of " + needed);
      assertEquals(List.of("f"), names());
    }
    Files.write(file, before);
    new FilterChange(TOOLS, new FullDisk(needed)).run(file, Verb.ADD, more);
    assertArrayEquals(after, Files.readAllBytes(file));
  }

  @Test
  void onlyPagesThatDifferAreWritten() throws Exception {
    Path file = filter(FilterKind.COUNTING, 1_000_000);
    FilterChangeReport report = new FilterChange(TOOLS).run(file, Verb.ADD, keys(300, 301));
    assertTrue(report.pages() > 100, "pages " + report.pages());
    assertTrue(report.changedPages() <= 10, "changed " + report.changedPages());
    report = new FilterChange(TOOLS).run(file, Verb.ADD, FilterKeys.of(List.of()));
    assertEquals(0, report.changedPages());
  }

  /** Of a change that was stopped when the journal had its name, and nothing else was written. */
  private byte[] journal(Path file) throws IOException {
    int steps = 0;
    while (Files.notExists(folder.resolve("f.change"))) {
      StoppingDisk disk = new StoppingDisk(steps++, 0);
      assertThrows(
          Killed.class, () -> new FilterChange(TOOLS, disk).run(file, Verb.REMOVE, keys(5, 6)));
    }
    return Files.readAllBytes(folder.resolve("f.change"));
  }

  @Test
  void theChangeOfAFileThatWasReplacedIsDropped() throws Exception {
    Path file = filter(FilterKind.COUNTING, 2000);
    byte[] journal = journal(file);
    byte[] other = Files.readAllBytes(filter(FilterKind.COUNTING, 3000));
    Files.write(folder.resolve("f.change"), journal);
    LoadedFilter.read(file, TOOLS);
    assertArrayEquals(other, Files.readAllBytes(file));
    assertEquals(List.of("f"), names());
  }

  @Test
  void everyFlipOfAJournalIsRefusedAndChangesNothing() throws Exception {
    Path file = filter(FilterKind.COUNTING, 400);
    byte[] before = Files.readAllBytes(file);
    byte[] journal = journal(file);
    for (int at = 0; at < journal.length; at += 37) {
      byte[] flipped = journal.clone();
      flipped[at] ^= 4;
      Files.write(folder.resolve("f.change"), flipped);
      assertThrows(OfflineException.class, () -> LoadedFilter.read(file, TOOLS));
      assertArrayEquals(before, Files.readAllBytes(file));
    }
    for (int length = 0; length < journal.length; length += 101) {
      Files.write(folder.resolve("f.change"), Arrays.copyOf(journal, length));
      assertThrows(OfflineException.class, () -> LoadedFilter.read(file, TOOLS));
    }
    assertArrayEquals(before, Files.readAllBytes(file));
  }

  /** A record of a journal: octets that go to a place of the file. */
  private record Piece(long offset, ByteBuffer octets) {
    Piece at(long other) {
      return new Piece(other, octets);
    }
  }

  private static final int JOURNAL_START = 40;
  private static final int SUM = 32;

  private static List<Piece> pieces(byte[] journal) {
    ByteBuffer from =
        ByteBuffer.wrap(journal, JOURNAL_START, journal.length - JOURNAL_START - SUM)
            .order(ByteOrder.LITTLE_ENDIAN);
    List<Piece> pieces = new ArrayList<>();
    while (from.hasRemaining()) {
      long offset = from.getLong();
      byte[] octets = new byte[from.getInt()];
      from.get(octets);
      pieces.add(new Piece(offset, ByteBuffer.wrap(octets)));
    }
    assertEquals(-1, pieces.removeLast().offset);
    return pieces;
  }

  /** A journal of these records with the right sum; no secret is in it. */
  private static byte[] forged(byte[] journal, List<Piece> pieces) throws Exception {
    ByteBuffer to = ByteBuffer.allocate(1 << 22).order(ByteOrder.LITTLE_ENDIAN);
    to.put(journal, 0, JOURNAL_START);
    for (Piece piece : pieces) {
      to.putLong(piece.offset).putInt(piece.octets.remaining()).put(piece.octets.duplicate());
    }
    to.putLong(-1).putInt(0);
    byte[] sum =
        MessageDigest.getInstance("SHA-256").digest(Arrays.copyOf(to.array(), to.position()));
    to.put(sum);
    return Arrays.copyOf(to.array(), to.position());
  }

  private static List<Piece> with(List<Piece> pieces, int at, Piece... others) {
    List<Piece> all = new ArrayList<>(pieces);
    all.remove(at);
    all.addAll(at, List.of(others));
    return all;
  }

  @Test
  void aJournalWhoseRecordsLieWhereNoneMayIsRefused() throws Exception {
    Path file = filter(FilterKind.COUNTING, 60_000);
    byte[] before = Files.readAllBytes(file);
    byte[] journal = journal(file);
    List<Piece> pieces = pieces(journal);
    int last = pieces.size() - 1;
    assertTrue(last >= 3, "records " + last);
    assertArrayEquals(journal, forged(journal, pieces));
    List<List<Piece>> wrong = new ArrayList<>();
    for (long offset :
        new long[] {
          Long.MIN_VALUE,
          -2,
          0,
          8,
          before.length + 1L,
          before.length + 4096L,
          1L << 40,
          Long.MAX_VALUE - 10,
          Long.MAX_VALUE
        }) {
      wrong.add(with(pieces, 0, pieces.get(0).at(offset)));
      wrong.add(with(pieces, last - 1, pieces.get(last - 1).at(offset)));
    }
    Piece first = pieces.getFirst();
    Piece second = pieces.get(1);
    wrong.add(with(pieces, 0, first, first)); // twice
    wrong.add(with(pieces, 1, second.at(first.offset + 1))); // over the end of the first
    wrong.add(with(with(pieces, 0, second), 1, first)); // in another order
    Piece header = pieces.getLast();
    wrong.add(with(pieces, last, header.at(first.offset)));
    wrong.add(with(pieces, last, header.at(before.length)));
    wrong.add(with(pieces, last, header, header));
    wrong.add(with(pieces, last));
    wrong.add(List.of(header.at(4096)));
    for (List<Piece> one : wrong) {
      Files.write(folder.resolve("f.change"), forged(journal, one));
      OfflineException refused =
          assertThrows(OfflineException.class, () -> LoadedFilter.read(file, TOOLS));
      assertEquals(OfflineException.Kind.DAMAGED, refused.kind());
      assertTrue(refused.problem().contains("journal"), refused.problem());
      assertArrayEquals(before, Files.readAllBytes(file));
    }
    Files.write(folder.resolve("f.change"), journal);
    LoadedFilter.read(file, TOOLS);
    assertFalse(Arrays.equals(before, Files.readAllBytes(file)), "the honest one is finished");
  }
}
