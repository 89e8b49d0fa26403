package io.bloomgate.blocklists.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/**
 * Writes one paged file from front to back under a temporary name; {@link #commit} makes it durable
 * and gives it its name, {@link #close} without a commit leaves nothing. Used by the builders of
 * filters and indexes, on one thread.
 */
public final class PagedFileWriter implements Closeable {

  private final Path target;
  private final Path aside;
  private final FileChannel channel;
  private final ByteBuffer page =
      ByteBuffer.allocate(FileHeader.PAGE_OCTETS).order(ByteOrder.LITTLE_ENDIAN);
  private final CRC32C crc = new CRC32C();
  private int[] sums = new int[64];
  private int pages;
  private long written;
  private boolean committed;

  private PagedFileWriter(Path target, Path aside, FileChannel channel) {
    this.target = target;
    this.aside = aside;
    this.channel = channel;
  }

  /**
   * Starts a file with mode 0600, as it holds the secret seed.
   *
   * @throws IOException when the file cannot be created
   */
  public static PagedFileWriter create(Path target) throws IOException {
    Path aside = DurableFiles.aside(target);
    Files.deleteIfExists(aside);
    FileChannel channel = DurableFiles.createPrivate(aside);
    try {
      channel.position(FileHeader.HEADER_OCTETS);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    return new PagedFileWriter(target, aside, channel);
  }

  /** Octets of the body so far. */
  public long position() {
    return written + page.position();
  }

  /** Appends an octet. */
  public void putByte(int value) throws IOException {
    if (!page.hasRemaining()) {
      endPage();
    }
    page.put((byte) value);
  }

  /** Appends 16 bits. */
  public void putShort(int value) throws IOException {
    if (page.remaining() >= Short.BYTES) {
      page.putShort((short) value);
    } else {
      putByte(value);
      putByte(value >>> 8);
    }
  }

  /** Appends 32 bits. */
  public void putInt(int value) throws IOException {
    if (page.remaining() >= Integer.BYTES) {
      page.putInt(value);
    } else {
      putShort(value);
      putShort(value >>> 16);
    }
  }

  /** Appends 64 bits. */
  public void putLong(long value) throws IOException {
    if (page.remaining() >= Long.BYTES) {
      page.putLong(value);
    } else {
      putInt((int) value);
      putInt((int) (value >>> 32));
    }
  }

  /** Appends octets. */
  public void putBytes(byte[] bytes, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      if (!page.hasRemaining()) {
        endPage();
      }
      int part = Math.min(length - done, page.remaining());
      page.put(bytes, offset + done, part);
      done += part;
    }
  }

  /** Appends zeros up to a multiple of {@code octets}. */
  public void align(int octets) throws IOException {
    while (position() % octets != 0) {
      putByte(0);
    }
  }

  /**
   * Ends the file: page sums, header, and all of it durable under its name.
   *
   * @return the digest of header and page sums in hexadecimal
   */
  public String commit(FileHeader header) throws IOException {
    if (page.position() > 0) {
      endPage();
    }
    ByteBuffer trailer = ByteBuffer.allocate(pages * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < pages; i++) {
      trailer.putInt(sums[i]);
    }
    byte[] head = header.encode(written);
    byte[] digest = PagedFile.digest(head, trailer.array());
    System.arraycopy(digest, 0, head, FileHeader.DIGEST_OFFSET, digest.length);
    write(trailer.flip());
    channel.position(0);
    write(ByteBuffer.wrap(head));
    channel.force(true);
    channel.close();
    DurableFiles.rename(aside, target);
    committed = true;
    return HexFormat.of().formatHex(digest);
  }

  private void endPage() throws IOException {
    page.flip();
    crc.reset();
    crc.update(page.duplicate());
    if (pages == sums.length) {
      sums = Arrays.copyOf(sums, 2 * pages);
    }
    sums[pages++] = (int) crc.getValue();
    written += page.remaining();
    write(page);
    page.clear();
  }

  private void write(ByteBuffer octets) throws IOException {
    while (octets.hasRemaining()) {
      channel.write(octets);
    }
  }

  /** Removes what was written unless it was committed. */
  @Override
  public void close() throws IOException {
    channel.close();
    if (!committed) {
      Files.deleteIfExists(aside);
    }
  }
}
