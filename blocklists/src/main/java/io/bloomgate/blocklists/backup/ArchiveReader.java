package io.bloomgate.blocklists.backup;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.bloomgate.blocklists.backup.ArchiveManifest.Member;
import io.bloomgate.config.fault.Faults;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.jspecify.annotations.Nullable;

/**
 * Reads an archive from its beginning to its end and trusts nothing in it: names, kinds of members,
 * sizes and digests are looked at, and the whole must be what its manifest says. Used by {@link
 * Restore}; one thread, blocking.
 */
final class ArchiveReader {

  /** First member: {@code bloomgate-backup FORMAT VERSION}, so that the first octets tell all. */
  static final String MARK = "bloomgate-backup";

  /** Octets of all members together. */
  static final long MOST_OCTETS = 1L << 40;

  static final int MOST_MEMBERS = 1_000_000;

  /** Octets of the mark, the settings and the manifest: these are read into memory. */
  private static final int MOST_SMALL_OCTETS = 64 << 20;

  /** What tar may write behind its end: it fills a block. */
  private static final int MOST_PADDING_OCTETS = 1 << 20;

  private static final int BUFFER_OCTETS = 1 << 16;

  private ArchiveReader() {}

  /** Receives the members. */
  @FunctionalInterface
  interface Sink {
    /** Where the content of this member goes; closed behind it. */
    OutputStream open(String name) throws IOException;
  }

  /**
   * Reads all of it.
   *
   * @throws ArchiveException when it is no whole and undamaged backup that this release can restore
   * @throws IOException when it cannot be read, or the sink fails
   */
  static ArchiveManifest read(Path archive, Sink sink) throws IOException {
    try (InputStream file = new BufferedInputStream(Files.newInputStream(archive), BUFFER_OCTETS);
        InputStream plain = unpacked(archive, file);
        BoundedHeaders bounded = new BoundedHeaders(plain);
        TarArchiveInputStream tar = new TarArchiveInputStream(bounded, "UTF-8")) {
      ArchiveManifest manifest = new Reading(archive, bounded, tar, sink).run();
      requireEnd(plain);
      return manifest;
    } catch (EOFException e) {
      throw new ArchiveException(archive + " is cut: its end is missing", e);
    } catch (ZipException e) {
      throw new ArchiveException(archive + " is damaged: " + Faults.words(e), e);
    } catch (IllegalArgumentException e) {
      throw new ArchiveException(archive + " is damaged: " + Faults.words(e), e);
    }
  }

  private static InputStream unpacked(Path archive, InputStream file) throws IOException {
    try {
      return new GZIPInputStream(file, BUFFER_OCTETS);
    } catch (ZipException | EOFException e) {
      throw new ArchiveException(archive + " is no backup: it is not packed with gzip", e);
    }
  }

  /** The checksum of gzip is behind the last octet. */
  private static void requireEnd(InputStream plain) throws IOException {
    if (plain.readNBytes(MOST_PADDING_OCTETS).length == MOST_PADDING_OCTETS) {
      throw new ArchiveException("something follows the end of the archive");
    }
  }

  /** One run over the members. */
  private static final class Reading {
    private final Path archive;
    private final BoundedHeaders headers;
    private final TarArchiveInputStream tar;
    private final Sink sink;
    private final List<Member> found = new ArrayList<>();
    private final Set<String> names = new HashSet<>();
    private long octets;

    Reading(Path archive, BoundedHeaders headers, TarArchiveInputStream tar, Sink sink) {
      this.archive = archive;
      this.headers = headers;
      this.tar = tar;
      this.sink = sink;
    }

    ArchiveManifest run() throws IOException {
      requireMark();
      while (true) {
        TarArchiveEntry entry = next();
        if (entry.getName().equals(ArchiveManifest.NAME)) {
          return checked(ArchiveManifest.decode(small(entry)));
        }
        take(entry);
      }
    }

