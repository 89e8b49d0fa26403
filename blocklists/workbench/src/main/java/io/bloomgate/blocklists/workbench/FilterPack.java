package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.FileKind;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.file.PagedFileWriter;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterKind;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@code bloomgate filter pack}: a filter file as a smaller one for transport, and back, octet for
 * octet. Both are read where they lie in their files. On the thread of the command.
 *
 * <p>The body of a filter is taken for a row of bits, of which few are set. It is written in the
 * form that makes the smaller file: sparse, an octet that says which of the next eight octets are
 * not zero, then these; or Golomb, the number of empty bits before each set one, by the code of
 * Golomb (1966) with a power of two for its parameter (Rice), the best for such distances.
 */
public final class FilterPack {

  static final FileKind KIND = FileKind.PACKED_FILTER;

  /** Stands for the sparse form where a parameter of Rice's code stands for the other one. */
  private static final int SPARSE = -1;

  /** Measures behind those of the filter: its kind, the octets of its body, and the form. */
  private static final int OWN_MEASURES = 3;

  /** More than any filter has. */
  private static final long MOST_OCTETS = 1L << 35;

  private FilterPack() {}

  /**
   * The result. Immutable.
   *
   * @param form sparse or golomb
   * @param octets of the new file
   * @param before octets of the other one
   */
  public record Report(String file, String form, long octets, long before, double ratio) {}

  /**
   * Packs a filter, or unpacks a packed one.
   *
   * @throws OfflineException when it is no filter, or the target cannot be written
   */
  public static Report run(Path source, Path target) throws OfflineException {
    FilterFiles.requireFile(source);
    FilterFiles.Target place = new FilterFiles.Target(target);
    try {
      PagedFile file = PagedFile.open(source);
      file.verify();
      boolean packed = file.header().kind() == KIND;
      String form = place.write(beside -> packed ? unpack(file, beside) : pack(file, beside));
      long octets = Files.size(target);
      long before = Files.size(source);
      return new Report(target.toString(), form, octets, before, octets / (double) before);
    } catch (IOException e) {
      throw FilterFiles.unreadable(source, e);
    }
  }

  private static String word(long form) {
    return form == SPARSE ? "sparse" : "golomb";
  }

  private static int octet(MemorySegment body, long at) {
    return Byte.toUnsignedInt(body.get(ValueLayout.JAVA_BYTE, at));
  }

  private static String pack(PagedFile file, Path target) throws IOException {
    FilterFile.kind(file);
    MemorySegment body = file.body();
    long set = 0;
    long sparse = Math.ceilDiv(body.byteSize(), Byte.SIZE);
    for (long at = 0; at < body.byteSize(); at++) {
      set += Integer.bitCount(octet(body, at));
      sparse += octet(body, at) == 0 ? 0 : 1;
    }
    // The mean distance of set bits gives the best parameter, about.
    double distance = (double) body.byteSize() * Byte.SIZE / Math.max(1, set);
    int rice = (int) Math.max(0, Math.round(Math.log(distance * Math.log(2)) / Math.log(2)));
    long[] bits = {0};
    forEachDistance(body, empty -> bits[0] += (empty >>> rice) + 1 + rice);
    int form = Math.ceilDiv(bits[0], Byte.SIZE) < sparse ? rice : SPARSE;
    List<Long> measures = new ArrayList<>(file.header().measures());
    measures.addAll(List.of((long) file.header().kind().code(), body.byteSize(), (long) form));
    try (PagedFileWriter out = PagedFileWriter.create(target)) {
      if (form == SPARSE) {
        writeSparse(body, out);
      } else {
        BitWriter code = new BitWriter(out);
        forEachDistance(body, empty -> code.distance(empty, rice));
        code.end();
      }
      out.commit(header(file.header(), KIND, measures));
    }
    return word(form);
  }

  private static FileHeader header(FileHeader of, FileKind kind, List<Long> measures) {
    return new FileHeader(
        kind,
        of.keying(),
        of.entries(),
        of.capacity(),
        of.askedRate(),
        of.expectedRate(),
        measures);
  }

  /** Takes a number of empty bits. */
  @FunctionalInterface
  private interface Distance {
    void take(long empty) throws IOException;
  }

