package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
import io.bloomgate.config.name.ListKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The list files of {@code allow.files} and {@code block.files}: paths, or patterns in the last
 * part of a path ({@code allow.d/*.list}). Read again when they change; a bad line is reported and
 * the rest counts; a file that disappears or cannot be read keeps its last good content, with an
 * alarm. What is read goes into the store. Not thread-safe: {@link OperatorLists} owns it and holds
 * the lock.
 */
public final class ListFiles {

  /** A file, or a pattern, of one list. */
  private record Place(ListKind list, Path path) {}

  private final List<Place> places = new ArrayList<>();
  private final WidthRules widths;
  private final InstantSource clock;
  private Map<Place, ListFile> loaded = new LinkedHashMap<>();
  private Map<Path, String> directoryAlarms = new LinkedHashMap<>();

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

  /** The rules of these settings. */
  WidthRules widths() {
    return widths;
  }

  /** Takes over files whose entries are in the store since an earlier run. */
  void adopt(Collection<FileTable.Row> stored) {
    for (FileTable.Row row : stored) {
      loaded.put(new Place(row.list(), row.path()), ListFile.stored(row));
    }
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
    for (Place place : present(lines)) {
      ListFile file = loaded.getOrDefault(place, new ListFile(place.list(), place.path()));
      file.poll(widths, clock, sync, lines);
      now.put(place, file);
    }
    for (Map.Entry<Place, ListFile> known : loaded.entrySet()) {
      if (!now.containsKey(known.getKey()) && !dropped(known.getKey(), sync, lines)) {
        now.put(known.getKey(), known.getValue());
      }
    }
    loaded = now;
    return lines;
  }

  private static boolean dropped(Place place, FileSync sync, List<String> lines) {
    try {
      sync.drop(place.list(), place.path());
      return true;
    } catch (OperatorListsException e) {
      lines.add("the entries of " + place.path() + " cannot be taken away: " + e.userMessage());
      return false;
    }
  }

  /** The files to look at now, for a reader that stores nothing. */
  List<Path> paths(ListKind list) {
    return present(new ArrayList<>()).stream()
        .filter(place -> place.list() == list)
        .map(Place::path)
        .toList();
  }

  /**
   * The entries of the files as they are now, read from the first to the last line at each
   * question, in constant memory: for the command line, where no gateway has them in its store. A
   * file that cannot be read has no entries. Any thread, while nothing calls {@link #poll}.
   */
  OperatorView view() {
    return this::covering;
  }

  private synchronized List<OperatorEntry> covering(ListKind list, ListKey key, Instant now) {
    List<OperatorEntry> found = new ArrayList<>();
    for (Path path : paths(list)) {
      try {
        Instant modified = Files.getLastModifiedTime(path).toInstant();
        FileContent.forEach(
            list,
            path,
            widths,
            (line, entry) -> {
              if (entry.subject().covers(key)) {
                found.add(
                    entry.entry(
                        path.getFileName() + ":" + line, "file:" + path + ":" + line, modified));
              }
              return true;
            });
      } catch (IOException e) {
        // The next file may be readable.
      }
    }
    found.removeIf(entry -> entry.expiredAt(now));
    found.sort(OperatorEntry.NARROWER_FIRST);
    return found;
  }

  /** The files to look at, in the order of the settings; those of a pattern in name order. */
  private Set<Place> present(List<String> lines) {
    Map<Path, String> alarms = new LinkedHashMap<>();
    Set<Place> files = new LinkedHashSet<>();
    for (Place place : places) {
      Optional<FilePattern> pattern = FilePattern.of(place.path());
      if (pattern.isEmpty()) {
        files.add(place);
      } else {
        expand(place, pattern.get(), alarms)
            .forEach(path -> files.add(new Place(place.list(), path)));
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
   * A file that disappears from a readable directory was removed on purpose. Its entries still stay
   * for a few more looks, because the file is also missing for a moment when an editor saves by
   * rename.
   */
  private Set<Path> expand(Place place, FilePattern pattern, Map<Path, String> alarms) {
    Set<Path> paths = new TreeSet<>();
    boolean readable = true;
    try {
      paths.addAll(pattern.files());
    } catch (IOException e) {
      readable = false;
      alarms.put(place.path(), unreadable(pattern, e));
    }
    for (Map.Entry<Place, ListFile> known : loaded.entrySet()) {
      Place file = known.getKey();
      if (file.list() == place.list()
          && pattern.matches(file.path())
          && !(readable && known.getValue().goneForGood())) {
        paths.add(file.path());
      }
    }
    return paths;
  }

  private static String unreadable(FilePattern pattern, IOException e) {
    if (e instanceof FilePattern.MalformedException) {
      return pattern.glob()
          + " is not a file pattern ("
          + e.getMessage()
          + "); no file of "
          + pattern.directory()
          + " is read for it";
    }
    return "cannot list "
        + pattern.directory()
        + " for "
        + pattern.glob()
        + " ("
        + e.getClass().getSimpleName()
        + "); the last good content stays";
  }

  /** Takes over what another instance knows of the same store. */
  void inherit(ListFiles old) {
    loaded.putAll(old.loaded);
  }

  /** What is wrong now, one line each. */
  List<String> alarms() {
    List<String> alarms = new ArrayList<>(directoryAlarms.values());
    loaded.values().forEach(file -> alarms.addAll(file.alarms()));
    return alarms;
  }
}
