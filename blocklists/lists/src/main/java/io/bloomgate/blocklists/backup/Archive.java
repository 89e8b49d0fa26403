package io.bloomgate.blocklists.backup;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.settings.SettingsFile;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/**
 * Reads a backup from its beginning to its end, where the checksum of gzip is. Only plain files are
 * taken, and no name leads out of its folder. Used by {@link Restore} and the command line; one
 * thread, blocking.
 */
public final class Archive {

  static final String MANIFEST = "manifest.json";
  static final String PRODUCT = "bloomgate";

  /** The format of this release. */
  static final long FORMAT = 1;

  /** Octets of the manifest, which is read into memory; the settings have their own bound. */
  private static final int MAX_TEXT_OCTETS = 64 << 20;

  /** Names that lead nowhere but below their room, and not to what the gateway would run. */
  private static final Pattern NAME =
      Pattern.compile(
          Pattern.quote(Member.SETTINGS)
              + "|(?:state(?!/native/)|files|secrets)"
              + "(?:/(?!\\.{1,2}(?:/|$))[^/\\p{Cntrl}]++)++");

  private static final int BUFFER_OCTETS = 1 << 16;

  private Archive() {}

  /**
   * The first member, which says of what the rest is a backup. Immutable.
   *
   * @param format changes with what an archive holds
   * @param version of the program that wrote it
   * @param created when it was written
   * @param settingsFile where the settings were
   * @param stateDir where the state was
   * @param owner user and group of the state, {@code USER:GROUP}; empty when the system has none
   * @param sessions kept sessions are in it
   * @param secrets files with keys are in it
   * @param generation of the lists that was live; 0 for none
   * @param leftOut files with keys that are not in it
   */
  public record Manifest(
      long format,
      String product,
      String version,
      Instant created,
      String settingsFile,
      String stateDir,
      String owner,
      boolean sessions,
      boolean secrets,
      long generation,
      List<String> leftOut) {

    public Manifest {
      leftOut = List.copyOf(leftOut);
    }
  }

  /**
   * One file: {@code settings.yaml}, {@code state/...} for what is in the state directory, {@code
   * files/...} and {@code secrets/...} for files elsewhere that the settings name, each followed by
   * its absolute path. Immutable.
   *
   * @param octets its size
   * @param sha256 of its content, 64 hexadecimal digits
   */
  public record Member(String name, long octets, String sha256) {
    /** The name of the settings file. */
    public static final String SETTINGS = "settings.yaml";

    static final String STATE = "state/";
    static final String FILES = "files/";
    static final String SECRETS = "secrets/";

    /** The path to which a file of {@code files/} or {@code secrets/} belongs; empty for others. */
    public Optional<Path> elsewhere() {
      return Stream.of(FILES, SECRETS)
          .filter(name::startsWith)
          .map(room -> Path.of("/" + name.substring(room.length())))
          .findFirst();
    }
  }

  /**
   * A whole and undamaged archive.
   *
   * @param members all but the manifest, in their order
   * @param settings the settings file in it
   */
  public record Contents(Manifest manifest, List<Member> members, String settings) {
    public Contents {
      members = List.copyOf(members);
    }

    /** Octets of all members. */
    public long octets() {
      return members.stream().mapToLong(Member::octets).sum();
    }
  }

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
    if (first == null || !first.getName().equals(MANIFEST)) {
      throw new ArchiveException("is no backup of Bloomgate");
    }
    Manifest manifest = manifest(new String(tar.readNBytes(MAX_TEXT_OCTETS), UTF_8));
    List<Member> members = new ArrayList<>();
    ByteArrayOutputStream settings = new ByteArrayOutputStream();
    for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
      String name = entry.getName();
      if (entry.getLinkFlag() != TarConstants.LF_NORMAL || !NAME.matcher(name).matches()) {
        throw new ArchiveException(
            "is refused: a member is no plain file of a backup, or leads out of its folder: "
                + printable(name));
      }
      MessageDigest digest = Fingerprint.sha256();
      InputStream content = new DigestInputStream(tar, digest);
      if (name.equals(Member.SETTINGS)) {
        settings.write(content.readNBytes(SettingsFile.MAX_OCTETS));
        sink.take(name, new ByteArrayInputStream(settings.toByteArray()));
      } else {
        sink.take(name, content);
      }
      content.transferTo(OutputStream.nullOutputStream());
      members.add(new Member(name, entry.getSize(), HexFormat.of().formatHex(digest.digest())));
    }
    if (settings.size() == 0) {
      throw new ArchiveException("has no settings file");
    }
    return new Contents(manifest, members, settings.toString(UTF_8));
  }

  private static Manifest manifest(String text) throws ArchiveException {
    try {
      if (!(Json.parse(text) instanceof JsonObject object)
          || !object.text("product").orElse("").equals(PRODUCT)) {
        throw new ArchiveException("is no backup of Bloomgate");
      }
      long format = object.number("format").orElse(0L);
      if (format != FORMAT) {
        throw new ArchiveException(
            "was written by another Bloomgate (%s, format %d); this one knows format %d: restore it"
                    .formatted(printable(object.text("version").orElse("")), format, FORMAT)
                + " with that release");
      }
      return JsonRecords.read(Manifest.class, text);
    } catch (JsonSyntaxException e) {
      throw new ArchiveException("is damaged: its manifest cannot be read", e);
    }
  }

  private static String printable(String text) {
    return text.replaceAll("[^!-~]", "?");
  }
}
