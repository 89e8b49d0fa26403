package io.bloomgate.cli.feeds;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Exchange;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.LiveWords;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.Template;
import io.bloomgate.cli.command.TerminalText;
import io.bloomgate.cli.command.TextTable;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code feeds score}: the gateway counts what each feed did to the kept sessions. */
@Command(
    description = {
      "Count what each feed did to the kept sessions; needs the running gateway.",
      "The columns are: the hits of the feed, the hits that no other feed has, the feeds"
          + " that share most of its hits, accepted senders among the hits, and what was allowed"
          + " later.",
      "A sender is a client network (/24, /48) with a domain. Mail that a list would have refused"
          + " in mode enforce does not count as accepted; `bloomgate report` names its senders."
          + " SHARED WITH is the part of"
          + " the hits that the other feed has too. FETCHED is how much was downloaded in this"
          + " time. MEMORY is the feed's part of filters and index, by entries. Lists of good"
          + " senders have no score."
    },
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME} --since 7d"})
final class FeedsScoreCommand implements Callable<Integer> {

  private static final String HEADING =
      "FEED|ACTION|HITS|ONLY HERE|SHARED WITH|ACCEPTED SENDERS|LATER ALLOWED|DAYS STALE|ENTRIES"
          + "|FETCHED|MEMORY";
  private static final String ROW =
      "{feed}||{hits}|{only_here}||{accepted_senders}|{later_allowed}|{days_stale}|{entries}";
  private static final Set<Integer> NUMBERS = Set.of(2, 3, 5, 6, 7, 8, 9, 10);
  private static final int ACTION = 1;
  private static final int SHARED = 4;

  private final Invocation in;

  @Parameters(
      paramLabel = "NAME",
      completionCandidates = LiveWords.Feeds.class,
      arity = "0..*",
      description = "feeds as the settings name them (default: all)")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = {"sessions since 7d, 2026-12-01 or", "2026-12-01T12:00:00Z (default: 30d)"})
  private String since = "30d";

  FeedsScoreCommand(Invocation in) {
    this.in = in;
  }

  @Override
  public Integer call() throws CliException {
    Instant begin = in.past("--since", since);
    CliException.refuseIf(
        !begin.isBefore(in.output().now()),
        "--since " + since + " is not in the past",
        "write for example 7d");
    List<JsonObject> feeds = new ArrayList<>();
    Exchange.Whole answer =
        in.whole(new ControlRequest.FeedsScore(begin, names), (feed, o) -> feeds.add(feed));
    Output out = in.output();
    if (out.human() && !answer.failed()) {
      show(feeds, out);
    }
    return answer.exitCode();
  }

  private static void show(List<JsonObject> feeds, Output out) {
    if (feeds.isEmpty()) {
      out.line("no feeds");
      return;
    }
    out.line("{sessions} sessions since {since}", feeds.getFirst());
    TextTable table = new TextTable(Template.columns(HEADING), NUMBERS);
    for (JsonObject feed : feeds) {
      List<String> row = Template.cells(ROW, feed, out.now());
      row.set(ACTION, FeedsText.action(feed));
      row.set(SHARED, shared(feed));
      row.add(HumanText.size(feed, "fetched_octets"));
      row.add(HumanText.size(feed, "memory_octets"));
      table.row(row);
    }
    table.print(out);
    feeds.forEach(feed -> advice(feed, out));
  }

  private static String shared(JsonObject feed) {
    List<String> others =
        feed.objects("shared").stream()
            .map(other -> Template.fill("{feed} {percent} %", other))
            .toList();
    return others.isEmpty() ? "-" : String.join(", ", others);
  }

  /** A step back is loud. */
  static void advice(JsonObject feed, Output out) {
    String text =
        HumanText.value(feed, "feed") + ": " + TerminalText.safe(feed.text("advice").orElse(""));
    out.line(feed.isTrue("step_back") ? out.palette().bad(text) : text);
  }
}
