package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.blocklists.filter.AddableFilter;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.filter.RemovableFilter;
import io.bloomgate.blocklists.filter.kinds.FilterKinds;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.Keyed;
import io.bloomgate.config.name.Parsed;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * {@code bloomgate filter add} and {@code filter remove}: keys go into a filter file, or out of it.
 * The file is proven whole, changed in memory, written beside and renamed, so that it is the file
 * before the change or after it wherever the work stops. Two programs that change one file wait for
 * each other. Used on one thread.
 */
public final class FilterChange {

  /** More keys are a list, of which a filter is built. */
  private static final int MOST = 1_000_000;

  /** A rate that differs from another one in three digits. */
  private static final double ROUNDING = 1.005;

  /** The outcome for a key. */
  public enum Outcome implements Keyed {
    /** Added; it was certainly not inside before. */
    NEW,
    /** Added; it may have been inside before. */
    MAYBE,
    /** One of its additions is undone. */
    REMOVED,
    /** Not removed: it was certainly never added, or is given more often than added. */
    NEVER,
    /** Not removed, because another key of the call was never added. */
    UNCHANGED,
    /** Not removed: its counters overflowed, or nothing shows which part holds it. */
    KEPT
  }

  /** The change that is made with the keys. */
  public enum Verb implements Keyed {
    ADD,
    REMOVE
  }

  /**
   * One key's.
   *
   * @param key as it was given
   * @param overflowed true when a counter of the key is at its end and stays there
   */
  public record Answer(String key, Outcome outcome, boolean overflowed) {}

  /**
   * A text that is no key.
   *
   * @param number counted from 1
   * @param reason a short phrase without the text
   */
  public record Problem(int number, String reason) {}

  /**
   * The result of a change. Immutable.
   *
   * @param problems texts that are no keys; when there are any, nothing was changed
   * @param shape of the filter after it
   */
  public record Report(
      Path file, Verb verb, List<Answer> answers, List<Problem> problems, FilterShape shape) {

    /** The number of keys that had this outcome. */
    public long count(Outcome outcome) {
      return answers.stream().filter(a -> a.outcome == outcome).count();
    }

    /** The number of keys that have a counter that overflowed. */
    public long overflowed() {
      return answers.stream().filter(Answer::overflowed).count();
    }

    /** True when the filter has more false positives than it was made for. */
    public boolean passesAskedRate() {
      return shape.expectedRate() > ROUNDING * shape.askedRate();
    }

    /** One object, without the keys. */
    public JsonObject toJson() {
      JsonValue.ObjectBuilder object =
          JsonValue.object()
              .put("file", file.toString())
              .put("verb", verb.key())
              .put("keys", answers.size());
      List<Outcome> outcomes =
          verb == Verb.ADD
              ? List.of(Outcome.NEW, Outcome.MAYBE)
              : List.of(Outcome.REMOVED, Outcome.NEVER, Outcome.UNCHANGED, Outcome.KEPT);
      outcomes.forEach(outcome -> object.put(outcome.key(), count(outcome)));
      return object.put("overflowed", overflowed()).putAll(shape.toJson()).build();
    }
  }

  private final WorkbenchTools tools;

  public FilterChange(WorkbenchTools tools) {
    this.tools = tools;
  }

  /**
   * Reads the keys of a stream, one a line; a blank line is none, and keeps its number.
   *
   * @throws OfflineException when it cannot be read to its end, or has more than a million lines
   */
  public static List<Parsed<String>> lines(InputStream in) throws OfflineException {
    List<Parsed<String>> all = new ArrayList<>();
    Key.Lines lines = new Key.Lines(in);
    try {
      for (Parsed<String> line = lines.next(); line != null; line = lines.next()) {
        OfflineException.refuseIf(
            all.size() == MOST,
            "more than " + MOST + " keys for one change",
            "give them in parts, or build the filter of a list");
        all.add(line);
      }
    } catch (IOException e) {
      throw OfflineException.failed(
          "standard input cannot be read to its end; nothing was changed", "", e);
    }
    return all;
  }

  /**
   * Changes a file.
   *
   * @param texts of keys; blank ones are passed over where they are lines
   * @param areLines true for what {@link #lines} read
   * @throws OfflineException when that cannot be done as asked; then nothing was changed
   */
  public Report run(Path path, Verb verb, List<Parsed<String>> texts, boolean areLines)
      throws OfflineException {
    FilterFiles.requireFile(path);
    try {
      @Nullable Report report = null;
      while (report == null) {
        report = changed(path, verb, texts, areLines);
      }
      return report;
    } catch (AccessDeniedException e) {
      throw FilterFiles.unwritable(path, e);
    } catch (IOException e) {
      throw FilterFiles.unreadable(path, e);
    } catch (OutOfMemoryError e) {
      throw tools.tooLarge(path.toString());
    }
  }

