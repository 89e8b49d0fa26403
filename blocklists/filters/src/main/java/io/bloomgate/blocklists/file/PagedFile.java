package io.bloomgate.blocklists.file;

import io.bloomgate.config.name.Fingerprint;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * A paged file, mapped read-only. Opening proves the header, the page sums and the length; {@link
 * #verify()} proves the body. The mapping lives until no reader refers to it any more ({@link
 * Arena#ofAuto()}): no code closes it under a session that is still asking. Immutable, for any
 * thread.
 */
public final class PagedFile {

  private final Path path;
  private final FileHeader header;
  private final String digest;
  private final MemorySegment body;
  private final int[] sums;

  private PagedFile(Path path, FileHeader header, String digest, MemorySegment body, int[] sums) {
    this.path = path;
    this.header = header;
    this.digest = digest;
    this.body = body;
    this.sums = sums;
  }

  /**
   * Opens a file of one kind.
   *
   * @throws DamagedFileException when header, page sums or length are not what was written, or the
   *     file is of another kind
   * @throws IOException when it cannot be read
   */
  public static PagedFile open(Path path, FileKind kind) throws IOException {
    PagedFile file = open(path);
    if (file.header.kind() != kind) {
      throw new DamagedFileException(
          path, "is a " + file.header.kind().title() + ", not a " + kind.title());
    }
    return file;
  }

  /**
   * Opens a file of any kind.
   *
   * @throws DamagedFileException when header, page sums or length are not what was written
   * @throws IOException when it cannot be read
   */
  public static PagedFile open(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      return open(path, channel);
    }
  }

  /**
   * Opens a file of any kind through a channel, which stays open: a lock on the file is lost when
   * any channel of it is closed.
   *
   * @param path for messages
   */
  public static PagedFile open(Path path, FileChannel channel) throws IOException {
    byte[] head = new byte[FileHeader.HEADER_OCTETS];
    int length = (int) Math.min(head.length, channel.size());
    readFully(path, channel, ByteBuffer.wrap(head, 0, length), 0);
    if (length < head.length && FileHeader.isMarked(head)) {
      throw new DamagedFileException(path, "is cut short");
    }
    long bodyOctets = FileHeader.bodyOctets(path, head);
    long pages = Math.ceilDiv(bodyOctets, FileHeader.PAGE_OCTETS);
    long rest = channel.size() - FileHeader.HEADER_OCTETS - bodyOctets;
    if (rest != pages * Integer.BYTES || rest > Integer.MAX_VALUE) {
      throw new DamagedFileException(path, "is cut short or has a damaged header (length)");
    }
    ByteBuffer trailer = ByteBuffer.allocate((int) rest).order(ByteOrder.LITTLE_ENDIAN);
    readFully(path, channel, trailer, FileHeader.HEADER_OCTETS + bodyOctets);
    byte[] digest = digest(head, trailer.array());
    if (!Arrays.equals(
        digest, 0, digest.length, head, FileHeader.DIGEST_OFFSET, FileHeader.HEADER_OCTETS)) {
      throw new DamagedFileException(path, "has a damaged header or damaged page sums");
    }
    int[] sums = new int[(int) pages];
    trailer.flip().asIntBuffer().get(sums);
    MemorySegment body =
        channel.map(MapMode.READ_ONLY, FileHeader.HEADER_OCTETS, bodyOctets, Arena.ofAuto());
    return new PagedFile(
        path, FileHeader.decode(path, head), HexFormat.of().formatHex(digest), body, sums);
  }

  /**
   * The kind that the first octets of a file name, whatever its state; empty for a file that is not
   * paged. Nothing of it is proven.
   *
   * @throws IOException when it cannot be read
   */
  public static Optional<FileKind> kindOf(Path path) throws IOException {
    byte[] head;
    try (InputStream in = Files.newInputStream(path)) {
      head = in.readNBytes(FileHeader.KIND_OFFSET + Integer.BYTES);
    }
    if (head.length < FileHeader.KIND_OFFSET + Integer.BYTES || !FileHeader.isMarked(head)) {
      return Optional.empty();
    }
    ByteBuffer octets = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
    return FileKind.ofCode(octets.getInt(FileHeader.KIND_OFFSET));
  }

  /** SHA-256 of the header without its digest, and of the page sums. */
  static byte[] digest(byte[] head, byte[] sums) {
    MessageDigest sha = Fingerprint.sha256();
    sha.update(head, 0, FileHeader.DIGEST_OFFSET);
    return sha.digest(sums);
  }

  private static void readFully(Path path, FileChannel channel, ByteBuffer into, long from)
      throws IOException {
    while (into.hasRemaining()) {
      int count = channel.read(into, from + into.position());
      if (count < 0) {
        throw new DamagedFileException(path, "is cut short");
      }
    }
  }

  /** The path where it was opened. */
  public Path path() {
    return path;
  }

  /** The header. */
  public FileHeader header() {
    return header;
  }

  /** Digest of header and page sums in hexadecimal: two files with the same one are equal. */
  public String digest() {
    return digest;
  }

  /** The body; its pages are proven only after {@link #verify()} or {@link #verifiedPage}. */
  public MemorySegment body() {
    return body;
  }

  /** Number of pages of the body. */
  public int pages() {
    return sums.length;
  }

  /**
   * One page of the body, proven.
   *
   * @throws DamagedFileException when its sum is wrong or it cannot be read
   */
  public MemorySegment verifiedPage(int index) throws DamagedFileException {
    long from = (long) index * FileHeader.PAGE_OCTETS;
    MemorySegment page =
        body.asSlice(from, Math.min(FileHeader.PAGE_OCTETS, body.byteSize() - from));
    if (sumOf(page) != sums[index]) {
      throw new DamagedFileException(
          path, "is damaged in page " + index + " (octets from " + from + " of its body)");
    }
    return page;
  }

  private int sumOf(MemorySegment page) throws DamagedFileException {
    CRC32C crc = new CRC32C();
    try {
      crc.update(page.asByteBuffer());
    } catch (InternalError e) {
      // What the JVM makes of SIGBUS: the disk could not give a mapped page, or the file was cut.
      throw new DamagedFileException(path, "cannot be read: " + e.getMessage());
    }
    return (int) crc.getValue();
  }

  /**
   * Proves every page.
   *
   * @throws DamagedFileException at the first page that is not what was written
   */
  public void verify() throws DamagedFileException {
    for (int i = 0; i < sums.length; i++) {
      verifiedPage(i);
    }
  }

  /**
   * Proves the pages under a part of the body.
   *
   * @throws DamagedFileException at the first page that is not what was written
   */
  public void verify(long offset, long octets) throws DamagedFileException {
    if (offset < 0 || octets < 0 || offset + octets > body.byteSize()) {
      throw new DamagedFileException(path, "has a section outside its body");
    }
    int last = (int) ((offset + Math.max(octets, 1) - 1) / FileHeader.PAGE_OCTETS);
    for (int i = (int) (offset / FileHeader.PAGE_OCTETS); i <= last && i < sums.length; i++) {
      verifiedPage(i);
    }
  }
}
