package io.bloomgate.blocklists.sessions;

import io.bloomgate.blocklists.database.DatabaseFiles;
import io.bloomgate.blocklists.database.SqliteFile.UnusableException;
import io.bloomgate.blocklists.file.DurableFiles;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The directory of kept sessions: a file a day, in UTC, as {@code 2026-11-23.db}. A further part as
 * {@code 2026-11-23.2.db} follows a file that could not be used. Asked by the writer's thread, by
 * housekeeping and by questions; immutable.
 *
 * <p>Lists and the operator's entries share the disk: sessions are kept only while {@link
 * #RESERVE_OCTETS} are free.
 */
public final class SessionDays {

  /** Name of the directory in the state directory. */
  public static final String DIRECTORY = "sessions";

  /**
   * Octets of the disk that no session uses up. Feeds store nothing when less than 64 MiB would be
   * left, and the operator's entries need some more.
   */
  public static final long RESERVE_OCTETS = 128L << 20;

  /** The same for sentences. */
  public static final long RESERVE_MIB = RESERVE_OCTETS >> 20;

  /** Sessions are kept again when this is free, so that they do not begin and end all the time. */
  public static final long RESUME_OCTETS = 160L << 20;

  private static final Pattern NAME =
      Pattern.compile("(\\d{4}-\\d\\d-\\d\\d)(?:\\.([1-9]\\d{0,2}))?\\.db");

  private static final String SUFFIX = ".db";

  private final Path directory;
  private final LongSupplier free;

  /** The directory in this state directory; it need not be there yet. */
  public SessionDays(Path stateDir) {
    this(stateDir, stateDir.toFile()::getUsableSpace);
  }

  /**
   * The same.
   *
   * @param free octets that the user of the gateway may still use there
   */
  public SessionDays(Path stateDir, LongSupplier free) {
    this.directory = stateDir.resolve(DIRECTORY);
    this.free = free;
  }

  /**
   * One file.
   *
   * @param part 1, or more for a file that follows one that could not be used
   */
  public record Day(LocalDate date, int part, Path file) {

    /** Octets on the disk, with its log. */
    public long octets() {
      return foldedOctets() + DatabaseFiles.size(DatabaseFiles.beside(file, "-wal"));
    }

    /** Returns the octets without the log, which is bounded and goes when the day is over. */
    long foldedOctets() {
      return DatabaseFiles.size(file);
    }

    /**
     * The sentence about a file of it that is no regular file, so that it may not be opened: to
     * open a FIFO waits for ever, and a link leads anywhere.
     */
    public Optional<String> odd() {
      return Stream.of("", "-wal", "-shm")
          .map(suffix -> DatabaseFiles.beside(file, suffix))
          .filter(each -> Files.exists(each, LinkOption.NOFOLLOW_LINKS) && !isRegular(each))
          .map(each ->
              each
                  + " is no regular file: it is left alone, and no session of it is shown; delete"
                  + " it")
          .findFirst();
    }

    /** The sentence for the operator why it cannot be used; it names the file and what to do. */
    public String problem(UnusableException why) {
      return switch (why.fault()) {
        case DAMAGED ->
            file
                + " is damaged: sessions of "
                + date
                + " in it cannot be read; delete it, or move it away";
        case OTHER_PROGRAM, OTHER_RELEASE, EMPTY ->
            why.getMessage() + "; it is left alone, and its sessions are not shown";
        case NO_ACCESS, READ_ONLY ->
            file + " cannot be opened; run this as root or as the user of the gateway";
        case FULL_DISK -> "the disk of " + file + " is full";
        case BUSY -> file + " is held by another process (a backup, sqlite3)";
        case OTHER -> file + " cannot be read: " + why.getMessage();
      };
    }

    private static boolean isRegular(Path file) {
      return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    }

    void delete() throws IOException {
      Files.deleteIfExists(file);
      DatabaseFiles.deleteLog(file);
    }
  }

  /** Makes the directory, for its owner alone. */
  public void create() throws IOException {
    DurableFiles.ensurePrivateDirectory(directory);
  }

  /** Octets that are free on its disk; 0 when that is not known. */
  public long freeOctets() {
    return free.getAsLong();
  }

  /** Returns the directory of the files. */
  public Path directory() {
    return directory;
  }

  /** A file of a day. */
  public Day day(LocalDate date, int part) {
    return new Day(date, part, directory.resolve(date + (part == 1 ? "" : "." + part) + SUFFIX));
  }

  /**
   * All files, the newest first; none without the directory.
   *
   * @throws IOException when the directory cannot be read
   */
  public List<Day> newestFirst() throws IOException {
    List<Day> days = new ArrayList<>();
    if (Files.notExists(directory)) {
      return days;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
      for (Path file : files) {
        Matcher name = NAME.matcher(String.valueOf(file.getFileName()));
        if (name.matches()) {
          add(name.group(1), name.group(2), file, days);
        }
      }
    }
    days.sort(Comparator.comparing(Day::date).thenComparingInt(Day::part).reversed());
    return days;
  }

  private static void add(String date, String part, Path file, List<Day> days) {
    try {
      days.add(new Day(LocalDate.parse(date), part == null ? 1 : Integer.parseInt(part), file));
    } catch (DateTimeParseException e) {
      // Like 2026-02-31: no file of ours.
    }
  }
}
