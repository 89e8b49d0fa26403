package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.filter.AddableFilter;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.filter.RemovableFilter;
import io.bloomgate.blocklists.filter.kinds.FilterKinds;
import io.bloomgate.blocklists.workbench.FilterChangeReport.Answer;
import io.bloomgate.blocklists.workbench.FilterChangeReport.Outcome;
import io.bloomgate.blocklists.workbench.FilterChangeReport.Verb;
import io.bloomgate.blocklists.workbench.OfflineException.Kind;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.name.Subject;
import java.io.IOException;
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
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * {@code bloomgate filter add} and {@code filter remove}: keys go into a filter file, or out of it.
 * The file is proven whole, changed in memory, written beside and renamed, so that it is the file
 * before the change or after it wherever the work stops. Two programs that change one file wait for
 * each other. Used on one thread.
 */
public final class FilterChange {

  private final WorkbenchTools tools;

  public FilterChange(WorkbenchTools tools) {
    this.tools = tools;
  }

  /**
   * Changes a file.
   *
   * @param keys without problems
   * @throws OfflineException when that cannot be done as asked; then nothing was changed
   */
  public FilterChangeReport run(Path path, Verb verb, FilterKeys keys) throws OfflineException {
    InputFiles.requireFilter(path);
    try {
      Optional<FilterChangeReport> report = Optional.empty();
      while (report.isEmpty()) {
        report = changed(path, path.toRealPath(), verb, keys);
      }
      return report.get();
    } catch (AccessDeniedException e) {
      throw InputFiles.unwritable(path, e);
    } catch (IOException e) {
      throw InputFiles.unreadable(path, e);
    } catch (OutOfMemoryError e) {
      throw tools.tooLarge(path.toString());
    }
  }

  /**
   * Changes the file; empty when another program replaced it while this one waited for its lock.
   */
  private Optional<FilterChangeReport> changed(Path path, Path real, Verb verb, FilterKeys keys)
      throws IOException, OfflineException {
    @Nullable Object named = fileKey(real);
    try (FileChannel channel =
            FileChannel.open(real, StandardOpenOption.READ, StandardOpenOption.WRITE);
        FileLock _ = channel.lock()) {
      if (!Objects.equals(named, fileKey(real))) {
        return Optional.empty();
      }
      if (!tools.canHold(channel.size())) {
        throw tools.tooLarge(path.toString());
      }
      LoadedFilter loaded =
          new LoadedFilter(path, FilterKinds.read(PagedFile.open(real, channel)), channel.size());
      FilterShape before = loaded.shape();
      List<Answer> answers =
          switch (verb) {
            case ADD -> add(loaded, keys);
            case REMOVE -> remove(loaded, keys);
          };
      if (answers.stream().anyMatch(answer -> answer.outcome() == Outcome.NEVER)) {
        // Only what is in memory has changed.
        List<Answer> undone = answers.stream().map(FilterChange::undone).toList();
        return Optional.of(new FilterChangeReport(path, verb, undone, before));
      }
      write(loaded, real);
      return Optional.of(new FilterChangeReport(path, verb, answers, loaded.shape()));
    }
  }

  private static Answer undone(Answer answer) {
    return answer.outcome() == Outcome.REMOVED
        ? new Answer(answer.key(), Outcome.UNCHANGED, answer.overflowed())
        : answer;
  }

  private static @Nullable Object fileKey(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
  }

  private static List<Answer> add(LoadedFilter loaded, FilterKeys keys) throws OfflineException {
    if (!(loaded.filter() instanceof AddableFilter filter)) {
      throw wrongKind(
          loaded, "takes no further keys", "counting, scalable, scalable-counting, cuckoo");
    }
    SubjectHash hash = loaded.hash();
    List<Answer> answers = new ArrayList<>();
    for (String key : keys.keys()) {
      long number = number(hash, key);
      Outcome outcome = filter.mightContain(number) ? Outcome.MAYBE : Outcome.NEW;
      if (!filter.add(number)) {
        throw full(loaded, answers.size());
      }
      answers.add(new Answer(key, outcome, overflowed(filter, number)));
    }
    return answers;
  }

  private static List<Answer> remove(LoadedFilter loaded, FilterKeys keys) throws OfflineException {
    if (!(loaded.filter() instanceof RemovableFilter filter)) {
      throw wrongKind(loaded, "gives no key back", "counting, scalable-counting, cuckoo");
    }
    SubjectHash hash = loaded.hash();
    List<Answer> answers = new ArrayList<>();
    for (String key : keys.keys()) {
      long number = number(hash, key);
      Outcome outcome =
          switch (filter.remove(number)) {
            case REMOVED -> Outcome.REMOVED;
            case ABSENT -> Outcome.NEVER;
            case KEPT -> Outcome.KEPT;
          };
      answers.add(new Answer(key, outcome, overflowed(filter, number)));
    }
    return answers;
  }

  private static boolean overflowed(MembershipFilter filter, long hash) {
    return filter instanceof RemovableFilter counts && counts.overflowed(hash);
  }

  private static long number(SubjectHash hash, String key) {
    return switch (FilterQuery.parse(key)) {
      case Parsed.Ok<Subject>(Subject subject, var ignored) -> hash.subject(subject);
      case Parsed.Bad<Subject>(String reason) ->
          throw new IllegalArgumentException("keys with problems change nothing: " + reason);
    };
  }

  private static void write(LoadedFilter loaded, Path real) throws OfflineException {
    try (FileBeside beside = FileBeside.of(real, FilterTarget.MODE)) {
      FilterFile.write(beside.path(), loaded.filter(), loaded.file().keying());
      Files.setPosixFilePermissions(beside.path(), Files.getPosixFilePermissions(real));
      DurableFiles.rename(beside.path(), real);
    } catch (IOException e) {
      throw InputFiles.unwritable(loaded.path(), e);
    }
  }

  private static OfflineException wrongKind(LoadedFilter loaded, String what, String kinds) {
    return new OfflineException(
        Kind.USAGE,
        loaded.path() + " is a filter of kind " + loaded.shape().kind().word() + ", which " + what,
        "kinds that do: " + kinds);
  }

  private static OfflineException full(LoadedFilter loaded, int done) {
    FilterShape shape = loaded.shape();
    return new OfflineException(
        Kind.FAILED,
        loaded.path()
            + " is full: it is made for "
            + shape.capacity()
            + " keys, and key "
            + (done + 1)
            + " finds no room; nothing was changed",
        "build a larger one of the lists, or one of kind scalable-counting");
  }
}
