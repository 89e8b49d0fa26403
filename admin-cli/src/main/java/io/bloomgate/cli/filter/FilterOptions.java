package io.bloomgate.cli.filter;

import io.bloomgate.cli.command.Values;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Options that several commands for filters have, mixed into these. On the command's thread. */
final class FilterOptions {

  private FilterOptions() {}

  /** Refuses options that do not go together, or a value out of bounds. */
  static void require(CommandSpec spec, boolean holds, String otherwise) {
    if (!holds) {
      throw new ParameterException(spec.commandLine(), otherwise);
    }
  }

  /** The rate of a filter that is made of keys. */
  static final class Rate {

    private static final double USUAL_RATE = 0.001;

    @Option(
        names = "--fpp",
        paramLabel = "P",
        converter = Values.RateConverter.class,
        description = "ratio of false positives, a maybe for other keys (default: 0.001)")
    private double rate = USUAL_RATE;

    double rate() {
      return rate;
    }
  }

  /** The format of the lists that are read. */
  static final class ListFormat {

    @Option(
        names = "--format",
        paramLabel = "FORMAT",
        description = "of a list (`bloomgate feeds formats`), else it is found")
    private @Nullable String name;

    @Nullable String name() {
      return name;
    }
  }
}
