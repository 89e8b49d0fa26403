package io.bloomgate.cli;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Example;
import io.bloomgate.cli.command.Group;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.LiveWords;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.Template;
import io.bloomgate.cli.command.Values;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.notation.TerminalText;
import io.bloomgate.config.settings.Mode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The commands that ask the running gateway one thing and print what it says. Below {@code
 * bloomgate} itself, as methods of {@link RootCommand}; one thread.
 */
@Command(addMethodSubcommands = false)
abstract class GatewayCommands extends Group {

  private static final int VERDICT_WIDTH = "would_greylist".length();
  private static final int STATE_WIDTH = 5;
  private static final int CHECK_WIDTH = 12;

  /** Says it for monitors: exit 0 when ready, 1 when not, 3 when not there. */
  @Command(description = "Say whether the gateway is ready: exit code 0 or 1.")
  @Example("--timeout 2s")
  int health() throws CliException {
    return in.ask(
        new ControlRequest.Health(),
        (item, out) -> {
          String state =
              item.isTrue("ready") ? out.palette().good("ready") : out.palette().bad("not ready");
          String reason = item.text("reason").or(() -> item.text("problem")).orElse("");
          out.line(reason.isEmpty() ? state : state + ": " + TerminalText.safe(reason));
          if (!item.elements("feeds_bad").isEmpty()) {
            out.line("feeds in trouble: {feeds_bad}; `bloomgate status` says why", item);
          }
          if (item.text("fleet").isPresent()) {
            out.line("Redis fails: {fleet}", item);
          }
        });
  }

  @Command(description = "Show decisions as they happen, until interrupted.")
  @Example("--verdict reject")
  int tail(
      @Option(
              names = "--verdict",
              paramLabel = "VERDICT",
              converter = Values.VerdictWord.class,
              completionCandidates = Values.VerdictWord.class,
              description =
                  "only accept, tag, greylist, tempfail (with what mode soft put off in place of a"
                      + " reject) or reject, or would_reject and so on of observe")
          @Nullable String verdict,
      @Option(
              names = "--feed",
              paramLabel = "NAME",
              completionCandidates = LiveWords.Feeds.class,
              description = "only where this feed had a listing")
          @Nullable String feed)
      throws CliException {
    return in.follow(new ControlRequest.Tail(verdict, feed), GatewayCommands::showDecision);
  }

  private static void showDecision(JsonObject d, Output out) {
    String time = HumanText.value(d, "ts");
    boolean whole = time.length() >= 19 && time.charAt(10) == 'T';
    String verdict = HumanText.value(d, "verdict");
    String padded = verdict + " ".repeat(Math.max(0, VERDICT_WIDTH - verdict.length()));
    StringBuilder line = new StringBuilder(whole ? time.substring(11, 19) : time);
    line.append(' ').append(padded.replace(verdict, painted(verdict, out)));
    line.append(Template.fill(" {stage} {client_ip} from={from} to={to}", d));
    for (String name : List.of("feed", "entry", "code", "outcome", "id")) {
      d.get(name)
          .map(HumanText::value)
          .filter(v -> !v.isEmpty())
          .ifPresent(v -> line.append(' ').append(name).append('=').append(v));
    }
    out.verbatim(line.toString());
  }

  private static String painted(String verdict, Output out) {
    return switch (verdict) {
      case "reject" -> out.palette().bad(verdict);
      case "tempfail",
          "greylist",
          "tag",
          "would_tempfail",
          "would_greylist",
          "would_tag",
          "would_reject" ->
          out.palette().warn(verdict);
      default -> verdict;
    };
  }

  @Command(
      description = {
        "Show who changed entries, feeds, the mode or settings, newest first.",
        "Drain and resume are records too; of a reload the changed settings are named.",
        "The last 100,000 changes are kept; an import is one record for each piece."
      })
  @Example("--since 7d")
  int audit(
      @Option(
              names = "--since",
              paramLabel = "TIME",
              description = {"only records since 7d, 2026-12-01 or", "2026-12-01T12:00:00Z"})
          @Nullable String since,
      @Option(names = "--limit", paramLabel = "N", description = "at most N records")
          @Nullable Long limit)
      throws CliException {
    CliException.refuseIf(
        limit != null && limit < 1, "--limit is below 1", "give a number of records");
    Instant begin = since == null ? null : in.past("--since", since);
    return in.table(
        new ControlRequest.Audit(begin, limit == null ? Long.MAX_VALUE : limit),
        "TIME|WHO|COMMAND|WHAT",
        record -> Template.cells("{time}|{author}|{command}|{subject}", record, Instant.EPOCH),
        "no changes");
  }

