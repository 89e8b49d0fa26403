package io.bloomgate.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/**
 * A completion script for fish from the command tree. A helper function in the script compares the
 * words typed so far with the path of a command, so that every level completes its own. Pure.
 */
final class FishCompletion {

  private static final String HEAD =
      """
      # completion of bloomgate for fish; made by `bloomgate completion fish`
      function __bloomgate_words
          set -l value no
          for word in (commandline -opc)[2..-1]
              if test $value = yes
                  set value no
              else if contains -- $word @VALUE_OPTIONS@
                  set value yes
              else if not string match -q -- '-*' $word
                  echo $word
              end
          end
      end
      function __bloomgate_at
          test (count $argv) -eq 0; and return 0
          set -l words (__bloomgate_words)
          test (count $words) -ge (count $argv); or return 1
          for i in (seq (count $argv))
              test "$words[$i]" = "$argv[$i]"; or return 1
          end
          return 0
      end
      function __bloomgate_exactly
          set -l words (__bloomgate_words)
          test (count $words) -eq (count $argv); and __bloomgate_at $argv
      end
      function __bloomgate_live
          set -l typed (commandline -opc)
          set -l asked
          for at in (seq 2 (count $typed))
              switch $typed[$at]
                  case -c --config --socket
                      set -a asked $typed[$at] $typed[(math $at + 1)]
                  case '--config=*' '--socket=*'
                      set -a asked $typed[$at]
              end
          end
          command $typed[1] $asked @COMPLETE@ $argv[1] 2>/dev/null </dev/null
      end
      complete -c bloomgate -f
      """;

  private FishCompletion() {}

  static String script(CommandLine root) {
    StringBuilder out =
        new StringBuilder(
            HEAD.replace("@VALUE_OPTIONS@", valueOptions(root))
                .replace("@COMPLETE@", CompleteCommand.NAME));
    append(out, root, List.of());
    return out.toString();
  }

  /** Global options whose value is the next word, which is not a command. */
  private static String valueOptions(CommandLine root) {
    return root.getCommandSpec().options().stream()
        .filter(o -> o.arity().max() > 0)
        .flatMap(o -> Arrays.stream(o.names()))
        .collect(Collectors.joining(" "));
  }

  private static void append(StringBuilder out, CommandLine command, List<String> path) {
    String here = String.join(" ", path);
    String exactly = "'__bloomgate_exactly" + (here.isEmpty() ? "" : " " + here) + "'";
    String at = "'__bloomgate_at" + (here.isEmpty() ? "" : " " + here) + "'";
    for (OptionSpec option : command.getCommandSpec().options()) {
      if (!option.hidden() && (path.isEmpty() || !option.inherited())) {
        option(out, option, at, command);
      }
    }
    command
        .getCommandSpec()
        .positionalParameters()
        .forEach(p -> {
          CompletionWords.fixed(p).forEach(c -> word(out, exactly, c, ""));
          live(out, p.arity().max() > 1 ? at : exactly, CompletionWords.live(p, command));
          if (CompletionWords.isFile(p)) {
            out.append("complete -c bloomgate -n ").append(at).append(" -F\n");
          }
        });
    for (Map.Entry<String, CommandLine> sub : command.getSubcommands().entrySet()) {
      if (!sub.getValue().getCommandSpec().usageMessage().hidden()) {
        word(out, exactly, sub.getKey(), firstLine(sub.getValue()));
        List<String> below = new ArrayList<>(path);
        below.add(sub.getKey());
        append(out, sub.getValue(), below);
      }
    }
  }

  private static void option(
      StringBuilder out, OptionSpec option, String condition, CommandLine command) {
    out.append("complete -c bloomgate -n ").append(condition);
    for (String name : option.names()) {
      out.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
    }
    List<String> words = CompletionWords.fixed(option);
    String live = CompletionWords.live(option, command);
    if (!live.isEmpty()) {
      out.append(" -x -a '(__bloomgate_live ").append(live).append(")'");
    } else if (!words.isEmpty()) {
      out.append(" -x -a ").append(quoted(String.join(" ", words)));
    } else if (option.arity().max() > 0) {
      out.append(" -r");
    }
    out.append(" -d ").append(quoted(String.join(" ", option.description()))).append('\n');
  }

  /** Words that the script asks the gateway for. */
  private static void live(StringBuilder out, String condition, String kind) {
    if (!kind.isEmpty()) {
      out.append("complete -c bloomgate -n ")
          .append(condition)
          .append(" -a '(__bloomgate_live ")
          .append(kind)
          .append(")'\n");
    }
  }

  private static void word(StringBuilder out, String condition, String word, String description) {
    out.append("complete -c bloomgate -n ")
        .append(condition)
        .append(" -a ")
        .append(quoted(word))
        .append(" -d ")
        .append(quoted(description))
        .append('\n');
  }

  private static String firstLine(CommandLine command) {
    String[] description = command.getCommandSpec().usageMessage().description();
    return description.length == 0 ? "" : description[0];
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