  /** The change; {@code null} when another program replaced the file while this one waited. */
  private @Nullable Report changed(
      Path path, Verb verb, List<Parsed<String>> texts, boolean areLines)
      throws IOException, OfflineException {
    Path real = path.toRealPath();
    @Nullable Object named = fileKey(real);
    try (FileChannel channel =
            FileChannel.open(real, StandardOpenOption.READ, StandardOpenOption.WRITE);
        FileLock _ = channel.lock()) {
      if (!Objects.equals(named, fileKey(real))) {
        return null;
      }
      LoadedFilter loaded = LoadedFilter.read(path, channel, tools);
      Key.Hashes hashes = loaded.hashes();
      List<String> given = new ArrayList<>();
      List<Key> keys = new ArrayList<>();
      List<Problem> problems = new ArrayList<>();
      for (int i = 0; i < texts.size(); i++) {
        switch (Key.parse(texts.get(i), hashes.anyText())) {
          case Parsed.Ok<Key>(Key key, var _) -> {
            given.add(texts.get(i).toOptional().orElse(""));
            keys.add(key);
          }
          case Parsed.Bad<Key>(String reason) when areLines && reason.equals(Key.BLANK) -> {}
          case Parsed.Bad<Key>(String reason) -> problems.add(new Problem(i + 1, reason));
        }
      }
      if (!problems.isEmpty()) {
        return new Report(path, verb, List.of(), problems, loaded.shape());
      }
      FilterShape before = loaded.shape();
      MembershipFilter filter = FilterKinds.open(loaded.filter());
      long[] numbers = keys.parallelStream().mapToLong(hashes::hash).toArray();
      List<Answer> answers = new ArrayList<>();
      for (int i = 0; i < numbers.length; i++) {
        Outcome outcome =
            switch (verb) {
              case ADD -> add(loaded, filter, numbers[i], i);
              case REMOVE -> remove(loaded, filter, numbers[i]);
            };
        boolean overflowed =
            filter instanceof RemovableFilter counts && counts.overflowed(numbers[i]);
        answers.add(new Answer(given.get(i), outcome, overflowed));
      }
      if (answers.stream().anyMatch(answer -> answer.outcome == Outcome.NEVER)) {
        // Only what is in memory has changed.
        answers.replaceAll(FilterChange::undone);
        return new Report(path, verb, answers, List.of(), before);
      }
      write(filter, loaded, real);
      return new Report(path, verb, answers, List.of(), filter.shape());
    }
  }

  private static Answer undone(Answer answer) {
    return answer.outcome == Outcome.REMOVED
        ? new Answer(answer.key, Outcome.UNCHANGED, answer.overflowed)
        : answer;
  }

  private static @Nullable Object fileKey(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
  }

  private static Outcome add(LoadedFilter loaded, MembershipFilter filter, long hash, int index)
      throws OfflineException {
    if (!(filter instanceof AddableFilter open)) {
      throw wrongKind(
          loaded,
          "takes no further keys",
          "counting, scalable, scalable-counting, cuckoo, classic, split-block");
    }
    Outcome outcome = open.mightContain(hash) ? Outcome.MAYBE : Outcome.NEW;
    if (!open.add(hash)) {
      throw OfflineException.failed(
          "%s is full: it is made for %d keys, and key %d finds no room; nothing was changed"
              .formatted(loaded.path(), loaded.shape().capacity(), index + 1),
          "build a larger one of the lists (--entries), or one of kind scalable-counting");
    }
    return outcome;
  }

  private static Outcome remove(LoadedFilter loaded, MembershipFilter filter, long hash)
      throws OfflineException {
    if (!(filter instanceof RemovableFilter open)) {
      throw wrongKind(loaded, "gives no key back", "counting, scalable-counting, cuckoo");
    }
    return switch (open.remove(hash)) {
      case REMOVED -> Outcome.REMOVED;
      case ABSENT -> Outcome.NEVER;
      case KEPT -> Outcome.KEPT;
    };
  }

  private static void write(MembershipFilter filter, LoadedFilter loaded, Path real)
      throws OfflineException {
    try {
      Path beside = FilterFiles.Target.beside(real);
      try {
        FilterFile.write(beside, filter, loaded.file().keying());
        Files.setPosixFilePermissions(beside, Files.getPosixFilePermissions(real));
        DurableFiles.rename(beside, real);
      } finally {
        Files.deleteIfExists(beside);
      }
    } catch (IOException e) {
      throw FilterFiles.unwritable(loaded.path(), e);
    }
  }

  private static OfflineException wrongKind(LoadedFilter loaded, String what, String kinds) {
    return OfflineException.usage(
        loaded.path() + " is a filter of kind " + loaded.shape().kind().word() + ", which " + what,
        "kinds that do: " + kinds);
  }
}
