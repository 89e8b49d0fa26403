package io.bloomgate.config.settings.yaml;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The facts that a reading of the settings may ask besides the text. Made by {@code SettingsFile};
 * asked by binders on the thread that reads.
 *
 * @param base folder that relative paths count from
 * @param hostname the machine's name, asked only for {@code hostname: auto}
 * @param files how the files that the text names are read
 * @param shownUrl makes of an address what {@code config show} may print
 * @param owners names the sections that have a key, for one that is in a wrong section
 */
public record Surroundings(
    Path base,
    Supplier<String> hostname,
    Reading files,
    UnaryOperator<String> shownUrl,
    Function<List<String>, List<String>> owners) {

  /** The ways of reading the files that a text names. */
  public enum Reading {
    /** Not at all: the text may be for another machine. */
    OFF,
    /** A file of domains that lost more than half of its names keeps those of before. */
    GUARDED,
    /** A person has said that the files of domains are right. */
    ACCEPTED
  }

  /** The facts of a text that may be for another machine: no file that it names is looked at. */
  public static Surroundings elsewhere(Path base) {
    return new Surroundings(
        base, () -> "localhost.localdomain", Reading.OFF, UnaryOperator.identity(), _ -> List.of());
  }

  /** True when the files with keys that the text names are looked at. */
  public boolean looks() {
    return files != Reading.OFF;
  }
}
