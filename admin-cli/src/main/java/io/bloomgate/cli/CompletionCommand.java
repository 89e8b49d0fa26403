package io.bloomgate.cli;

import io.bloomgate.cli.command.CliCommand;
import io.bloomgate.cli.command.Example;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Values;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * {@code bloomgate completion}: a script that the shell sources. The script hands what is typed to
 * {@link Completion} and shows what that prints. Words from outside never pass through {@code
 * compgen -W} of bash, which would run what is in them.
 */
@Command(
    description = {
      "Print a completion script for a shell.",
      "For bash put it into /etc/bash_completion.d, for zsh into a file `_bloomgate` in a"
          + " folder of fpath, for fish into /etc/fish/completions/bloomgate.fish. Names of"
          + " feeds, ids of the last refusals and subjects of entries come from the running"
          + " gateway; without one they are not offered."
    })
@Example("bash > /etc/bash_completion.d/bloomgate")
final class CompletionCommand extends CliCommand {

  private static final String BASH =
      """
      # completion of bloomgate for bash; made by `bloomgate completion bash`
      _bloomgate() {
        local line=${COMP_LINE:0:COMP_POINT} word cut breaks=
        local -a typed
        read -r -a typed <<<"$line"
        [[ $line == *[[:space:]] ]] && typed+=("")
        local current=${typed[${#typed[@]} - 1]} program=${typed[0]/#\\~\\//$HOME/}
        local value=${current#--*=}
        local before=${current%"$value"}
        COMPREPLY=()
        while IFS=$'\\t' read -r word _; do
          if [[ $word == :files ]]; then
            compopt -o filenames 2>/dev/null
            while IFS= read -r word; do
              COMPREPLY+=("$before$word")
            done < <(compgen -f -- "$value")
          else
            COMPREPLY+=("$word")
          fi
        done < <("$program" __complete "${typed[@]:1}" 2>/dev/null </dev/null)
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

  /** It works as a file {@code _bloomgate} in {@code fpath} and when it is sourced. */
  private static final String ZSH =
      """
      #compdef bloomgate
      # completion of bloomgate for zsh; made by `bloomgate completion zsh`
      _bloomgate() {
        local word text files=
        local -a found
        while IFS=$'\\t' read -r word text; do
          if [[ $word == :files ]]; then
            files=yes
          else
            found+=("${word//:/\\\\:}${text:+:$text}")
          fi
        done < <(${(Q)~words[1]} __complete "${(@Q)words[2,CURRENT]}" 2>/dev/null </dev/null)
        (( $#found )) && _describe -t words word found
        if [[ -n $files ]]; then
          compset -P '--*='
          _files
        fi
      }
      if [[ "$funcstack[1]" = _bloomgate ]]; then
        _bloomgate "$@"
      elif (( $+functions[compdef] )); then
        compdef _bloomgate bloomgate
      fi
      """;

  private static final String FISH =
      """
      # completion of bloomgate for fish; made by `bloomgate completion fish`
      function __bloomgate_complete
          set -l typed (commandline -opc)
          set -l current (commandline -ct)
          for line in (command $typed[1] __complete $typed[2..-1] "$current" 2>/dev/null </dev/null)
              if test "$line" = :files
                  __fish_complete_path "$current"
              else
                  printf '%s\\n' $line
              end
          end
      end
      complete -c bloomgate -f -a '(__bloomgate_complete)'
      """;

  @Parameters(paramLabel = "SHELL", description = "bash, zsh or fish")
  private Values.Shell shell = Values.Shell.BASH;

  @Override
  public Integer call() {
    in.around()
        .out()
        .print(
            switch (shell) {
              case BASH -> BASH;
              case ZSH -> ZSH;
              case FISH -> FISH;
            });
    return ExitCode.OK;
  }
}
