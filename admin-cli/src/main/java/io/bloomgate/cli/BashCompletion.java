package io.bloomgate.cli;

import io.bloomgate.cli.manual.CommandPage;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ScopeType;

/**
 * A completion script for bash from the command tree: tables of what each command takes, and one
 * function that reads the line. It needs no other package. Words from outside never pass through
 * {@code compgen -W}, which would run what is in them. Called by {@link CompletionCommand}; pure.
 */
final class BashCompletion {

  private static final String HEAD =
      """
      # completion of bloomgate for bash; made by `bloomgate completion bash`
      """;

  private static final String FOOT =
      """
      _bloomgate() {
        local line=${COMP_LINE-} option= prefix= value= path= word cut= breaks= i
        local below options valued words live files
        local -a typed asked=()
        if [[ -n $line ]]; then
          line=${line:0:COMP_POINT}
        else
          line="${COMP_WORDS[*]:0:COMP_CWORD+1}"
        fi
        read -r -a typed <<<"$line"
        [[ $line == *[[:space:]] ]] && typed+=("")
        local last=$((${#typed[@]} - 1))
        local current=${typed[last]} program=${typed[0]/#\\~\\//$HOME/}
        _bloomgate_at ""
        for ((i = 1; i < last; i++)); do
          word=${typed[i]}
          if [[ -n $option ]]; then
            case $option in -c | --config | --socket) asked+=("$option" "$word") ;; esac
            option=
            continue
          fi
          case $word in
            --config=* | --socket=*) asked+=("$word") ;;
            --*=*) ;;
            -*) [[ " $valued " == *" $word "* ]] && option=$word ;;
            *) [[ " $below " == *" $word "* ]] && path+=/$word && _bloomgate_at "$path" ;;
          esac
        done
        value=$current
        if [[ -z $option && $current == --*=* ]]; then
          option=${current%%=*}
          prefix=$option=
          value=${current#*=}
        fi
        if [[ -n $option ]]; then
          below= words= live= files=
          _bloomgate_value "$path $option"
        elif [[ $current == -* ]]; then
          below= words=$options live= files=
        fi
        COMPREPLY=()
        for word in $below $words; do
          [[ $word == "$value"* ]] && COMPREPLY+=("$prefix$word")
        done
        if [[ -n $live ]]; then
          while IFS=$'\\t' read -r word _; do
            [[ $word == "$value"* ]] && COMPREPLY+=("$prefix$word")
          done < <("$program" "${asked[@]}" @COMPLETE@ "$live" 2>/dev/null </dev/null)
        fi
        if [[ -n $files ]]; then
          compopt -o filenames 2>/dev/null
          while IFS= read -r word; do
            COMPREPLY+=("$prefix$word")
          done < <(compgen -f -- "$value")
        fi
        # Bash replaces only what follows the last of these characters.
        [[ $COMP_WORDBREAKS == *=* ]] && breaks+==
        [[ $COMP_WORDBREAKS == *:* ]] && breaks+=:
        if [[ -n $breaks && $current == *[$breaks]* ]]; then
          cut=${current%"${current##*[$breaks]}"}
          COMPREPLY=("${COMPREPLY[@]#"$cut"}")
        fi
      }
      complete -F _bloomgate bloomgate
      """;

  private final StringBuilder commands = new StringBuilder();
  private final StringBuilder values = new StringBuilder();

  private BashCompletion() {}

  static String script(CommandLine root) {
    BashCompletion completion = new BashCompletion();
    completion.command(root, "");
    // A command may use the name of a global option for another one, so the global ones come last.
    root.getCommandSpec().options().forEach(option -> completion.value("*", option, root));
    return HEAD
        + "_bloomgate_at() {\n  below= options= valued= words= live= files=\n  case $1 in\n"
        + completion.commands
        + "  esac\n}\n_bloomgate_value() {\n  case $1 in\n"
        + completion.values
        + "  esac\n}\n"
        + FOOT.replace("@COMPLETE@", CompleteCommand.NAME);
  }

  private void command(CommandLine command, String path) {
    CommandSpec spec = command.getCommandSpec();
    List<CommandLine> below = CommandPage.visible(command);
    commands.append("    '").append(path).append("')\n");
    set(
        "below",
        String.join(" ", below.stream().map(CommandLine::getCommandName).toList()),
        commands);
    set("options", names(spec.options().stream()), commands);
    set("valued", names(spec.options().stream().filter(o -> o.arity().max() > 0)), commands);
    spec.positionalParameters().forEach(parameter -> words(parameter, command, commands));
    commands.append("      ;;\n");
    spec.options().stream()
        .filter(option -> option.scopeType() != ScopeType.INHERIT)
        .forEach(option -> value(path, option, command));
    below.forEach(sub -> command(sub, path + "/" + sub.getCommandName()));
  }

  private void value(String path, OptionSpec option, CommandLine command) {
    StringBuilder taken = new StringBuilder();
    words(option, command, taken);
    if (option.arity().max() > 0) {
      String start = path.equals("*") ? "*' " : "'" + path + " ";
      for (String name : option.names()) {
        values.append("    ").append(start).append(name).append("')\n");
        values.append(taken.isEmpty() ? "      :\n" : taken).append("      ;;\n");
      }
    }
  }

  private static void words(ArgSpec arg, CommandLine command, StringBuilder out) {
    String live = CompletionWords.live(arg, command);
    set("live", live, out);
    set("words", String.join(" ", CompletionWords.fixed(arg)), out);
    set("files", CompletionWords.isFile(arg) ? "yes" : "", out);
  }

  private static void set(String variable, String text, StringBuilder out) {
    if (!text.isEmpty()) {
      out.append("      ").append(variable).append("='").append(text).append("'\n");
    }
  }

  private static String names(Stream<OptionSpec> options) {
    return String.join(
        " ",
        options
            .filter(option -> !option.hidden())
            .flatMap(option -> Arrays.stream(option.names()))
            .toList());
  }
}
