package io.bloomgate.cli;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.Values;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.Mode;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bloomgate mode}: what is done with verdicts, at once; survives a reload. */
@Command(
    description = {
      "Set at once what is done with verdicts; without MODE show what is done now.",
      "observe: verdicts are only logged; soft: mail is refused for now (4xx); enforce: mail is"
          + " refused."
    },
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME} observe --for 1h"})
final class ModeCommand implements Callable<Integer> {

  private final Invocation in;

  @Parameters(
      paramLabel = "MODE",
      arity = "0..1",
      converter = Values.ModeWord.class,
      completionCandidates = Values.ModeWord.class,
      description = "observe, soft or enforce")
  private @Nullable Mode mode;

  @Option(
      names = "--for",
      paramLabel = "TIME",
      converter = Values.SpanConverter.class,
      description = "the former mode returns after this time, for example 1h")
  private @Nullable Duration duration;

  ModeCommand(Invocation in) {
    this.in = in;
  }

  @Override
  public Integer call() throws CliException {
    Mode wanted = mode;
    if (wanted != null) {
      return in.ask(
          new ControlRequest.SetMode(wanted, duration),
          (item, out) -> {
            show(item, out);
            noteRestart(wanted, item, out);
          });
    }
    if (duration != null) {
      throw new CliException(
          ExitCode.USAGE, "--for needs a mode", "for example `bloomgate mode observe --for 1h`");
    }
    return in.collect(
        new ControlRequest.Status(),
        status -> in.output().item(ofStatus(status), ModeCommand::show));
  }

  /** A command does not change the file, and the file counts at the next start. */
  private void noteRestart(Mode wanted, JsonObject item, Output out) {
    String word = wanted.key();
    if (duration == null && !item.text("configured").orElse(word).equals(word)) {
      String file = in.options().socket == null ? in.options().configFile().toString() : "its file";
      out.note("until the next restart; write `mode: " + word + "` into " + file + " to keep it");
    }
  }

  private static JsonObject ofStatus(JsonObject status) {
    return JsonValue.object()
        .putAll(status)
        .put("configured", status.text("mode_configured").orElse("-"))
        .put("until", status.text("mode_until").orElse(null))
        .build();
  }

  private static void show(JsonObject item, Output out) {
    String until =
        item.text("until").isEmpty()
            ? ""
            : ", until "
                + HumanText.value(item, "until")
                + " ("
                + HumanText.distance(item, "until", out.now())
                + ")";
    String configured = HumanText.value(item, "configured");
    String beside = configured.equals("-") ? "" : " (settings say " + configured + ")";
    out.line("mode " + HumanText.value(item, "mode") + until + beside);
  }
}
