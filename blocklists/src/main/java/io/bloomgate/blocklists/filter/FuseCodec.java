package io.bloomgate.blocklists.filter;

import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.file.PagedFileWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Binary fuse filters in a file: a row of 16 octets for each partition, then the fingerprints. A
 * row is the u32 number of the attempt that succeeded, the u32 binary logarithm of the segment
 * length, and the u64 number of segments, which is 0 where no key is. Measures: the bits that
 * number a partition.
 */
final class FuseCodec implements FilterCodec<FuseFilter> {

  private static final int MEASURE_BITS = 0;
  private static final int ROW_OCTETS = 16;
  private static final long MAX_SEGMENTS =
      Integer.MAX_VALUE - (2L << FusePartitions.MAX_SEGMENT_BITS);

  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  @Override
  public List<Long> write(FuseFilter filter, PagedFileWriter out) throws IOException {
    FusePartitions partitions =
        switch (filter) {
          case Fuse8Filter narrow -> narrow.partitions();
          case Fuse16Filter wide -> wide.partitions();
        };
    writeRows(partitions, out);
    int slots = (int) partitions.slots();
    switch (filter) {
      case Fuse8Filter narrow -> {
        for (int i = 0; i < slots; i++) {
          out.putByte(narrow.slot(i));
        }
      }
      case Fuse16Filter wide -> {
        for (int i = 0; i < slots; i++) {
          out.putShort(wide.slot(i));
        }
      }
    }
    return List.of((long) partitions.bits());
  }

  private static void writeRows(FusePartitions partitions, PagedFileWriter out) throws IOException {
    for (int p = 0; p < partitions.count(); p++) {
      boolean empty = partitions.empty(p);
      out.putInt(empty ? 0 : partitions.attempt(p));
      out.putInt(empty ? 0 : partitions.shape(p).segmentBits());
      out.putLong(empty ? 0 : partitions.shape(p).segments());
    }
  }

  @Override
  public FuseFilter read(PagedFile file) throws IOException {
    file.verify();
    FusePartitions partitions = readRows(file);
    int octetsOfSlot = file.header().kind() == FilterKind.FUSE8.file() ? 1 : Short.BYTES;
    long rows = (long) partitions.count() * ROW_OCTETS;
    long entries = file.header().entries();
    if (partitions.slots() > Integer.MAX_VALUE - 8
        || partitions.slots() * octetsOfSlot != file.body().byteSize() - rows
        || entries < partitions.used()
        || entries > partitions.slots()) {
      throw unlike(file);
    }
    int slots = Math.toIntExact(partitions.slots());
    int kept = Math.max(slots, FusePartitions.ARITY);
    if (octetsOfSlot == 1) {
      byte[] octets = new byte[kept];
      MemorySegment.copy(file.body(), ValueLayout.JAVA_BYTE, rows, octets, 0, slots);
      return new Fuse8Filter(octets, partitions, shape(FilterKind.FUSE8, file, partitions));
    }
    short[] shorts = new short[kept];
    MemorySegment.copy(file.body(), SHORT, rows, shorts, 0, slots);
    return new Fuse16Filter(shorts, partitions, shape(FilterKind.FUSE16, file, partitions));
  }

  private static FusePartitions readRows(PagedFile file) throws DamagedFileException {
    FileHeader header = file.header();
    long bits = header.measure(MEASURE_BITS);
    if (bits < 0
        || bits > FusePartitions.MAX_BITS
        || file.body().byteSize() < (long) ROW_OCTETS << bits) {
      throw unlike(file);
    }
    FusePartitions partitions = new FusePartitions((int) bits);
    for (int p = 0; p < partitions.count(); p++) {
      long row = (long) p * ROW_OCTETS;
      int attempt = file.body().get(INT, row);
      int segmentBits = file.body().get(INT, row + 4);
      long segments = file.body().get(LONG, row + 8);
      if (attempt < 0
          || attempt >= FusePartitions.MAX_ATTEMPTS
          || segmentBits < 0
          || segmentBits > FusePartitions.MAX_SEGMENT_BITS
          || segments < 0
          || segments > MAX_SEGMENTS >> segmentBits) {
        throw unlike(file);
      }
      if (segments > 0) {
        partitions.put(p, attempt, new FuseShape(segmentBits, segments));
      }
    }
    return partitions;
  }

  private static FilterShape shape(FilterKind kind, PagedFile file, FusePartitions partitions) {
    FileHeader header = file.header();
    long slots = partitions.slots();
    return new FilterShape(
        kind,
        header.entries(),
        header.capacity(),
        slots * FuseFilterBuilder.width(kind),
        FusePartitions.ARITY,
        header.askedRate(),
        header.expectedRate(),
        slots == 0 ? 0 : header.entries() / (double) slots);
  }

  private static DamagedFileException unlike(PagedFile file) {
    return new DamagedFileException(file.path(), "has a shape that no fuse filter has");
  }
}
