package io.bloomgate.blocklists.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * Changes a paged file in place: only the pages that differ are written. First they go, with the
 * new page sums and the new header, into a journal beside the file; once that is durable under its
 * name, they are written over the file, and the journal goes. A change that was cut off before the
 * journal had its name has not happened; one that was cut off later is finished by {@link #settle},
 * which every reader calls first. Used by the workbench, on one thread that holds the lock of the
 * file; never by a gateway, whose files are replaced as a whole.
 *
 * <pre>
 * journal:  magic (8 octets), digest of the old file (32)
 *           records: u64 offset in the file, u32 length, octets; the last one is the header
 *           u64 -1, u32 0, SHA-256 of all before it
 * </pre>
 */
public final class PagedFileChange implements PageSink {

  private static final String JOURNAL = ".change";
  private static final byte[] MAGIC = {(byte) 0x89, 'B', 'L', 'M', 'J', '\r', '\n', 0x1a};
  private static final int START_OCTETS = MAGIC.length + FileHeader.DIGEST_OCTETS;
  private static final int RECORD_OCTETS = Long.BYTES + Integer.BYTES;

  /** Octets of a record: a page, the header, or the sums of all pages, which are most. */
  private static final int MOST_RECORD_OCTETS = 16 << 20;

  /** Marks the end of the records. */
  private static final long NO_OFFSET = -1;

  private final PagedFile old;
  private final FileChannel file;
  private final Disk disk;
  private final Path journal;
  private final Path aside;
  private final FileChannel out;
  private final MessageDigest sha = sha256();
  private long at;
  private long bodyOctets;
  private int pages;
  private int changed;

  /**
   * What a change does to the disk. Each step is one call, so that a test can stop before, inside
   * and after each of them.
   */
  public interface Disk {

    /** The real one. */
    Disk REAL = new Disk() {};

    /** Writes all octets at an offset. */
    default void write(FileChannel to, ByteBuffer octets, long offset) throws IOException {
      long next = offset;
      while (octets.hasRemaining()) {
        next += to.write(octets, next);
      }
    }

    /** Makes what was written durable. */
    default void force(FileChannel file) throws IOException {
      file.force(true);
    }

    /** Gives a file its name and makes the name durable. */
    default void rename(Path from, Path to) throws IOException {
      DurableFiles.rename(from, to);
    }

    /** Removes a file. */
    default void delete(Path file) throws IOException {
      Files.deleteIfExists(file);
    }
  }

  private PagedFileChange(PagedFile old, FileChannel file, Disk disk) throws IOException {
    this.old = old;
    this.file = file;
    this.disk = disk;
    this.journal = journal(old.path());
    this.aside = DurableFiles.aside(journal);
    Files.deleteIfExists(aside);
    this.out = DurableFiles.createPrivate(aside);
  }

  /**
   * Begins a change of a file that was opened, and proven, through this channel.
   *
   * @param file open for reading and writing, with an exclusive lock
   */
  public static PagedFileChange begin(PagedFile old, FileChannel file, Disk disk)
      throws IOException {
    PagedFileChange change = new PagedFileChange(old, file, disk);
    try {
      change.append(ByteBuffer.wrap(MAGIC));
      change.append(ByteBuffer.wrap(old.digestOctets()));
      return change;
    } catch (IOException e) {
      change.close();
      throw e;
    }
  }

  /** Where the change of a file waits. */
  static Path journal(Path target) {
    return target.resolveSibling(target.getFileName() + JOURNAL);
  }

  /** Pages that differ from those of the old file. */
  public int changedPages() {
    return changed;
  }

  @Override
  public void page(ByteBuffer octets) throws IOException {
    int length = octets.remaining();
    if (pages >= old.pages() || !octets.equals(old.verifiedPage(pages).asByteBuffer())) {
      record(FileHeader.HEADER_OCTETS + bodyOctets, octets);
      changed++;
    }
    octets.position(octets.limit());
    pages++;
    bodyOctets += length;
  }

  private void record(long offset, ByteBuffer octets) throws IOException {
    append(start(offset, octets.remaining()));
    append(octets.duplicate());
  }

  private static ByteBuffer start(long offset, int length) {
    return ByteBuffer.allocate(RECORD_OCTETS)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(offset)
        .putInt(length)
        .flip();
  }

  private void append(ByteBuffer octets) throws IOException {
    sha.update(octets.duplicate());
    int length = octets.remaining();
    disk.write(out, octets, at);
    at += length;
  }

  @Override
  public void commit(byte[] head, ByteBuffer sums) throws IOException {
    if (bodyOctets < old.body().byteSize()) {
      throw new IllegalStateException("a file that is changed in place does not become shorter");
    }
    record(FileHeader.HEADER_OCTETS + bodyOctets, sums);
    record(0, ByteBuffer.wrap(head));
    append(start(NO_OFFSET, 0));
    disk.write(out, ByteBuffer.wrap(sha.digest()), at);
    disk.force(out);
    out.close();
    disk.rename(aside, journal);
    finish(old.path(), file, disk);
  }

  /** Drops what was not committed. */
  @Override
  public void close() throws IOException {
    if (out.isOpen()) {
      out.close();
      disk.delete(aside);
    }
  }

  /**
   * Finishes a change that was cut off, if there is one. Waits while another program changes the
   * file.
   *
   * @throws DamagedFileException when the journal is not what was written
   * @throws IOException also when the caller may not write the file
   */
  public static void settle(Path target) throws IOException {
    if (Files.exists(journal(target))) {
      try (FileChannel file =
              FileChannel.open(target, StandardOpenOption.READ, StandardOpenOption.WRITE);
          FileLock _ = file.lock()) {
        finish(target, file, Disk.REAL);
      }
    }
  }

  /** The same for a file whose lock the caller holds. */
  public static void finish(Path target, FileChannel file, Disk disk) throws IOException {
    Path journal = journal(target);
    if (Files.notExists(journal)) {
      return;
    }
    if (!Files.isRegularFile(journal)) {
      // A pipe would be waited for without end.
      throw damaged(journal);
    }
    try (FileChannel in = FileChannel.open(journal, StandardOpenOption.READ)) {
      Digests digests = proven(journal, in, file.size());
      ByteBuffer now = ByteBuffer.allocate(FileHeader.DIGEST_OCTETS);
      file.read(now, FileHeader.DIGEST_OFFSET);
      now.flip();
      boolean begun = now.equals(ByteBuffer.wrap(digests.old()));
      if (begun) {
        reserve(target, file, digests.end(), disk);
      }
      if (begun || now.equals(ByteBuffer.wrap(digests.now()))) {
        copy(in, file, disk);
        disk.force(file);
      }
      // Else the file was replaced by another one after the change was cut off.
    }
    disk.delete(journal);
  }

  /**
   * Takes the room on the disk that a change needs, before the first octet of the file is changed.
   * Without it the change is dropped, and the file is what it was.
   */
  private static void reserve(Path target, FileChannel file, long end, Disk disk)
      throws IOException {
    long octets = PagedFile.wholeOctets(target, file);
    try {
      for (long at = octets; at < end; at += FileHeader.PAGE_OCTETS) {
        int length = (int) Math.min(FileHeader.PAGE_OCTETS, end - at);
        disk.write(file, ByteBuffer.allocate(length), at);
      }
    } catch (IOException e) {
      file.truncate(octets);
      disk.delete(journal(target));
      throw e;
    }
  }

  /** The digests that the file had before a change and has after it, and its octets after it. */
  @SuppressWarnings("ArrayRecordComponent")
  private record Digests(byte[] old, byte[] now, long end) {}

  /** The head of a record. */
  private record JournalRecord(long offset, int length) {
    static JournalRecord read(FileChannel in, long from, MessageDigest sha) throws IOException {
      ByteBuffer octets =
          ByteBuffer.wrap(octets(in, from, RECORD_OCTETS, sha)).order(ByteOrder.LITTLE_ENDIAN);
      return new JournalRecord(octets.getLong(), octets.getInt());
    }

    boolean isEnd() {
      return offset == NO_OFFSET;
    }
  }

  /**
   * Reads a journal to its end. Its records are in the order of the file, none over another, and
   * all octets by which the file grows are in them; the header comes last.
   */
  private static Digests proven(Path journal, FileChannel in, long fileOctets) throws IOException {
    MessageDigest sha = sha256();
    byte[] start = octets(in, 0, START_OCTETS, sha);
    byte[] head = {};
    long free = FileHeader.HEADER_OCTETS;
    long end = 0;
    long at = START_OCTETS;
    JournalRecord record = JournalRecord.read(in, at, sha);
    while (!record.isEnd()) {
      at += RECORD_OCTETS;
      if (record.length < 0
          || record.length > MOST_RECORD_OCTETS
          || record.length > in.size() - at
          || head.length > 0
          || (record.offset != 0
              && (record.offset < free || record.offset > Math.max(end, fileOctets)))) {
        throw damaged(journal);
      }
      byte[] octets = octets(in, at, record.length, sha);
      if (record.offset == 0) {
        head = octets;
      }
      free = record.offset + record.length;
      end = Math.max(end, free);
      at += record.length;
      record = JournalRecord.read(in, at, sha);
    }
    byte[] sum = sha.digest();
    if (!Arrays.equals(sum, octets(in, at + RECORD_OCTETS, sum.length, sha))
        || !Arrays.equals(MAGIC, Arrays.copyOf(start, MAGIC.length))
        || head.length != FileHeader.HEADER_OCTETS) {
      throw damaged(journal);
    }
    return new Digests(
        Arrays.copyOfRange(start, MAGIC.length, START_OCTETS),
        Arrays.copyOfRange(head, FileHeader.DIGEST_OFFSET, FileHeader.HEADER_OCTETS),
        end);
  }

  /** The records in their order, so the header, which makes the new file of them, comes last. */
  private static void copy(FileChannel in, FileChannel file, Disk disk) throws IOException {
    MessageDigest sha = sha256();
    long at = START_OCTETS;
    JournalRecord record = JournalRecord.read(in, at, sha);
    while (!record.isEnd()) {
      at += RECORD_OCTETS;
      disk.write(file, ByteBuffer.wrap(octets(in, at, record.length, sha)), record.offset);
      at += record.length;
      record = JournalRecord.read(in, at, sha);
    }
  }

  /** Octets of the journal, zeros behind its end. */
  private static byte[] octets(FileChannel in, long from, int length, MessageDigest sha)
      throws IOException {
    byte[] octets = new byte[length];
    ByteBuffer into = ByteBuffer.wrap(octets);
    int last = 0;
    while (into.hasRemaining() && last >= 0) {
      last = in.read(into, from + into.position());
    }
    sha.update(octets);
    return octets;
  }

  private static DamagedFileException damaged(Path journal) {
    return new DamagedFileException(
        journal,
        "is the journal of a change that was cut off, and is damaged; remove it, and `bloomgate"
            + " filter verify` says whether the filter is whole");
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
