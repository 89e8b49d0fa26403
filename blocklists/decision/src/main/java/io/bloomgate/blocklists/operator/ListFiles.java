package io.bloomgate.blocklists.operator;

import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.settings.yaml.Problem;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.PatternSyntaxException;

/**
 * The list files of {@code allow.files} and {@code block.files}: paths, or patterns in the last
 * part of a path ({@code allow.d/*.list}). Read again when they change; a bad line is reported and
 * the rest counts; a file that disappears or cannot be read keeps its last good content, with an
 * alarm. Only a file of a pattern that an administrator seems to have deleted ends, after a minute.
 * What is read goes into the store. Not thread-safe: {@link OperatorLists} owns it and holds the
 * lock.
 */
public final class ListFiles implements OperatorView {

  /** A file, or a pattern, of one list. */
  private record Place(ListKind list, Path path) {}

  private final List<Place> places = new ArrayList<>();
  private final WidthRules widths;
  private final InstantSource clock;
  private Map<Place, ListFile> loaded = new LinkedHashMap<>();
  private volatile List<Problem> badLines = List.of();
  private Map<Path, String> directoryAlarms = new LinkedHashMap<>();

  /** The folder of each pattern (device and number) that had a file of it at the last such look. */
  private final Map<Path, Object> foldersWithFiles = new HashMap<>();

  /**
   * Files to watch; nothing is read yet.
   *
   * @param widths rules that lines must keep unless they say {@code force=yes}
   */
  public ListFiles(List<Path> allow, List<Path> block, WidthRules widths, InstantSource clock) {
    allow.forEach(path -> places.add(new Place(ListKind.ALLOW, path)));
    block.forEach(path -> places.add(new Place(ListKind.BLOCK, path)));
    this.widths = widths;
    this.clock = clock;
  }

  /** Takes over files whose entries are in the store since an earlier run. */
  void adopt(Collection<ListFile> stored) {
    stored.forEach(file -> loaded.put(new Place(file.list(), file.path()), file));
  }

  /**
   * Looks at every file; reads and stores those that changed, and removes the entries of files that
   * are no longer list files.
   *
   * @return lines for the log; each event is reported once
   */
  List<String> poll(FileSync sync) {
    List<String> lines = new ArrayList<>();
    Map<Place, ListFile> now = new LinkedHashMap<>();
    present(lines)
        .forEach((place, ends) -> {
          ListFile file = loaded.getOrDefault(place, new ListFile(place.list(), place.path()));
          file.poll(widths, clock, sync, ends, lines);
          now.put(place, file);
        });
    for (Map.Entry<Place, ListFile> known : loaded.entrySet()) {
      if (!now.containsKey(known.getKey())
          && !dropped(known.getKey(), known.getValue(), sync, lines)) {
        now.put(known.getKey(), known.getValue());
      }
    }
    loaded = now;
    badLines = now.values().stream().flatMap(file -> file.badLines().stream()).toList();
    return lines;
  }

  /** Lines that were not taken at the last look; of a file with many the first. Any thread. */
  public List<Problem> badLines() {
    return badLines;
  }

  /**
   * Lines that are not taken of the files as they are now, for a reader that stores nothing. A file
   * that cannot be read has none.
   */
  public List<Problem> badLinesNow() {
    List<Problem> bad = new ArrayList<>();
    for (Place place : present(new ArrayList<>()).keySet()) {
      try {
        if (Files.isRegularFile(place.path())) {
          bad.addAll(
              EntryLines.forEach(place.list(), place.path(), widths, (_, _) -> {})
                  .badLines(place.path()));
        }
      } catch (IOException e) {
        // Who asks looks whether the files can be read, too.
      }
    }
    return bad;
  }

  private boolean dropped(Place place, ListFile file, FileSync sync, List<String> lines) {
    try {
      int ended = sync.drop(place.list(), place.path(), clock.instant());
      lines.add(
          "%s is %s: its %s of the %s list ended"
              .formatted(
                  place.path(),
                  file.goneForGood() ? "gone" : "no list file any more",
                  OperatorText.entries(ended),
                  place.list().key()));
      return true;
    } catch (OperatorListsException e) {
      lines.add("the entries of " + place.path() + " cannot be taken away: " + e.userMessage());
      return false;
    }
  }

  /** The files to look at now, for a reader that stores nothing. */
  List<Path> paths(ListKind list) {
    return present(new ArrayList<>()).keySet().stream()
        .filter(place -> place.list() == list)
        .map(Place::path)
        .toList();
  }

  /**
   * Reads the entries of the files as they are now, from the first to the last line at each
   * question, in constant memory: for the command line, where no gateway has them in its store. A
   * file that cannot be read has no entries. Any thread, while nothing calls {@link #poll}.
   */
  @Override
  public synchronized List<OperatorEntry> covering(ListKind list, ListKey key, Instant now) {
    List<OperatorEntry> found = new ArrayList<>();
    for (Path path : paths(list)) {
      try {
        Instant modified = Files.getLastModifiedTime(path).toInstant();
        EntryLines.forEach(
            list,
            path,
            widths,
            (line, entry) -> {
              if (entry.subject().covers(key)) {
                found.add(
                    entry.entry(
                        path.getFileName() + ":" + line, "file:" + path + ":" + line, modified));
              }
            });
      } catch (IOException e) {
        // The next file may be readable.
      }
    }
    found.removeIf(entry -> entry.expiredAt(now));
    found.sort(OperatorEntry.NARROWER_FIRST);
    return found;
  }

