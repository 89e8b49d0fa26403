package io.bloomgate.blocklists.backup;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.backup.Archive.Member;
import io.bloomgate.blocklists.database.DatabaseFiles;
import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.blocklists.file.StateLock;
import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.blocklists.sessions.SessionDays;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.settings.DomainFile;
import io.bloomgate.config.settings.SecretFiles;
import io.bloomgate.config.settings.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Writes a backup, beside a running gateway or without one; nothing of the gateway's is changed. It
 * takes the live generation, files of the state directory that are replaced as a whole or only
 * grow, databases, and files elsewhere that the settings name. Left out is what a gateway makes
 * again: older generations, what a refresh has begun.
 *
 * <p>* The order makes it one state: the live generation first, then the feed versions, of which
 * those that it was built from are never removed while it is kept, then what is known of feeds.
 * Where a gateway removes a file before it was read, the archive is begun again. Used by the
 * command line as its caller; one thread, blocking.
 */
public final class Backup {

  /** The file with the certificate that the gateway made for itself. */
  static final String SELF_SIGNED = "self-signed.pem";

  /**
   * Names of files that are taken: of {@code feeds} whole versions, and what is held back of them.
   */
  private static final Pattern TAKEN =
      Pattern.compile(
          "[^/]+|sessions/[^/]+\\.db|feeds/[^/]+/(?:versions/[1-9][^/]*/[^/]+|good/[^/]+\\.entries)");

  private static final Pattern LEFT =
      Pattern.compile(
          "(?:.*/)?(?:\\..*|.*\\.(?:db-.*|tmp|new|sock))|"
              + StateLock.FILE_NAME
              + "|"
              + SELF_SIGNED);

  /** The number of times that an archive is begun. */
  private static final int MAX_TRIES = 5;

  private final Wanted wanted;
  private final Path stateDir;
  private final ArchiveWriter archive;
  private final Path scratch;
  private final List<String> problems = new ArrayList<>();

  /**
   * The request for a backup.
   *
   * @param force takes the place of a file that is there
   * @param sessions kept sessions too
   * @param secrets files with keys too
   * @param version of this program
   */
  public record Wanted(
      Path settingsFile,
      Settings settings,
      boolean force,
      boolean sessions,
      boolean secrets,
      String version,
      Instant now) {}

  /**
   * The result of a backup, as the command answers it.
   *
   * @param octets of the archive
   * @param members files that are in it
   * @param generation of the lists, and so on: as in {@link Archive.Manifest}
   * @param problems sentences about parts that are not in it although they should be
   */
  public record Done(
      String file,
      long octets,
      int members,
      long generation,
      boolean sessions,
      boolean secrets,
      List<String> leftOut,
      List<String> problems) {
    public Done {
      leftOut = List.copyOf(leftOut);
      problems = List.copyOf(problems);
    }
  }

  private Backup(Wanted wanted, ArchiveWriter archive, Path scratch) {
    this.wanted = wanted;
    this.stateDir = wanted.settings.stateDir();
    this.archive = archive;
    this.scratch = scratch;
  }

  /**
   * Writes the archive.
   *
   * @throws ArchiveException when something that must be in it cannot be read; no file is left
   * @throws IOException the same, in the words of the system
   */
  public static Done write(Path target, Wanted wanted) throws IOException {
    if (Files.exists(wanted.settings.stateDir().resolve(StateLock.RESTORING))) {
      throw new ArchiveException(
          "a restore into "
              + wanted.settings.stateDir()
              + " goes on, or was cut off: not all of the state is there; run `bloomgate restore"
              + " FILE` again");
    }
    for (int tries = 1; ; tries++) {
      try (ArchiveWriter archive = new ArchiveWriter(target, wanted.force, wanted.now)) {
        // A name that nobody knows before, as the folder may be one of all users: 0700.
        Path folder = Optional.ofNullable(target.toAbsolutePath().getParent()).orElse(Path.of("/"));
        Path scratch = Files.createTempDirectory(folder, "." + target.getFileName() + ".copies");
        try {
          return new Backup(wanted, archive, scratch).run(target);
        } finally {
          DurableFiles.deleteTree(scratch);
        }
      } catch (NoSuchFileException e) {
        if (tries == MAX_TRIES) {
          throw e;
        }
      }
    }
  }

