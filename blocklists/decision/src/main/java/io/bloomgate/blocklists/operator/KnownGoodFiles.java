package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.generation.KnownGood;
import io.bloomgate.blocklists.operator.ListFiles.FilePattern;
import io.bloomgate.blocklists.operator.OperatorRules.Refusal;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.NamePattern;
import io.bloomgate.config.name.Subject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The files of {@code allow.known_good}, read once for one build: paths or patterns, in the form of
 * the other list files, of whose lines only the subject counts. A bad line and a file that cannot
 * be read are reported; the rest counts. Read by the feed-refresher; immutable, so that the build
 * and its check use the same set.
 *
 * @param contents the octets of each file
 */
public record KnownGoodFiles(Map<Path, byte[]> contents) implements KnownGood {

  /** Bound of all files together: they are held until the build is proven. */
  private static final long MAX_OCTETS = 64L << 20;

  /** Reads the files as they are now; what is wrong with files and lines goes to a consumer. */
  public static KnownGoodFiles read(List<Path> places, Consumer<String> problems) {
    Map<Path, byte[]> contents = new LinkedHashMap<>();
    long octets = 0;
    for (Path path : present(places, problems)) {
      try {
        long size = Files.size(path);
        if (octets + size > MAX_OCTETS) {
          problems.accept(
              path
                  + " is left out of the known-good set: its files are longer than "
                  + MAX_OCTETS
                  + " octets together");
        } else {
          octets += size;
          contents.put(path, Files.readAllBytes(path));
        }
      } catch (IOException e) {
        problems.accept(trouble(path, e));
      }
    }
    contents.forEach(
        (path, content) -> entries(content, (_, _) -> {}).problems(path).forEach(problems));
    return new KnownGoodFiles(contents);
  }

  /**
   * Returns a text that changes when one of the files does: names, sizes and times. For deciding
   * whether a build is out of date, without reading them.
   */
  public static String stamp(List<Path> places) {
    StringBuilder stamp = new StringBuilder();
    for (Path path : present(places, _ -> {})) {
      stamp.append(path);
      try {
        BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
        stamp.append(' ').append(attributes.size()).append(' ');
        stamp.append(attributes.lastModifiedTime()).append('\n');
      } catch (IOException e) {
        stamp.append(" missing\n");
      }
    }
    return stamp.toString();
  }

  private static Set<Path> present(List<Path> places, Consumer<String> problems) {
    Set<Path> paths = new LinkedHashSet<>();
    for (Path place : places) {
      Optional<FilePattern> pattern = FilePattern.of(place);
      try {
        paths.addAll(pattern.isEmpty() ? List.of(place) : pattern.get().files());
      } catch (IOException e) {
        problems.accept(trouble(place, e));
      }
    }
    return paths;
  }

  private static String trouble(Path path, IOException e) {
    if (e instanceof FilePattern.MalformedException) {
      return path + " is not a file pattern (" + e.getMessage() + "); no file is read for it";
    }
    return path
        + (e instanceof NoSuchFileException
            ? " does not exist"
            : " cannot be read (" + e.getClass().getSimpleName() + ")")
        + "; nothing of it is in the known-good set";
  }

  /** Gives every subject with its place, in file order. */
  @Override
  public void forEach(BiConsumer<? super Subject, String> subjects) {
    contents.forEach((path, content) -> {
      var _ =
          entries(content, (line, entry) -> subjects.accept(entry.subject(), path + ":" + line));
    });
  }

  /** The build asks for each member by itself. */
  private static Optional<Refusal> refusal(NewEntry entry) {
    return entry.subject() instanceof NamePattern
        ? Refusal.always(
            "a pattern is no member of the known-good set", "name domains or addresses")
        : Optional.empty();
  }

  private static EntryLines entries(byte[] content, EntryLines.Taker taker) {
    try {
      return EntryLines.forEach(
          ListKind.ALLOW, new ByteArrayInputStream(content), (entry, _) -> refusal(entry), taker);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // no octets in memory fail
    }
  }
}
