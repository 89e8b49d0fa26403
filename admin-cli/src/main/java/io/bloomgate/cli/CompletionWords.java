package io.bloomgate.cli;

import io.bloomgate.cli.command.LiveWords;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;

/** What may be written for an option or parameter, for the scripts of all three shells. Pure. */
final class CompletionWords {

  private CompletionWords() {}

  /** The words of a closed set; none when any text may come. */
  static List<String> fixed(ArgSpec arg) {
    List<String> words = new ArrayList<>();
    if (arg.completionCandidates() != null) {
      arg.completionCandidates().forEach(words::add);
    }
    return words;
  }

  /** What the gateway is asked for, as {@link CompleteCommand} takes it; empty for nothing. */
  static String live(ArgSpec arg, CommandLine command) {
    if (!(arg.completionCandidates() instanceof LiveWords live)) {
      return "";
    }
    return switch (live.kind()) {
      case FEEDS, REFUSALS -> live.kind().name().toLowerCase(Locale.ROOT);
      case ENTRIES -> command.getParent().getCommandName();
    };
  }

  static boolean isFile(ArgSpec arg) {
    boolean path =
        arg.type() == Path.class || Arrays.asList(arg.auxiliaryTypes()).contains(Path.class);
    return path
        || arg.completionCandidates() instanceof LiveWords.RefusalsOrFiles
        || arg.paramLabel().contains("FILE");
  }
}
