package io.bloomgate.cli;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.LiveWords;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.Values;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bloomgate tail}: decisions as they happen, until interrupted. */
@Command(
    description = "Show decisions as they happen, until interrupted.",
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME} --verdict reject"})
final class TailCommand implements Callable<Integer> {

  private static final int VERDICT_WIDTH = "would_greylist".length();

  private final Invocation in;

  @Option(
      names = "--verdict",
      paramLabel = "VERDICT",
      converter = Values.VerdictWord.class,
      completionCandidates = Values.VerdictWord.class,
      description =
          "only accept, tag, greylist, tempfail (with what mode soft put off in place of a reject)"
              + " or reject, or would_reject and so on of observe")
  private @Nullable String verdict;

  @Option(
      names = "--feed",
      paramLabel = "NAME",
      completionCandidates = LiveWords.Feeds.class,
      description = "only where this feed had a listing")
  private @Nullable String feed;

  TailCommand(Invocation in) {
    this.in = in;
  }

  @Override
  public Integer call() throws CliException {
    return in.follow(new ControlRequest.Tail(verdict, feed), TailCommand::show);
  }

  private static void show(JsonObject d, Output out) {
    StringBuilder line = new StringBuilder();
    line.append(time(d))
        .append(' ')
        .append(verdict(HumanText.value(d, "verdict"), out))
        .append(' ')
        .append(HumanText.value(d, "stage"))
        .append(' ')
        .append(HumanText.value(d, "client_ip"))
        .append(" from=")
        .append(HumanText.value(d, "from"))
        .append(" to=")
        .append(HumanText.value(d, "to"));
    append(line, d, "feed");
    append(line, d, "entry");
    append(line, d, "code");
    append(line, d, "outcome");
    append(line, d, "id");
    out.verbatim(line.toString());
  }

  private static void append(StringBuilder line, JsonObject d, String name) {
    d.get(name)
        .map(HumanText::value)
        .filter(v -> !v.isEmpty())
        .ifPresent(v -> line.append(' ').append(name).append('=').append(v));
  }

  /** The time of day in UTC. */
  private static String time(JsonObject d) {
    String text = HumanText.value(d, "ts");
    return text.length() >= 19 && text.charAt(10) == 'T' ? text.substring(11, 19) : text;
  }

  /** Colour has no width. */
  private static String verdict(String verdict, Output out) {
    return painted(verdict, out) + " ".repeat(Math.max(0, VERDICT_WIDTH - verdict.length()));
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
}
