package io.bloomgate.cli;

import io.bloomgate.cli.command.LiveWords;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;

/**
 * The words that may be written for an option or parameter, for the scripts of all three shells.
 * Pure.
 */
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

  /** The question to the gateway, as {@link CompleteCommand} takes it; empty for nothing. */
  static String live(ArgSpec arg, CommandLine command) {
    if (!(arg.completionCandidates() instanceof LiveWords live)) {
      return "";
    }
    return switch (live.kind()) {
      case FEEDS, REFUSALS -> live.kind().key();
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
