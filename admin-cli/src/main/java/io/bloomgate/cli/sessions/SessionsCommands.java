package io.bloomgate.cli.sessions;

import io.bloomgate.blocklists.explain.ShownKey;
import io.bloomgate.blocklists.sessions.IncidentId;
import io.bloomgate.cli.command.CliCommand;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Example;
import io.bloomgate.cli.command.Group;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.KeyValueText;
import io.bloomgate.cli.command.LiveWords;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.ReadsFiles;
import io.bloomgate.cli.command.Subcommands;
import io.bloomgate.cli.command.Values;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bloomgate sessions}: what happened to each mail. */
@Command(
    description = {
      "Find what happened to mail: every transaction and every client that was turned away.",
      "The setting sessions.retain says how long they are kept."
    })
@Example("list --since 2h --to example.com")
public final class SessionsCommands extends Group {

  /** The group with its commands. */
  public static Subcommands tree() {
    return new Subcommands(new SessionsCommands()).add("list", Listing::new).add("show", Show::new);
  }

  /** {@code sessions list}. */
  @Command(description = "List sessions, newest first.")
  @Example("--from partner.example --verdict reject")
  static final class Listing extends CliCommand implements ReadsFiles {

    @Option(
        names = "--since",
        paramLabel = "TIME",
        description =
            "since 2h, \"10 min ago\", yesterday, 2026-12-01 or 2026-12-01T12:00:00Z (default:"
                + " 24h)")
    private String since = "24h";

    @Option(names = "--until", paramLabel = "TIME", description = "none that is as late as this")
    private @Nullable String until;

    @Option(names = "--client", paramLabel = "CIDR", description = "of this client or network")
    private @Nullable String client;

    @Option(
        names = "--from",
        paramLabel = "SENDER",
        description =
            "from this address or domain; .DOMAIN: the domain and all names below it; <>: no"
                + " sender")
    private @Nullable String from;

    @Option(
        names = "--to",
        paramLabel = "RECIPIENT",
        description =
            "to a domain or an address; of a mail for more than 20 recipients, only the first 20"
                + " are found")
    private @Nullable String to;

    @Option(
        names = "--verdict",
        paramLabel = "VERDICT",
        converter = Values.KeptVerdictWord.class,
        completionCandidates = Values.KeptVerdictWord.class,
        description =
            "only accept, tag, greylist, tempfail (with what mode soft put off in place of a"
                + " reject), reject, would_reject and so on of observe, or none")
    private @Nullable String verdict;

    @Option(
        names = "--feed",
        paramLabel = "NAME",
        completionCandidates = LiveWords.Feeds.class,
        description = "only where this list had a listing, * for any list")
    private @Nullable String feed;

    @Option(
        names = "--queue-id",
        paramLabel = "ID",
        description = "with this id in the reply of the mail server")
    private @Nullable String queueId;

    @Option(
        names = "--message-id",
        paramLabel = "ID",
        description = "with this Message-ID in the header; not kept with sessions.privacy")
    private @Nullable String messageId;

    @Option(names = "--limit", paramLabel = "N", description = "at most N sessions (default: 100)")
    private long limit = 100;

    @Override
    public Integer call() throws CliException {
      Instant begin = in.past("--since", since);
      Instant end = until == null ? null : in.past("--until", until);
      CliException.refuseIf(
          end != null && !end.isAfter(begin),
          "--until " + until + " is not later than --since " + since,
          "name the earlier time with --since");
      SessionQuestion question = new SessionQuestion(in);
      long[] shown = new long[1];
      int exitCode =
          question.table(
              new ControlRequest.SessionsList(
                  begin,
                  client,
                  from,
                  to,
                  verdict,
                  feed,
                  SessionQuestion.limit(limit),
                  end,
                  queueId,
                  messageId),
              begin,
              end,
              "TIME|ID|CLIENT|FROM|TO|VERDICT|OUTCOME|LIST",
              session -> {
                shown[0]++;
                return row(session, in.output().now());
              });
      Output out = in.output();
      if (out.human() && shown[0] == limit) {
        out.note("there may be more; --limit shows them");
      } else if (out.human() && exitCode == 0 && shown[0] == 0 && feed != null) {
        question.unknownList(feed).ifPresent(out::note);
      }
      return exitCode;
    }

