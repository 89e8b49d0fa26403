package io.bloomgate.blocklists.backup;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.settings.SettingsFile;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
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
 * are taken, and no name leads out of its folder. Used by {@link Restore} and the command line; one
 * thread, blocking.
 */
public final class ArchiveReader {

  /** Octets of the manifest, which is read into memory; the settings have their own bound. */
  private static final int MAX_MANIFEST_OCTETS = 64 << 20;

  private static final int BUFFER_OCTETS = 1 << 16;

  private ArchiveReader() {}

  /**
   * Takes the members.
   *
   * @param <X> what it may throw
   */
  @FunctionalInterface
  public interface Sink<X extends Exception> {
    /** Takes one member; content that is not read is skipped. */
    void take(String name, InputStream content) throws IOException, X;
  }

  /**
   * A whole and undamaged archive.
   *
   * @param members all but the manifest, in their order
   * @param settings the settings file in it
   */
  public record Contents(ArchiveManifest manifest, List<Member> members, String settings) {
    public Contents {
      members = List.copyOf(members);
    }

    /** Octets of all members. */
    public long octets() {
      return members.stream().mapToLong(Member::octets).sum();
    }
  }

  /** Reads all of it and writes nothing; throws as the other. */
  public static Contents check(Path archive) throws IOException {
    return read(archive, (_, _) -> {});
  }

  /**
   * Reads all of it.
   *
   * @throws ArchiveException when it is no whole and undamaged backup that this release can restore
   * @throws IOException when it cannot be read, or the sink fails
   */
  public static <X extends Exception> Contents read(Path archive, Sink<X> sink)
      throws IOException, X {
    try (InputStream file = new BufferedInputStream(Files.newInputStream(archive), BUFFER_OCTETS);
        InputStream plain = new GZIPInputStream(file, BUFFER_OCTETS);
        TarArchiveInputStream tar = new TarArchiveInputStream(plain, UTF_8.name())) {
      Contents contents = contents(tar, sink);
      plain.transferTo(OutputStream.nullOutputStream());
      return contents;
    } catch (ArchiveException e) {
      throw new ArchiveException(archive + " " + e.sentence(), e);
    } catch (FileSystemException e) {
      throw e;
    } catch (IOException | IllegalArgumentException e) {
      throw new ArchiveException(
          archive + " is no backup, or damaged or cut: " + Faults.words(e), e);
    }
  }

  private static <X extends Exception> Contents contents(TarArchiveInputStream tar, Sink<X> sink)
      throws IOException, X {
    TarArchiveEntry first = tar.getNextEntry();
    if (first == null || !first.getName().equals(ArchiveManifest.NAME)) {
      throw new ArchiveException("is no backup of Bloomgate");
    }
    ArchiveManifest manifest = ArchiveManifest.decode(tar.readNBytes(MAX_MANIFEST_OCTETS));
    List<Member> members = new ArrayList<>();
    @Nullable String settings = null;
    for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
      String name = checkedName(entry);
      MessageDigest digest = Fingerprint.sha256();
      InputStream content = new DigestInputStream(tar, digest);
      if (name.equals(Member.SETTINGS)) {
        byte[] octets = content.readNBytes(SettingsFile.MAX_OCTETS + 1);
        settings = text(octets);
        sink.take(name, new ByteArrayInputStream(octets));
      } else {
        sink.take(name, content);
      }
      content.transferTo(OutputStream.nullOutputStream());
      members.add(new Member(name, entry.getSize(), HexFormat.of().formatHex(digest.digest())));
    }
    if (settings == null) {
      throw new ArchiveException("has no settings file");
    }
    return new Contents(manifest, members, settings);
  }

  private static String checkedName(TarArchiveEntry entry) throws ArchiveException {
    String name = entry.getName();
    Optional<String> problem =
        entry.getLinkFlag() == TarConstants.LF_NORMAL
            ? Member.problem(name)
            : Optional.of("is no plain file");
    if (problem.isPresent()) {
      throw new ArchiveException(
          "is refused: a member " + problem.get() + ": " + name.replaceAll("[^!-~]", "?"));
    }
    return name;
  }

  private static String text(byte[] octets) throws IOException {
    if (octets.length > SettingsFile.MAX_OCTETS) {
      throw new ArchiveException(
          "has a settings file of more than " + SettingsFile.MAX_OCTETS + " octets");
    }
    return UTF_8.newDecoder().decode(ByteBuffer.wrap(octets)).toString();
  }
}
