package io.bloomgate.blocklists.backup;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.settings.SettingsFile;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.jspecify.annotations.Nullable;

/**
 * Reads an archive from its beginning to its end, where the checksum of gzip is. Only plain files
 * are taken, and no name leads out of its folder. Used by {@link Restore}; one thread, blocking.
 */
final class ArchiveReader {

  /** Octets of the manifest, which is read into memory; the settings have their own bound. */
  private static final int MAX_MANIFEST_OCTETS = 64 << 20;

  private static final int BUFFER_OCTETS = 1 << 16;

  private final TarArchiveInputStream tar;
  private final Sink sink;
  private final List<Restore.Member> members = new ArrayList<>();
  private @Nullable String settings;

  /** Receives the members; a sink that wants none of their content returns the null stream. */
  @FunctionalInterface
  interface Sink {
    /**
     * Opens the stream to which the content of this member goes; it is closed after the content.
     */
    OutputStream open(String name) throws IOException;
  }

  private ArchiveReader(TarArchiveInputStream tar, Sink sink) {
    this.tar = tar;
    this.sink = sink;
  }

  /**
   * Reads all of it.
   *
   * @throws ArchiveException when it is no whole and undamaged backup that this release can restore
   * @throws IOException when it cannot be read, or the sink fails
   */
  static Restore.Contents read(Path archive, Sink sink) throws IOException {
    try (InputStream file = new BufferedInputStream(Files.newInputStream(archive), BUFFER_OCTETS);
        InputStream plain = new GZIPInputStream(file, BUFFER_OCTETS);
        TarArchiveInputStream tar = new TarArchiveInputStream(plain, UTF_8.name())) {
      Restore.Contents contents = new ArchiveReader(tar, sink).contents();
      plain.transferTo(OutputStream.nullOutputStream());
      return contents;
    } catch (ArchiveException e) {
      throw e.of(archive);
    } catch (FileSystemException e) {
      throw e;
    } catch (IOException | IllegalArgumentException e) {
      throw new ArchiveException("is no backup, or damaged or cut: " + Faults.words(e), e)
          .of(archive);
    }
  }

  private Restore.Contents contents() throws IOException {
    TarArchiveEntry first = tar.getNextEntry();
    if (first == null || !first.getName().equals(ArchiveManifest.NAME)) {
      throw new ArchiveException("is no backup of Bloomgate");
    }
    ArchiveManifest manifest = ArchiveManifest.decode(tar.readNBytes(MAX_MANIFEST_OCTETS));
    for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
      take(entry);
    }
    if (settings == null) {
      throw new ArchiveException("has no settings file");
    }
    return new Restore.Contents(manifest, members, settings);
  }

  private void take(TarArchiveEntry entry) throws IOException {
    String name = entry.getName();
    Optional<String> problem =
        entry.getLinkFlag() == TarConstants.LF_NORMAL
            ? MemberName.problem(name)
            : Optional.of("is no plain file");
    if (problem.isPresent()) {
      throw new ArchiveException(
          "is refused: a member " + problem.get() + ": " + name.replaceAll("[^!-~]", "?"));
    }
    MessageDigest digest = Fingerprint.sha256();
    try (OutputStream out = sink.open(name)) {
      InputStream content = new DigestInputStream(tar, digest);
      if (name.equals(MemberName.SETTINGS)) {
        settings = text(content.readNBytes(SettingsFile.MAX_OCTETS + 1));
      } else {
        content.transferTo(out);
      }
    }
    members.add(
        new Restore.Member(name, entry.getSize(), HexFormat.of().formatHex(digest.digest())));
  }

  private static String text(byte[] octets) throws IOException {
    if (octets.length > SettingsFile.MAX_OCTETS) {
      throw new ArchiveException(
          "has a settings file of more than " + SettingsFile.MAX_OCTETS + " octets");
    }
    return UTF_8.newDecoder().decode(ByteBuffer.wrap(octets)).toString();
  }
}
