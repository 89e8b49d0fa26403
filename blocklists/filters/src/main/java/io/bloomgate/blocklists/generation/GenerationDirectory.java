package io.bloomgate.blocklists.generation;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.bloomgate.blocklists.file.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Names in the directory of generations: ten or more digits for a generation, {@code CURRENT} for
 * the pointer, and marks for what is being built or was found damaged. Used by {@link
 * SnapshotStore}, and by the offline commands for reading.
 */
final class GenerationDirectory {

  private static final String CURRENT = "CURRENT";

  /** Octets of the file that names the live generation: a number. */
  private static final int MOST_CURRENT_OCTETS = 1024;

  private static final String BUILDING = ".building-";
  private static final String DAMAGED = "damaged-";
  private static final Pattern NUMBERED =
      Pattern.compile("(|" + DAMAGED + "|\\" + BUILDING + ")([0-9]{10,18})");

  private final Path root;

  GenerationDirectory(Path root) {
    this.root = root;
  }

  Path root() {
    return root;
  }

  static String digits(long generation) {
    return String.format(Locale.ROOT, "%010d", generation);
  }

  /** The folder of a finished generation. */
  Path path(long generation) {
    return root.resolve(digits(generation));
  }

  /** The path where a generation is built; nothing reads it there. */
  Path building(long generation) {
    return root.resolve(BUILDING + digits(generation));
  }

  /** The path where a damaged generation is kept for inspection, until the next one is damaged. */
  Path damaged(long generation) {
    return root.resolve(DAMAGED + digits(generation));
  }

  /** Finished generations, newest first. */
  List<Long> generations() throws IOException {
    return numbers("");
  }

  /** Damaged generations, newest first. */
  List<Long> damagedOnes() throws IOException {
    return numbers(DAMAGED);
  }

  /** Generations whose build did not end, newest first. */
  List<Long> unfinishedOnes() throws IOException {
    return numbers(BUILDING);
  }

  private List<Long> numbers(String mark) throws IOException {
    List<Long> found = new ArrayList<>();
    try (Stream<Path> names = Files.list(root)) {
      names.forEach(path -> {
        Matcher matcher = NUMBERED.matcher(String.valueOf(path.getFileName()));
        if (matcher.matches() && matcher.group(1).equals(mark)) {
          found.add(Long.parseLong(matcher.group(2)));
        }
      });
    } catch (NoSuchFileException e) {
      return List.of();
    }
    found.sort(Comparator.reverseOrder());
    return found;
  }

  /** The number that the pointer names; empty when it is missing or unreadable as a number. */
  OptionalLong pointer() throws IOException {
    try {
      byte[] octets = DurableFiles.read(root.resolve(CURRENT), MOST_CURRENT_OCTETS);
      String text = new String(octets, US_ASCII).strip();
      return NUMBERED.matcher(text).matches() && Character.isDigit(text.charAt(0))
          ? OptionalLong.of(Long.parseLong(text))
          : OptionalLong.empty();
    } catch (NoSuchFileException e) {
      return OptionalLong.empty();
    }
  }

  /** The generation that counts: the one the pointer names, else the newest. */
  OptionalLong current() throws IOException {
    OptionalLong pointer = pointer();
    if (pointer.isPresent() && Files.isDirectory(path(pointer.getAsLong()))) {
      return pointer;
    }
    return generations().stream().mapToLong(Long::longValue).findFirst();
  }

  /** Lets the pointer name a generation, durably. */
  void pointTo(long generation) throws IOException {
    DurableFiles.replace(root.resolve(CURRENT), (digits(generation) + "\n").getBytes(US_ASCII));
  }

  /** A number above every one that was ever used. */
  long next() throws IOException {
    long highest = pointer().orElse(0);
    for (List<Long> used : List.of(generations(), damagedOnes())) {
      highest = Math.max(highest, used.isEmpty() ? 0 : used.getFirst());
    }
    return highest + 1;
  }
}
