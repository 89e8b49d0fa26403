package io.bloomgate.cli;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Example;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Group;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.KeyValueText;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.Subcommands;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.notation.TerminalText;
import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.SettingsResult;
import io.bloomgate.config.settings.yaml.Problem;
import io.bloomgate.config.settings.yaml.Problem.Severity;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code bloomgate config}: the settings file and what is in force; {@code reload} puts it there.
 */
@Command(
    description = "Check and show the settings, and put them into force.",
    addMethodSubcommands = false)
@Example("validate")
final class ConfigCommands extends Group {

  /** The group with its commands, in the order of the help. */
  static Subcommands tree() {
    return new Subcommands(new ConfigCommands())
        .add("validate")
        .add("show", ConfigShowCommand::new)
        .add("diff", ConfigDiffCommand::new)
        .add("reload");
  }

  @Command(description = "Name every mistake of a settings file with line, column and a hint.")
  @Example("/etc/bloomgate/bloomgate.yaml")
  int validate(
      @Parameters(
              paramLabel = "FILE",
              arity = "0..1",
              description = "the file (default: that of --config)")
          @Nullable Path file)
      throws CliException {
    Path checked = file == null ? in.options().configFile() : file;
    Invocation.requireReadableSettings(checked);
    Output out = in.output();
    List<Problem> problems = new ArrayList<>();
    String domains = "";
    switch (SettingsFile.load(checked, in.around().environment())) {
      case SettingsResult.Invalid invalid -> problems.addAll(invalid.problems());
      case SettingsResult.Loaded loaded -> {
        // A draft in another place need not be readable for the gateway.
        boolean inUse = checked.toAbsolutePath().equals(in.options().configFile().toAbsolutePath());
        problems.addAll(loaded.warnings());
        problems.addAll(NamedFiles.of(loaded, checked, inUse, out.now()));
        domains = loaded.settings().domainsFrom();
      }
    }
    for (Problem problem : problems) {
      out.item(JsonRecords.of(problem), (_, o) -> o.line(painted(problem, o)));
    }
    long errors = problems.stream().filter(p -> p.severity() == Severity.ERROR).count();
    long warnings = problems.size() - errors;
    if (out.json()) {
      // The last object; a file without mistakes gets one too.
      JsonValue.ObjectBuilder verdict =
          JsonValue.object()
              .put("file", checked.toString())
              .put("valid", errors == 0)
              .put("errors", errors)
              .put("warnings", warnings);
      out.item(
          (domains.isEmpty() ? verdict : verdict.put("domains", domains)).build(),
          KeyValueText::show);
    } else {
      out.line(
          problems.isEmpty()
              ? TerminalText.safe(checked.toString()) + ": no mistakes"
              : count(errors, "error") + ", " + count(warnings, "warning"));
      if (!domains.isEmpty()) {
        out.line(TerminalText.safe(domains));
      }
    }
    boolean missing = file != null && Files.notExists(file);
    return errors == 0 ? ExitCode.OK : missing ? ExitCode.USAGE : ExitCode.NO;
  }

  private String painted(Problem problem, Output out) {
    String text = TerminalText.safe(in.options().inCommands(problem.toString()));
    return problem.severity() == Severity.ERROR
        ? out.palette().bad(text)
        : out.palette().warn(text);
  }

  private static String count(long number, String word) {
    return number + " " + word + (number == 1 ? "" : "s");
  }

  @Command(description = "Let the gateway read its settings again; a bad file changes nothing.")
  @Example("")
  int reload(
      @Option(
              names = "--accept-domains",
              description = "take a file of `domains` that lost more than half of its names")
          boolean acceptDomains)
      throws CliException {
    return in.ask(
        new ControlRequest.ConfigReload(acceptDomains),
        (item, out) -> out.line("reloaded, mode {mode}", item));
  }
}