    private void requireMark() throws IOException {
      TarArchiveEntry first = following();
      String[] words =
          first == null || !first.getName().equals(MARK)
              ? new String[0]
              : new String(small(first), US_ASCII).strip().split(" ");
      if (words.length != 3 || !words[0].equals(MARK) || !words[1].matches("[1-9][0-9]{0,8}")) {
        throw new ArchiveException(archive + " is no backup of Bloomgate");
      }
      if (Long.parseLong(words[1]) > ArchiveManifest.FORMAT) {
        throw new ArchiveException(
            archive
                + " was written by a later Bloomgate ("
                + words[2].replaceAll("[^A-Za-z0-9._-]", "?")
                + ", format "
                + words[1]
                + "); this one knows format "
                + ArchiveManifest.FORMAT
                + ": restore it with that release");
      }
    }

    /** Unlike a failure of the sink, one of the reader is the archive's fault, or the disk's. */
    private @Nullable TarArchiveEntry following() throws IOException {
      headers.begin();
      try {
        return tar.getNextEntry();
      } catch (IOException e) {
        throw damaged(e);
      } finally {
        headers.end();
      }
    }

    private int read(byte[] buffer) throws IOException {
      try {
        return tar.read(buffer);
      } catch (IOException e) {
        throw damaged(e);
      }
    }

    private IOException damaged(IOException e) {
      return e instanceof EOFException
              || e instanceof FileSystemException
              || e instanceof ArchiveException
          ? e
          : new ArchiveException(archive + " is damaged or cut: " + Faults.words(e), e);
    }

    private TarArchiveEntry next() throws IOException {
      TarArchiveEntry entry = following();
      if (entry == null) {
        throw new ArchiveException(archive + " is cut: it has no manifest");
      }
      String name = entry.getName();
      String problem = MemberName.problem(name).orElse("");
      if (!problem.isEmpty()) {
        throw refused(name, problem);
      }
      boolean file =
          entry.getLinkFlag() == TarConstants.LF_NORMAL
              || entry.getLinkFlag() == TarConstants.LF_OLDNORM;
      if (!file || entry.isSparse()) {
        throw refused(name, "is no plain file");
      }
      if (!names.add(name)) {
        throw refused(name, "is there twice");
      }
      octets += entry.getSize();
      if (entry.getSize() < 0 || octets > MOST_OCTETS || names.size() > MOST_MEMBERS) {
        throw new ArchiveException(
            archive
                + " is larger than a backup may be ("
                + MOST_OCTETS
                + " octets, "
                + MOST_MEMBERS
                + " members)");
      }
      return entry;
    }

    private ArchiveException refused(String name, String problem) {
      return new ArchiveException(
          archive + " is refused: a member " + problem + ": " + shown(name));
    }

    private void take(TarArchiveEntry entry) throws IOException {
      MessageDigest digest = ArchiveWriter.sha256();
      long size = 0;
      try (OutputStream out = sink.open(entry.getName())) {
        byte[] buffer = new byte[BUFFER_OCTETS];
        for (int count = read(buffer); count >= 0; count = read(buffer)) {
          digest.update(buffer, 0, count);
          out.write(buffer, 0, count);
          size += count;
        }
      }
      if (size != entry.getSize()) {
        throw new ArchiveException(archive + " is cut: its end is missing");
      }
      found.add(new Member(entry.getName(), size, HexFormat.of().formatHex(digest.digest())));
    }

    private byte[] small(TarArchiveEntry entry) throws IOException {
      if (entry.getSize() < 0 || entry.getSize() > MOST_SMALL_OCTETS) {
        throw new ArchiveException(
            archive + " is refused: " + shown(entry.getName()) + " is too large");
      }
      byte[] content = tar.readNBytes(MOST_SMALL_OCTETS);
      if (content.length != entry.getSize()) {
        throw new ArchiveException(archive + " is cut: its end is missing");
      }
      return content;
    }

    private ArchiveManifest checked(ArchiveManifest manifest) throws IOException {
      if (following() != null) {
        throw new ArchiveException(archive + " is refused: something follows its manifest");
      }
      if (!manifest.members().equals(found)) {
        throw new ArchiveException(
            archive + " is damaged: its files are not those of its manifest");
      }
      return manifest;
    }

    private static String shown(String name) {
      String safe = name.replaceAll("[^!-~]", "?");
      return safe.length() > 100 ? safe.substring(0, 100) + "..." : safe;
    }
  }
}
