package io.bloomgate.blocklists.backup;

import io.bloomgate.blocklists.file.DurableFiles;
import java.io.BufferedOutputStream;
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
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Set;
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

  private ArchiveWriter(Path target, Path aside, boolean force, Instant now) throws IOException {
    this.target = target;
    this.aside = aside;
    this.force = force;
    this.now = now;
    this.channel =
        FileChannel.open(
            aside,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    OutputStream octets =
        new BufferedOutputStream(
            new GZIPOutputStream(Channels.newOutputStream(channel), BUFFER_OCTETS), BUFFER_OCTETS);
    this.tar = new TarArchiveOutputStream(octets, "UTF-8");
    tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
    tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
    tar.setAddPaxHeadersForNonAsciiNames(true);
  }

  /**
   * Begins an archive.
   *
   * @param force takes the place of a file that is there
   * @throws FileAlreadyExistsException when a file is there, and without force
   */
  public static ArchiveWriter create(Path file, boolean force, Instant now) throws IOException {
    Path target = file.toAbsolutePath();
    Path folder = target.getParent();
    if (folder != null && Files.notExists(folder)) {
      throw new ArchiveException("there is no folder " + folder);
    }
    requireFree(target, force);
    Path aside = target.resolveSibling("." + target.getFileName() + ".new");
    Files.deleteIfExists(aside);
    return new ArchiveWriter(target, aside, force, now);
  }

  private static void requireFree(Path target, boolean force) throws IOException {
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
    begin(name, content.length);
    tar.write(content);
    tar.closeArchiveEntry();
  }

  /** Adds a file as it is; of one that grows meanwhile, as much as it had at the beginning. */
  void add(String name, Path file) throws IOException {
    try (FileChannel in =
        FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      long left = in.size();
      begin(name, left);
      InputStream content = Channels.newInputStream(in);
      byte[] buffer = new byte[BUFFER_OCTETS];
      while (left > 0) {
        int wanted = (int) Math.min(buffer.length, left);
        if (content.readNBytes(buffer, 0, wanted) < wanted) {
          throw new ArchiveException(name + " became shorter while it was read; try again");
        }
        tar.write(buffer, 0, wanted);
        left -= wanted;
      }
      tar.closeArchiveEntry();
    }
  }

  private void begin(String name, long octets) throws IOException {
    TarArchiveEntry entry = new TarArchiveEntry(name);
    entry.setSize(octets);
    entry.setMode(FILE_MODE);
    entry.setModTime(now.toEpochMilli());
    entry.setIds(0, 0);
    entry.setNames("", "");
    tar.putArchiveEntry(entry);
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
    requireFree(target, force);
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
