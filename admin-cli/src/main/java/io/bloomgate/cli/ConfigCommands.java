package io.bloomgate.cli;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Group;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.KeyValueText;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.Subcommands;
import io.bloomgate.cli.command.TerminalText;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.Problem;
import io.bloomgate.config.settings.Problem.Severity;
import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.SettingsResult;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code bloomgate config}: the settings file and what is in force; {@code reload} puts it there.
 */
@Command(
    description = "Check and show the settings, and put them into force.",
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME} validate"})
final class ConfigCommands extends Group {

  /** The group with its commands, in the order of the help. */
  static Subcommands tree(Invocation in) {
    Subcommands below = new Subcommands(new ConfigCommands());
    below.add("validate", () -> new Validate(in));
    below.add("show", () -> new ConfigShowCommand(in));
    below.add("diff", () -> new ConfigDiffCommand(in));
    below.add("reload", () -> new Reload(in));
    return below;
  }

  /** Every problem of a file; the result says whether it can be used. */
  private static boolean print(List<Problem> problems, Invocation in, Output out) {
    for (Problem problem : problems) {
      out.item(JsonRecords.of(problem), (item, o) -> o.line(painted(problem, in, o)));
    }
    return problems.stream().noneMatch(p -> p.severity() == Severity.ERROR);
  }

  private static String painted(Problem problem, Invocation in, Output out) {
    String text = TerminalText.safe(in.options().inCommands(problem.toString()));
    return problem.severity() == Severity.ERROR
        ? out.palette().bad(text)
        : out.palette().warn(text);
  }

  /** {@code config validate}. */
  @Command(
      description = "Name every mistake of a settings file with line, column and a hint.",
      footer = {"", "Example:", "  ${COMMAND-FULL-NAME} /etc/bloomgate/bloomgate.yaml"})
  static final class Validate implements Callable<Integer> {
    private final Invocation in;

    @Parameters(
        paramLabel = "FILE",
        arity = "0..1",
        description = "the file (default: that of --config)")
    private @Nullable Path file;

    Validate(Invocation in) {
      this.in = in;
    }

    @Override
    public Integer call() throws CliException {
      Path checked = file == null ? in.options().configFile() : file;
      Invocation.requireReadableSettings(checked);
      SettingsResult read = SettingsFile.load(checked, in.around().environment());
      List<Problem> problems =
          switch (read) {
            case SettingsResult.Loaded loaded ->
                Stream.concat(
                        loaded.warnings().stream(),
                        NamedFiles.of(loaded, checked, isInUse(checked), in.output().now())
                            .stream())
                    .toList();
            case SettingsResult.Invalid invalid -> invalid.problems();
          };
      Output out = in.output();
      boolean usable = print(problems, in, out);
      String domains =
          read instanceof SettingsResult.Loaded loaded ? loaded.settings().domainsFrom() : "";
      if (!out.json()) {
        out.line(summary(checked, problems));
        if (!domains.isEmpty()) {
          out.line(TerminalText.safe(domains));
        }
      } else {
        out.item(verdict(checked, usable, problems, domains), KeyValueText::show);
      }
      return usable ? ExitCode.OK : ExitCode.NO;
    }

    /** A draft in another place need not be readable for the gateway. */
    private boolean isInUse(Path checked) {
      return checked.toAbsolutePath().equals(in.options().configFile().toAbsolutePath());
    }

    /** The last object; a file without mistakes gets one too. */
    private static JsonObject verdict(
        Path file, boolean usable, List<Problem> problems, String domains) {
      JsonValue.ObjectBuilder verdict =
          JsonValue.object()
              .put("file", file.toString())
              .put("valid", usable)
              .put("errors", errors(problems))
              .put("warnings", problems.size() - errors(problems));
      return (domains.isEmpty() ? verdict : verdict.put("domains", domains)).build();
    }

    private static long errors(List<Problem> problems) {
      return problems.stream().filter(p -> p.severity() == Severity.ERROR).count();
    }

    private static String summary(Path file, List<Problem> problems) {
      long errors = errors(problems);
      long warnings = problems.size() - errors;
      if (problems.isEmpty()) {
        return TerminalText.safe(file.toString()) + ": no mistakes";
      }
      return count(errors, "error") + ", " + count(warnings, "warning");
    }

    private static String count(long number, String word) {
      return number + " " + word + (number == 1 ? "" : "s");
    }
  }

  /** {@code config reload}. */
  @Command(
      description = "Let the gateway read its settings again; a bad file changes nothing.",
      footer = {"", "Example:", "  ${COMMAND-FULL-NAME}"})
  static final class Reload implements Callable<Integer> {
    private final Invocation in;

    @Option(
        names = "--accept-domains",
        description = "take a file of `domains` that lost more than half of its names")
    private boolean acceptDomains;

    Reload(Invocation in) {
      this.in = in;
    }

    @Override
    public Integer call() throws CliException {
      return in.ask(
          new ControlRequest.ConfigReload(acceptDomains),
          (item, out) -> out.line("reloaded, mode " + HumanText.value(item, "mode")));
    }
  }
}