    private static List<String> row(JsonObject session, Instant now) {
      return List.of(
          time(HumanText.value(session, "time"), now),
          HumanText.value(session, "id"),
          HumanText.value(session, "client_ip"),
          sender(session),
          recipients(session),
          verdict(session),
          HumanText.value(session, "outcome"),
          list(session));
    }

    /** The time to the second, on one line; with the year only where it is another one than now. */
    static String time(String text, Instant now) {
      String second = text.replaceFirst("T(.{8})(Z|[-+].*)$", "\u00a0$1");
      String year = now.toString().substring(0, 5);
      return second.startsWith(year) ? second.substring(year.length()) : second;
    }

    /**
     * The word that {@code --verdict} takes; with a mark where a list refused another recipient.
     */
    private static String verdict(JsonObject session) {
      String verdict = HumanText.value(session, "verdict");
      boolean spared = session.text("mode").filter("observe"::equals).isPresent();
      if (session.text("verdict").isEmpty()) {
        return "none"; // no list, but the relay check, the protocol, a limit or the mail server
      }
      boolean isOne = !verdict.equals("accept");
      String word = spared && isOne ? "would_" + verdict : verdict;
      return session.isTrue("refused_too") ? word + "+refused" : word;
    }

    /** The list that decided; in brackets one whose listing was lifted. */
    private static String list(JsonObject session) {
      return session
          .object("listing")
          .map(listing -> HumanText.value(listing, "feed"))
          .or(() ->
              session.elements("other_listings").stream()
                  .filter(JsonObject.class::isInstance)
                  .findFirst()
                  .map(listing -> "(" + HumanText.value((JsonObject) listing, "feed") + ")"))
          .orElse("-");
    }

    private static String sender(JsonObject session) {
      String from = HumanText.value(session, "from");
      return from.isEmpty() ? "<>" : from;
    }

    private static String recipients(JsonObject session) {
      long all = session.number("recipients").orElse(0);
      String first = HumanText.value(session, "to");
      return all > 1 ? first + " +" + (all - 1) : first.isEmpty() ? "-" : first;
    }
  }

  /** {@code sessions show}. */
  @Command(description = "Show all that was kept of one session.")
  @Example("7K3Q9ZT2AB")
  static final class Show extends CliCommand implements ReadsFiles {

    @Parameters(
        paramLabel = "ID",
        completionCandidates = LiveWords.Refusals.class,
        description = "the id in a refusal, log line or Received field")
    private String id = "";

    @Override
    public Integer call() throws CliException {
      return new SessionQuestion(in)
          .ask(new ControlRequest.SessionsShow(IncidentId.inRefusal(id)), Show::show);
    }

    private static void show(JsonObject session, Output out) {
      Map<String, JsonValue> members = new LinkedHashMap<>(session.members());
      List.of("listing", "other_listings")
          .forEach(name -> members.computeIfPresent(name, (_, value) -> readable(value)));
      KeyValueText.show(new JsonObject(members), out);
    }

    /** The listings without the hash of a text, which nobody reads. */
    private static JsonValue readable(JsonValue value) {
      return switch (value) {
        case JsonArray all -> new JsonArray(all.elements().stream().map(Show::readable).toList());
        case JsonObject listing -> {
          Map<String, JsonValue> members = new LinkedHashMap<>(listing.members());
          List<String> kind = List.of(listing.text("kind").orElse(""));
          for (String name : List.of("subject", "entry")) {
            listing
                .text(name)
                .ifPresent(text -> members.put(name, JsonValue.of(ShownKey.ofEntry(kind, text))));
          }
          yield new JsonObject(members);
        }
        default -> value;
      };
    }
  }
}