  /**
   * The files to look at, in the order of the settings, those of a pattern in name order; and
   * whether the entries of each end if it is missing.
   */
  private Map<Place, Boolean> present(List<String> lines) {
    Map<Path, String> alarms = new LinkedHashMap<>();
    Map<Place, Boolean> files = new LinkedHashMap<>();
    for (Place place : places) {
      Optional<FilePattern> pattern = FilePattern.of(place.path());
      if (pattern.isEmpty()) {
        files.put(place, false);
      } else {
        expand(place, pattern.get(), alarms)
            .forEach((path, ends) -> files.put(new Place(place.list(), path), ends));
      }
    }
    alarms.forEach((path, text) -> {
      if (!directoryAlarms.containsKey(path)) {
        lines.add(text);
      }
    });
    directoryAlarms = alarms;
    return files;
  }

  /**
   * A file that disappears from its folder was removed on purpose, if the folder can be read and is
   * the one that had files before: a folder whose file system is not mounted is another one. The
   * entries still stay for some looks, because the file is also missing while a program copies the
   * folder again.
   */
  private Map<Path, Boolean> expand(Place place, FilePattern pattern, Map<Path, String> alarms) {
    Map<Path, Boolean> paths = new TreeMap<>();
    List<Path> known =
        loaded.keySet().stream()
            .filter(file -> file.list() == place.list() && pattern.matches(file.path()))
            .map(Place::path)
            .toList();
    boolean ends = false;
    try {
      List<Path> found = pattern.files();
      Object folder = pattern.folder();
      if (!found.isEmpty()) {
        foldersWithFiles.put(place.path(), folder);
      }
      ends = folder.equals(foldersWithFiles.get(place.path()));
      if (!ends && !known.isEmpty()) {
        alarms.put(place.path(), withoutFiles(pattern));
      }
      for (Path path : found) {
        paths.put(path, ends);
      }
    } catch (IOException e) {
      alarms.put(place.path(), unreadable(pattern, e));
    }
    for (Path path : known) {
      ListFile file = loaded.get(new Place(place.list(), path));
      if (!ends || file == null || !file.goneForGood()) {
        paths.put(path, ends);
      }
    }
    return paths;
  }

  private static String withoutFiles(FilePattern pattern) {
    return ("no file of %s is in %s any more, as if its file system were not mounted; the last good"
            + " content stays; put a file of that pattern there to end it")
        .formatted(pattern.glob(), pattern.directory());
  }

  private static String unreadable(FilePattern pattern, IOException e) {
    return e instanceof FilePattern.MalformedException
        ? "%s is not a file pattern (%s); no file of %s is read for it"
            .formatted(pattern.glob(), e.getMessage(), pattern.directory())
        : "cannot list %s for %s (%s); the last good content stays"
            .formatted(pattern.directory(), pattern.glob(), e.getClass().getSimpleName());
  }

  /** Takes over what another instance knows of the same store. */
  void inherit(ListFiles old) {
    loaded.putAll(old.loaded);
    foldersWithFiles.putAll(old.foldersWithFiles);
  }

  /** Returns what is wrong now, one line each. */
  List<String> alarms() {
    List<String> alarms = new ArrayList<>(directoryAlarms.values());
    loaded.values().forEach(file -> alarms.addAll(file.alarms()));
    return alarms;
  }

  /**
   * A path whose last part is a pattern, as {@code /etc/bloomgate/allow.d/*.list}. Immutable; used
   * by {@link ListFiles} and {@link KnownGoodFiles}.
   */
  record FilePattern(Path directory, String glob) {

    private static final String PATTERN_CHARACTERS = "*?[{";

    /** The pattern of a configured path; empty when it names one file. */
    static Optional<FilePattern> of(Path path) {
      Path name = path.getFileName();
      Path directory = path.toAbsolutePath().getParent();
      if (name == null
          || directory == null
          || name.toString().chars().noneMatch(c -> PATTERN_CHARACTERS.indexOf(c) >= 0)) {
        return Optional.empty();
      }
      return Optional.of(new FilePattern(directory, name.toString()));
    }

    /** The last part of the path is no pattern; the message says why. */
    static final class MalformedException extends IOException {
      private static final long serialVersionUID = 1L;

      MalformedException(PatternSyntaxException cause) {
        super(cause.getDescription(), cause);
      }
    }

    /**
     * The files that match now, in name order.
     *
     * @throws MalformedException when there can be none, as a bracket is left open
     */
    List<Path> files() throws IOException {
      List<Path> found = new ArrayList<>();
      try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory, glob)) {
        stream.forEach(found::add);
      } catch (DirectoryIteratorException e) {
        throw e.getCause();
      } catch (PatternSyntaxException e) {
        throw new MalformedException(e);
      }
      found.sort(null);
      return found;
    }

    /**
     * Returns the identity of the folder: a mount or a rename changes it, what is in it does not.
     */
    Object folder() throws IOException {
      Object key = Files.readAttributes(directory, BasicFileAttributes.class).fileKey();
      return key == null ? directory : key;
    }

    /** True when the path would be found if it existed. */
    boolean matches(Path path) {
      Path name = path.getFileName();
      try {
        return name != null
            && directory.equals(path.getParent())
            && directory.getFileSystem().getPathMatcher("glob:" + glob).matches(name);
      } catch (PatternSyntaxException e) {
        return false;
      }
    }
  }
}
