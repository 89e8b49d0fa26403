package io.bloomgate.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * A completion script for zsh from the command tree: a function for each command, by zsh's own
 * {@code _arguments}. It works as a file {@code _bloomgate} in {@code fpath} and when it is
 * sourced. Called by {@link CompletionCommand}; pure.
 */
final class ZshCompletion {

  private static final String HEAD =
      """
      #compdef bloomgate
      # completion of bloomgate for zsh; made by `bloomgate completion zsh`
      """;

  /**
   * A function that finds the gateway, as far as the line says where it is, and asks for what only
   * the gateway knows.
   */
  private static final String LIVE =
      """
      _bloomgate_live() {
        local word text
        local -a found
        while IFS=$'\\t' read -r word text; do
          found+=("${word//:/\\\\:}:$text")
        done < <($bloomgate_asked @COMPLETE@ $1 2>/dev/null </dev/null)
        _describe -t $1 $1 found
      }
      """;

  private static final String ASKED =
      """
        local -a bloomgate_asked=(${(Q)~words[1]})
        local -i at
        for ((at = 2; at < CURRENT; at++)); do
          case $words[at] in
            -c|--config|--socket) bloomgate_asked+=($words[at] ${(Q)words[at+1]}) ;;
            --config=*|--socket=*) bloomgate_asked+=(${(Q)words[at]}) ;;
          esac
        done
      """;

  private static final String FOOT =
      """
      if [[ "$funcstack[1]" = _bloomgate ]]; then
        _bloomgate "$@"
      elif (( $+functions[compdef] )); then
        compdef _bloomgate bloomgate
      fi
      """;

  private final StringBuilder out = new StringBuilder(HEAD);

  private ZshCompletion() {}

  static String script(CommandLine root) {
    ZshCompletion completion = new ZshCompletion();
    completion.out.append(LIVE.replace("@COMPLETE@", CompleteCommand.NAME));
    completion.command(root, "_bloomgate");
    return completion.out.append(FOOT).toString();
  }

  private void command(CommandLine command, String function) {
    List<Map.Entry<String, CommandLine>> below =
        command.getSubcommands().entrySet().stream()
            .filter(sub -> !sub.getValue().getCommandSpec().usageMessage().hidden())
            .toList();
    out.append(function).append("() {\n").append(function.equals("_bloomgate") ? ASKED : "");
    List<String> specs = new ArrayList<>();
    for (OptionSpec option : command.getCommandSpec().options()) {
      if (!option.hidden()) {
        option(specs, option, command);
      }
    }
    if (below.isEmpty()) {
      for (PositionalParamSpec parameter : command.getCommandSpec().positionalParameters()) {
        specs.add(parameter(parameter, command));
      }
      arguments("_arguments -s", specs);
    } else {
      out.append("  local context state state_descr line\n  typeset -A opt_args\n");
      specs.add(quoted("1: :->command"));
      specs.add(quoted("*::word:->words"));
      arguments("_arguments -C", specs);
      choice(below, function);
    }
    out.append("}\n");
    below.forEach(sub -> command(sub.getValue(), function + "_" + sub.getKey()));
  }

  private void arguments(String how, List<String> specs) {
    out.append("  ").append(how);
    specs.forEach(spec -> out.append(" \\\n    ").append(spec));
    out.append('\n');
  }

  private void choice(List<Map.Entry<String, CommandLine>> below, String function) {
    out.append("  case $state in\n    command)\n      local -a commands=(\n");
    for (Map.Entry<String, CommandLine> sub : below) {
      String text = sub.getKey() + ":" + firstLine(sub.getValue());
      out.append("        ").append(quoted(text)).append('\n');
    }
    out.append(
        "      )\n      _describe command commands ;;\n    words)\n      case $line[1] in\n");
    for (Map.Entry<String, CommandLine> sub : below) {
      String name = sub.getKey();
      out.append("        ").append(name).append(") ").append(function).append('_').append(name);
      out.append(" ;;\n");
    }
    out.append("      esac ;;\n  esac\n");
  }

  /** One spec for each spelling; an option given in one spelling is not offered in the other. */
  private static void option(List<String> specs, OptionSpec option, CommandLine command) {
    String others = option.isMultiValue() ? "*" : "(" + String.join(" ", option.names()) + ")";
    String text = "[" + escaped(String.join(" ", option.description())) + "]";
    String value =
        option.arity().max() > 0 ? ":" + label(option) + ":" + action(option, command) : "";
    for (String name : option.names()) {
      specs.add(quoted(others + name + text + value));
    }
  }

  private static String parameter(PositionalParamSpec parameter, CommandLine command) {
    return quoted("*:" + label(parameter) + ":" + action(parameter, command));
  }

  /** A space means that there are no words to offer. */
  private static String action(ArgSpec arg, CommandLine command) {
    String live = CompletionWords.live(arg, command);
    if (!live.isEmpty()) {
      String ask = "_bloomgate_live " + live;
      return CompletionWords.isFile(arg) ? "{" + ask + "; _files}" : " " + ask;
    }
    List<String> words = CompletionWords.fixed(arg);
    if (!words.isEmpty()) {
      return "(" + String.join(" ", words) + ")";
    }
    return CompletionWords.isFile(arg) ? "_files" : " ";
  }

  private static String label(ArgSpec arg) {
    return escaped(arg.paramLabel()).replace(":", "\\:");
  }

  private static String firstLine(CommandLine command) {
    String[] description = command.getCommandSpec().usageMessage().description();
    return description.length == 0 ? "" : description[0];
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]");
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