  private Done run(Path target) throws IOException {
    List<SecretFiles.Named> secrets = secrets();
    List<String> leftOut =
        wanted.secrets
            ? List.of()
            : secrets.stream().map(one -> one.file() + " (" + one.key() + ")").toList();
    Path pointer = stateDir.resolve("snapshots").resolve("CURRENT");
    String live = Files.exists(pointer) ? Files.readString(pointer).strip() : "";
    Path folder = pointer.resolveSibling(live);
    boolean isLive = live.matches("[0-9]{1,18}") && Files.isDirectory(folder);
    long generation = isLive ? Long.parseLong(live) : 0;
    Archive.Manifest manifest =
        new Archive.Manifest(
            Archive.FORMAT,
            Archive.PRODUCT,
            wanted.version,
            wanted.now,
            wanted.settingsFile.toAbsolutePath().normalize().toString(),
            stateDir.toAbsolutePath().normalize().toString(),
            Restore.owner(stateDir),
            wanted.sessions,
            wanted.secrets,
            generation,
            leftOut);
    archive.add(Archive.MANIFEST, (Json.write(JsonRecords.of(manifest)) + "\n").getBytes(UTF_8));
    if (isLive) {
      addAll(matching(folder, "*"));
      archive.add(member(pointer), (live + "\n").getBytes(US_ASCII));
    }
    archive.add(Member.SETTINGS, Files.readAllBytes(wanted.settingsFile));
    addAll(state());
    for (SecretFiles.Named one : wanted.secrets ? secrets : List.<SecretFiles.Named>of()) {
      addElsewhere(Member.SECRETS, one.file());
    }
    List<Path> keys = secrets.stream().map(secret -> secret.file().toAbsolutePath()).toList();
    for (Path file : lists()) {
      if (!keys.contains(file)) {
        addElsewhere(Member.FILES, file);
      }
    }
    int members = archive.members() - 1;
    return new Done(
        target.toString(),
        archive.finish(),
        members,
        generation,
        wanted.sessions,
        wanted.secrets,
        leftOut,
        problems);
  }

  private String member(Path file) {
    return Member.STATE + stateDir.relativize(file);
  }

  private void addAll(List<Path> files) throws IOException {
    for (Path file : files) {
      if (isDatabase(file)) {
        addDatabase(file);
      } else {
        archive.add(member(file), file);
      }
    }
  }

  /**
   * Adds a database: without the operator's entries there is no backup; without another one there
   * is most of it.
   */
  private void addDatabase(Path file) throws IOException {
    Path copy = scratch.resolve(name(file));
    try {
      DatabaseFiles.copy(file, copy);
      archive.add(member(file), copy);
      Files.delete(copy);
    } catch (IOException e) {
      if (name(file).equals(OperatorLists.FILE_NAME)) {
        throw e;
      }
      problems.add(file + " is not in the backup: " + Faults.words(e));
    }
  }

  /** Adds a file that the settings name, or the certificate that is in the state directory. */
  private void addElsewhere(String room, Path file) throws IOException {
    boolean inState = file.equals(stateDir.resolve(SELF_SIGNED));
    String name = room + file.toAbsolutePath().normalize().toString().substring(1);
    archive.add(inState ? member(file) : name, file.toRealPath());
  }

  /**
   * The files of the state directory in their order: those of feeds, databases (that of the
   * operator's entries first), all other.
   */
  private List<Path> state() throws IOException {
    List<Path> files = matching(stateDir, "*");
    for (String folder : List.of("feeds", SessionDays.DIRECTORY)) {
      Path root = stateDir.resolve(folder);
      if (Files.isDirectory(root) && (wanted.sessions || folder.equals("feeds"))) {
        try (Stream<Path> all = Files.walk(root)) {
          all.forEach(files::add);
        } catch (UncheckedIOException e) {
          throw e.getCause();
        }
      }
    }
    files.removeIf(file -> {
      String name = stateDir.relativize(file).toString();
      return !TAKEN.matcher(name).matches()
          || LEFT.matcher(name).matches()
          || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    });
    files.sort(
        Comparator.comparing((Path file) -> !stateDir.relativize(file).startsWith("feeds"))
            .thenComparing(file -> !isDatabase(file))
            .thenComparing(file -> !name(file).equals(OperatorLists.FILE_NAME))
            .thenComparing(file -> file));
    return files;
  }

  /** True for a file that {@code VACUUM INTO} copies. */
  private static boolean isDatabase(Path file) {
    return name(file).endsWith(".db");
  }

  /**
   * List files elsewhere that {@code allow}, {@code block}, {@code feeds.protect} and {@code
   * domains} name; patterns are followed.
   */
  private Set<Path> lists() throws IOException {
    Settings settings = wanted.settings;
    Set<Path> files = new TreeSet<>();
    for (List<Path> named :
        List.of(
            settings.allow().files(),
            settings.allow().knownGood(),
            settings.block().files(),
            settings.feeds().protect(),
            settings.domainSources().files().stream().map(DomainFile::path).toList())) {
      for (Path path : named) {
        Path file = path.toAbsolutePath().normalize();
        files.add(file);
        files.addAll(matching(file.resolve("..").normalize(), name(file)));
      }
    }
    files.removeIf(file -> !Files.isRegularFile(file));
    return files;
  }

  /** Files with keys, the one that the gateway made for itself among them; these that are there. */
  private List<SecretFiles.Named> secrets() {
    List<SecretFiles.Named> all = new ArrayList<>(SecretFiles.of(wanted.settings));
    all.add(new SecretFiles.Named("the gateway's own certificate", stateDir.resolve(SELF_SIGNED)));
    all.removeIf(named -> !Files.exists(named.file()));
    return all;
  }

  /** The files in a folder, in name order; none where there is no folder. */
  static List<Path> matching(Path folder, String glob) throws IOException {
    List<Path> found = new ArrayList<>();
    if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, glob)) {
        all.forEach(found::add);
      }
    }
    found.sort(null);
    return found;
  }

  static String name(Path file) {
    return Optional.ofNullable(file.getFileName()).map(Path::toString).orElse("");
  }
}
