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
 * <p>The body of a filter is taken for a row of bits, of which few are set. It is written as the
 * number of empty bits before each set one, by the code of Golomb (1966) with a power of two for
 * its parameter (Rice), the best for such distances.
 */
public final class FilterPack {

  static final FileKind KIND = FileKind.PACKED_FILTER;

  /** The name of the code in answers. */
  private static final String FORM = "golomb";

  /**
   * Measures behind those of the filter: its kind, the octets of its body, and Rice's parameter.
   */
  private static final int OWN_MEASURES = 3;

  /** More than any filter has. */
  private static final long MOST_OCTETS = 1L << 35;

  private FilterPack() {}

  /**
   * The result. Immutable.
   *
   * @param form golomb
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
      place.write(beside -> packed ? unpack(file, beside) : pack(file, beside));
      long octets = Files.size(target);
      long before = Files.size(source);
      return new Report(target.toString(), FORM, octets, before, octets / (double) before);
    } catch (IOException e) {
      throw FilterFiles.unreadable(source, e);
    }
  }

  private static int octet(MemorySegment body, long at) {
    return Byte.toUnsignedInt(body.get(ValueLayout.JAVA_BYTE, at));
  }

  private static String pack(PagedFile file, Path target) throws IOException {
    FilterFile.kind(file);
    MemorySegment body = file.body();
    long set = 0;
    for (long at = 0; at < body.byteSize(); at++) {
      set += Integer.bitCount(octet(body, at));
    }
    // The mean distance of set bits gives the best parameter, about.
    double distance = (double) body.byteSize() * Byte.SIZE / Math.max(1, set);
    int rice = (int) Math.max(0, Math.round(Math.log(distance * Math.log(2)) / Math.log(2)));
    List<Long> measures = new ArrayList<>(file.header().measures());
    measures.addAll(List.of((long) file.header().kind().code(), body.byteSize(), (long) rice));
    try (PagedFileWriter out = PagedFileWriter.create(target)) {
      BitWriter code = new BitWriter(out);
      long last = -1;
      for (long at = 0; at < body.byteSize(); at++) {
        for (int rest = octet(body, at); rest != 0; rest &= rest - 1) {
          long place = at * Byte.SIZE + Integer.numberOfTrailingZeros(rest);
          code.distance(place - last - 1, rice);
          last = place;
        }
      }
      code.distance(body.byteSize() * Byte.SIZE - last - 1, rice);
      code.end();
      return out.commit(header(file.header(), KIND, measures));
    }
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
    long rice = header.measure(own + 2);
    Optional<FileKind> kind =
        FileKind.ofCode((int) header.measure(own))
            .filter(found -> FilterKind.ofFile(found).isPresent());
    FilterFile.check(
        file,
        kind.isPresent()
            && octets >= 0
            && octets <= MOST_OCTETS
            && rice >= 0
            && rice < Long.SIZE - 1);
    try (PagedFileWriter out = PagedFileWriter.create(target)) {
      readDistances(file, octets * Byte.SIZE, (int) rice, out);
      return out.commit(header(header, kind.orElseThrow(), header.measures().subList(0, own)));
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