  /** Sets what is done with verdicts, at once; it survives a reload. */
  @Command(
      description = {
        "Set at once what is done with verdicts; without MODE show what is done now.",
        "observe: verdicts are only logged; soft: mail is refused for now (4xx); enforce: mail is"
            + " refused."
      })
  @Example("observe --for 1h")
  int mode(
      @Parameters(paramLabel = "MODE", arity = "0..1", description = "observe, soft or enforce")
          @Nullable Mode mode,
      @Option(
              names = "--for",
              paramLabel = "TIME",
              converter = Values.SpanConverter.class,
              description = "the former mode returns after this time, for example 1h")
          @Nullable Duration duration)
      throws CliException {
    if (mode == null) {
      CliException.refuseIf(
          duration != null, "--for needs a mode", "for example `bloomgate mode observe --for 1h`");
      return in.collect(
          new ControlRequest.Status(),
          status -> in.output().item(modeOfStatus(status), GatewayCommands::showMode));
    }
    return in.ask(
        new ControlRequest.SetMode(mode, duration),
        (item, out) -> {
          showMode(item, out);
          String word = mode.key();
          if (duration == null && !item.text("configured").orElse(word).equals(word)) {
            // A command does not change the file, and the file counts at the next start.
            boolean known = in.options().socket == null;
            String file = known ? in.options().configFile().toString() : "its file";
            out.note(
                "until the next restart; write `mode: " + word + "` into " + file + " to keep it");
          }
        });
  }

  private static JsonObject modeOfStatus(JsonObject status) {
    return JsonValue.object()
        .putAll(status)
        .put("configured", status.text("mode_configured").orElse("-"))
        .put("until", status.text("mode_until").orElse(null))
        .build();
  }

  private static void showMode(JsonObject item, Output out) {
    boolean known = !item.text("configured").orElse("-").equals("-");
    out.line(
        "mode {mode}"
            + (item.text("until").isPresent() ? ", until {until} ({@until})" : "")
            + (known ? " (settings say {configured})" : ""),
        item);
  }

  /**
   * Prints a line for each check, and below a failed check how to fix it; exit 1 when one fails.
   */
  @Command(
      description = {
        "Look at the gateway, its mail server and its feeds, and say what to fix.",
        "Without an option everything is checked. No mail is sent. Exit code 1 when a check fails.",
        "A check that has not ended after 3 s is given up, and the answer says so."
      })
  @Example("--open-relay --identity")
  int doctor(
      @Option(
              names = "--open-relay",
              description = "does the gateway or the mail server relay for everybody?")
          boolean openRelay,
      @Option(
              names = "--identity",
              description = "does the mail server learn the client's address?")
          boolean identity,
      @Option(names = "--tls", description = "the certificate: chain, end, name") boolean tls,
      @Option(names = "--feeds", description = "are the lists as new as they should be?")
          boolean feeds)
      throws CliException {
    return in.ask(
        new ControlRequest.Doctor(openRelay, identity, tls, feeds), GatewayCommands::showCheck);
  }

  private static void showCheck(JsonObject item, Output out) {
    String state = HumanText.value(item, "state");
    String padded = padded(state, STATE_WIDTH);
    String painted =
        switch (state) {
          case "ok" -> out.palette().good(padded);
          case "warn" -> out.palette().warn(padded);
          default -> out.palette().bad(padded);
        };
    out.line(
        painted + padded(HumanText.value(item, "check"), CHECK_WIDTH) + "{where}: {what}", item);
    if (!item.text("mend").orElse("").isEmpty()) {
      out.line(" ".repeat(STATE_WIDTH + CHECK_WIDTH) + "-> " + HumanText.value(item, "mend"));
    }
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(Math.max(1, width - text.length()));
  }

  @Command(
      description = {
        "Take no more mail, and let messages in flight finish.",
        "New and idle sessions get 421; health says not ready, until resume or a restart."
      })
  @Example("&& bloomgate status")
  int drain() throws CliException {
    return in.ask(new ControlRequest.Drain(), GatewayCommands::showService);
  }

  @Command(description = "Take mail again after drain.")
  @Example("")
  int resume() throws CliException {
    return in.ask(new ControlRequest.Resume(), GatewayCommands::showService);
  }

  private static void showService(JsonObject item, Output out) {
    String state =
        item.isTrue("draining")
            ? out.palette().warn("draining")
            : out.palette().good("taking mail");
    out.line(state + ", {sessions} sessions open", item);
  }
}