  /** Gives the empty bits before each set one, and before the end. */
  private static void forEachDistance(MemorySegment body, Distance taker) throws IOException {
    long last = -1;
    for (long at = 0; at < body.byteSize(); at++) {
      for (int rest = octet(body, at); rest != 0; rest &= rest - 1) {
        long place = at * Byte.SIZE + Integer.numberOfTrailingZeros(rest);
        taker.take(place - last - 1);
        last = place;
      }
    }
    taker.take(body.byteSize() * Byte.SIZE - last - 1);
  }

  private static void writeSparse(MemorySegment body, PagedFileWriter out) throws IOException {
    for (long from = 0; from < body.byteSize(); from += Byte.SIZE) {
      int marks = 0;
      int count = (int) Math.min(Byte.SIZE, body.byteSize() - from);
      for (int i = 0; i < count; i++) {
        marks |= (octet(body, from + i) == 0 ? 0 : 1) << i;
      }
      out.putByte(marks);
      for (int i = 0; i < count; i++) {
        if (octet(body, from + i) != 0) {
          out.putByte(octet(body, from + i));
        }
      }
    }
  }

  /** Writes bits from the lowest of an octet on. */
  private static final class BitWriter {
    private final PagedFileWriter out;
    private int open;
    private int count;

    BitWriter(PagedFileWriter out) {
      this.out = out;
    }

    void distance(long empty, int rice) throws IOException {
      for (long i = empty >>> rice; i > 0; i--) {
        put(1);
      }
      put(0);
      for (int i = 0; i < rice; i++) {
        put((int) (empty >>> i) & 1);
      }
    }

    private void put(int bit) throws IOException {
      open |= bit << count++;
      if (count == Byte.SIZE) {
        end();
      }
    }

    void end() throws IOException {
      if (count > 0) {
        out.putByte(open);
      }
      open = 0;
      count = 0;
    }
  }

  private static String unpack(PagedFile file, Path target) throws IOException {
    FileHeader header = file.header();
    int own = Math.max(0, header.measures().size() - OWN_MEASURES);
    long octets = header.measure(own + 1);
    long form = header.measure(own + 2);
    Optional<FileKind> kind =
        FileKind.ofCode((int) header.measure(own))
            .filter(found -> FilterKind.ofFile(found).isPresent());
    FilterFile.check(
        file,
        kind.isPresent()
            && octets >= 0
            && octets <= MOST_OCTETS
            && form >= SPARSE
            && form < Long.SIZE - 1);
    try (PagedFileWriter out = PagedFileWriter.create(target)) {
      if (form == SPARSE) {
        readSparse(file, octets, out);
      } else {
        readDistances(file, octets * Byte.SIZE, (int) form, out);
      }
      out.commit(header(header, kind.orElseThrow(), header.measures().subList(0, own)));
    }
    return word(form);
  }

  private static void readSparse(PagedFile file, long octets, PagedFileWriter out)
      throws IOException {
    MemorySegment body = file.body();
    long at = 0;
    int marks = 0;
    for (long i = 0; i < octets; i++) {
      FilterFile.check(file, i % Byte.SIZE > 0 || at < body.byteSize());
      marks = i % Byte.SIZE == 0 ? octet(body, at++) : marks >>> 1;
      FilterFile.check(file, (marks & 1) == 0 || at < body.byteSize());
      out.putByte((marks & 1) == 0 ? 0 : octet(body, at++));
    }
  }

  private static void readDistances(PagedFile file, long end, int rice, PagedFileWriter out)
      throws IOException {
    MemorySegment body = file.body();
    BitWriter bits = new BitWriter(out);
    long place = 0;
    long at = 0;
    while (true) {
      long empty = 0;
      boolean more = true;
      for (int i = 0; i < rice || more; ) {
        FilterFile.check(file, at >>> 3 < body.byteSize());
        int bit = octet(body, at >>> 3) >>> (int) (at++ & 7) & 1;
        if (more) {
          more = bit == 1;
          empty += more ? 1L << rice : 0;
        } else {
          empty += (long) bit << i++;
        }
      }
      FilterFile.check(file, empty <= end - place);
      for (long i = empty; i > 0; i--) {
        bits.put(0);
      }
      place += empty;
      if (place == end) {
        bits.end();
        return;
      }
      bits.put(1);
      place++;
    }
  }
}
