package io.bloomgate.cli;

import io.bloomgate.cli.command.CliCommand;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Example;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.KeyValueText;
import io.bloomgate.cli.command.Output;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.SettingsResult;
import io.bloomgate.config.settings.yaml.EffectiveValue;
import io.bloomgate.config.settings.yaml.EffectiveValue.InForce;
import io.bloomgate.config.settings.yaml.SettingsText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code config show}: the values of the settings file, or with {@code --effective} those of the
 * gateway that runs with this file, where a command may have changed some.
 */
@Command(
    description = {
      "Print settings as a file that can be read back.",
      "--effective asks the gateway that runs with this file: a command may have set a mode, and"
          + " the file may be newer. Where none answers, and with --offline, the file is shown."
    })
@Example("--effective --origin")
final class ConfigShowCommand extends CliCommand {

  @ArgGroup private Which which = new Which();

  @Option(names = "--origin", description = "say where each value comes from")
  private boolean origin;

  /** The choice of values to show. */
  static final class Which {
    @Option(
        names = "--effective",
        description = "every value that is in force (default: every value of the file)")
    private boolean effective;

    @Option(names = "--default", description = "the defaults; no file is read")
    private boolean defaults;

    @Option(names = "--changed", description = "only what is not the default")
    private boolean changed;
  }

  @Override
  public Integer call() throws CliException {
    Output out = in.output();
    if (which.defaults) {
      if (out.human()) {
        out.line("# domains and downstream.host have no default: write yours");
      }
      show(out.json() ? SettingsFile.defaults() : SettingsFile.defaultsWithSamples(), out);
      return ExitCode.OK;
    }
    List<EffectiveValue> inForce =
        which.effective && !in.options().offline ? inForce(out) : List.of();
    if (!inForce.isEmpty()) {
      show(inForce, out);
      return ExitCode.OK;
    }
    Invocation.requireReadableSettings(in.options().configFile());
    switch (SettingsFile.load(in.options().configFile(), in.around().environment())) {
      case SettingsResult.Loaded loaded -> {
        loaded.warnings().forEach(w -> out.warn(w.toString()));
        if (out.human() && !loaded.settings().domainsFrom().isEmpty()) {
          out.verbatim("# " + loaded.settings().domainsFrom());
        }
        show(loaded.values().stream().filter(v -> !which.changed || v.changed()).toList(), out);
        return ExitCode.OK;
      }
      case SettingsResult.Invalid invalid -> {
        invalid.problems().forEach(p -> out.error(p.toString()));
        return ExitCode.NO;
      }
    }
  }

  /**
   * The values in force; empty when no gateway runs with this file, which is said beside the
   * answer.
   */
  private List<EffectiveValue> inForce(Output out) throws CliException {
    List<InForce> sent = new ArrayList<>();
    String why;
    try {
      if (ConfigDiffCommand.ask(in, sent::add) != ExitCode.OK) {
        sent.clear();
      }
      why = "no gateway runs with this file";
    } catch (CliException e) {
      if (e.exitCode() != ExitCode.UNREACHABLE && e.exitCode() != ExitCode.PERMISSION) {
        throw e;
      }
      why = "the gateway was not asked: " + e.getMessage();
    }
    Path file = in.options().configFile().toAbsolutePath().normalize();
    boolean other =
        sent.stream()
            .map(InForce::file)
            .anyMatch(used -> !used.isEmpty() && !Path.of(used).normalize().equals(file));
    if (sent.isEmpty() || other) {
      out.warn(why + "; these are the values of " + file);
      return List.of();
    }
    return sent.stream().map(InForce::effective).toList();
  }

  private void show(List<EffectiveValue> values, Output out) {
    if (out.human()) {
      SettingsText.render(values, origin).lines().forEach(out::verbatim);
      return;
    }
    for (EffectiveValue value : values) {
      JsonValue.ObjectBuilder object =
          JsonValue.object()
              .put("key", String.join(".", value.path()))
              .put("value", value.value())
              .put("changed", value.changed());
      if (origin) {
        object.put("origin", value.origin().toString());
      }
      out.item(object.build(), KeyValueText::show);
    }
  }
}
