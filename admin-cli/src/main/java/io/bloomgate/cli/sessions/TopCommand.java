package io.bloomgate.cli.sessions;

import io.bloomgate.cli.command.CliCommand;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Example;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.ReadsFiles;
import io.bloomgate.cli.command.Template;
import io.bloomgate.cli.command.Values;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bloomgate top}: what occurs most often in the sessions of a time. */
@Command(
    description = {
      "Count sessions by list, client, network, domain or limit, the largest count first.",
      "Or show the campaigns: mails of which many copies come, where content.bulk is set.",
      "By feed, a session counts once for each list that names it, also where an allow entry lifted"
          + " the listing.",
      "By spared, it shows senders of mail that only mode observe let pass, known senders first:"
          + " look at these before `bloomgate mode enforce`."
    })
@Example({"--by network --since 7d", "--by campaign", "--by spared --since 7d"})
public final class TopCommand extends CliCommand implements ReadsFiles {

  private static final String CAMPAIGN_COLUMNS =
      "COPIES|NETWORKS|SENDERS|RECIPIENTS|CAMPAIGN|SESSION|FIRST|LAST";

  private static final String SPARED_COLUMNS = "SESSIONS|KNOWN|NETWORK|SENDER DOMAIN|FEEDS|ID";

  @Option(
      names = "--by",
      paramLabel = "WHAT",
      converter = Values.TopWord.class,
      completionCandidates = Values.TopWord.class,
      description = {
        "feed, client, network, sender-domain, rcpt-domain, limit, campaign or spared",
        "(default: feed)"
      })
  private String by = "feed";

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description =
          "since 24h, 2026-12-01 or 2026-12-01T12:00:00Z; not for campaigns, which have the window"
              + " of content.bulk (default: 24h)")
  private String since = "24h";

  @Option(names = "--limit", paramLabel = "N", description = "at most N rows (default: 20)")
  private long limit = 20;

  @Override
  public Integer call() throws CliException {
    if (by.equals(Values.TopWord.CAMPAIGN)) {
      return ofGateway(
          new ControlRequest.CampaignsTop(SessionQuestion.limit(limit)), CAMPAIGN_COLUMNS, "");
    }
    if (by.equals(Values.TopWord.SPARED)) {
      return ofGateway(
          new ControlRequest.SparedTop(in.past("--since", since), SessionQuestion.limit(limit)),
          SPARED_COLUMNS,
          "no mail that lists would refuse was let pass");
    }
    Instant begin = in.past("--since", since);
    return new SessionQuestion(in)
        .table(
            new ControlRequest.SessionsTop(by, begin, SessionQuestion.limit(limit)),
            begin,
            null,
            "SESSIONS|" + by.toUpperCase(Locale.ROOT),
            row ->
                List.of(
                    Long.toString(row.number("sessions").orElse(0)), HumanText.value(row, "what")));
  }

  private int ofGateway(ControlRequest request, String columns, String none) throws CliException {
    CliException.refuseIf(
        in.options().offline,
        "the memory of the running gateway is needed for this",
        "leave --offline out");
    return in.table(request, columns, row -> cells(row, Template.columns(columns)), none);
  }

  private static List<String> cells(JsonObject row, List<String> columns) {
    return columns.stream()
        .map(column -> HumanText.value(row, column.toLowerCase(Locale.ROOT).replace(' ', '_')))
        .toList();
  }
}
