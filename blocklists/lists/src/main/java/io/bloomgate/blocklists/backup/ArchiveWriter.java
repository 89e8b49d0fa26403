package io.bloomgate.blocklists.backup;

import io.bloomgate.blocklists.file.DurableFiles;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

/**
 * Writes a tar.gz: beside its place with mode 0600, and renamed when it is whole and on the disk.
 * Used by {@link Backup} and by {@code bloomgate support dump}; one thread.
 */
public final class ArchiveWriter implements AutoCloseable {

  private static final int BUFFER_OCTETS = 1 << 16;
  private static final int FILE_MODE = 0100600;

  private final Path target;
  private final Path aside;
  private final boolean force;
  private final Instant now;
  private final FileChannel channel;
  private final TarArchiveOutputStream tar;
  private int members;

  /**
   * Begins an archive.
   *
   * @param force takes the place of a file that is there
   * @throws FileAlreadyExistsException when a file is there, and without force
   */
  public ArchiveWriter(Path file, boolean force, Instant now) throws IOException {
    this.target = file.toAbsolutePath();
    this.aside = target.resolveSibling("." + target.getFileName() + ".new");
    this.force = force;
    this.now = now;
    Path folder = target.getParent();
    if (folder != null && Files.notExists(folder)) {
      throw new ArchiveException("there is no folder " + folder);
    }
    requireFree();
    Files.deleteIfExists(aside);
    this.channel = DurableFiles.createPrivate(aside);
    OutputStream zipped = new GZIPOutputStream(Channels.newOutputStream(channel), BUFFER_OCTETS);
    this.tar = new TarArchiveOutputStream(new BufferedOutputStream(zipped, BUFFER_OCTETS), "UTF-8");
    tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
    tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
    tar.setAddPaxHeadersForNonAsciiNames(true);
  }

  private void requireFree() throws IOException {
    if (!force && Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      throw new FileAlreadyExistsException(target.toString());
    }
  }

  /** The number of members that were added. */
  int members() {
    return members;
  }

  /** Adds a member of this content. */
  public void add(String name, byte[] content) throws IOException {
    add(name, new ByteArrayInputStream(content), content.length);
  }

  /** Adds a file as it is; of one that grows meanwhile, as much as it had at the beginning. */
  void add(String name, Path file) throws IOException {
    try (FileChannel in =
        FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      add(name, Channels.newInputStream(in), in.size());
    }
  }

  private void add(String name, InputStream content, long octets) throws IOException {
    TarArchiveEntry entry = new TarArchiveEntry(name);
    entry.setSize(octets);
    entry.setMode(FILE_MODE);
    entry.setModTime(now.toEpochMilli());
    entry.setIds(0, 0);
    entry.setNames("", "");
    tar.putArchiveEntry(entry);
    byte[] buffer = new byte[BUFFER_OCTETS];
    for (long left = octets; left > 0; ) {
      int read = content.read(buffer, 0, (int) Math.min(buffer.length, left));
      if (read < 0) {
        throw new ArchiveException(name + " became shorter while it was read; try again");
      }
      tar.write(buffer, 0, read);
      left -= read;
    }
    tar.closeArchiveEntry();
    members++;
  }

  /**
   * Ends the archive, makes it durable and gives it its name.
   *
   * @return its size in octets
   */
  public long finish() throws IOException {
    tar.close();
    try (FileChannel written = FileChannel.open(aside, StandardOpenOption.WRITE)) {
      written.force(true);
    }
    long octets = Files.size(aside);
    requireFree();
    DurableFiles.rename(aside, target);
    return octets;
  }

  /** Removes what was written when it was not finished. */
  @Override
  public void close() throws IOException {
    channel.close();
    Files.deleteIfExists(aside);
  }
}
