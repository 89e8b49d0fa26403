package io.bloomgate.cli.feeds;

import io.bloomgate.blocklists.OfflineFeeds;
import io.bloomgate.blocklists.generation.FeedCounts;
import io.bloomgate.blocklists.guard.FeedOverlap;
import io.bloomgate.cli.command.CliCommand;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Example;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.OfflineLists;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.TextTable;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.notation.Quantities;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bloomgate feeds overlap}: reads the last generation and the kept versions in the state
 * directory as its caller, with or without a running gateway. Two lists that copy each other are
 * one opinion; this finds them.
 */
@Command(
    description = {
      "Measure how much the live feeds share, and which of them list good senders.",
      "Up to 4,096 entries of each feed are looked up in all others. Two lists that copy"
          + " each other are one opinion: give both the same `family`, and rules count them"
          + " once. DNS lists are left out. The command reads the state directory with the"
          + " rights of its caller.",
      "Exit code 0: no two feeds share half of their entries, 4: some do and are not of"
          + " one family."
    })
@Example("--known-good good.list")
final class FeedsOverlapCommand extends CliCommand {

  @Option(
      names = "--known-good",
      paramLabel = "FILE",
      description = "files of good senders, in place of allow.known_good of the settings")
  private List<Path> knownGood = new ArrayList<>();

  @Override
  public Integer call() throws CliException {
    Settings settings = in.settings();
    Invocation.requireReadableState(settings.stateDir());
    for (Path file : knownGood) {
      Invocation.requireReadable(file);
    }
    Report report = new Report(settings.feeds(), measure(settings));
    if (report.feeds().isEmpty()) {
      throw CliException.no("no feed is live yet", "`bloomgate feeds refresh` loads the lists");
    }
    in.output().item(report.toJson(), (_, out) -> show(report, out));
    if (!settings.feeds().dnsLists().isEmpty()) {
      in.output().note("DNS lists are not compared: they answer only about senders who come");
    }
    return report.joinable().isEmpty() ? ExitCode.OK : ExitCode.PARTLY;
  }

  private FeedOverlap measure(Settings settings) throws CliException {
    try (OfflineFeeds feeds = OfflineLists.feeds(in, Optional.of(settings))) {
      return feeds.overlap(
          knownGood.isEmpty() ? settings.allow().knownGood() : knownGood,
          warning -> in.output().warn("warning: " + warning));
    } catch (IOException e) {
      throw CliException.no(
          "the feeds cannot be compared: " + Faults.words(e),
          "become root or the gateway's user; a refresh may have replaced a version meanwhile",
          e);
    }
  }

  /**
   * The answer of {@code feeds overlap}. Immutable.
   *
   * @param settings of the feeds
   * @param measured by a sample of each feed
   */
  private record Report(Settings.Feeds settings, FeedOverlap measured) {

    /**
     * The least shared part at which the smaller of two feeds is taken for a copy of the larger.
     */
    static final double COPY = 0.5;

    /** Two feeds, the one of which more is in the other first. */
    record Pair(Source part, Source whole, double overlap) {}

    /** The live feeds whose entries were asked, in feed order. */
    List<FeedCounts> feeds() {
      return measured.feeds().stream().filter(feed -> measured.asked(feed.name()) > 0).toList();
    }

    /** Feeds that share half and would be counted as two. */
    List<Pair> joinable() {
      List<Pair> pairs = new ArrayList<>();
      List<Source> sources = feeds().stream().map(feed -> source(feed.name())).toList();
      for (int i = 0; i < sources.size(); i++) {
        for (Source other : sources.subList(i + 1, sources.size())) {
          Source one = sources.get(i);
          double overlap = measured.overlap(one.name(), other.name());
          if (overlap >= COPY && countAsTwo(one, other)) {
            boolean inOrder = measured.share(one.name(), other.name()) == overlap;
            pairs.add(new Pair(inOrder ? one : other, inOrder ? other : one, overlap));
          }
        }
      }
      return pairs;
    }

    private Source source(String name) {
      Source source = settings.sources().get(name);
      if (source == null) {
        throw new IllegalStateException("feed " + name + " was measured and has no settings");
      }
      return source;
    }

    /** A list of good senders counts against rules, so no rule counts it beside another. */
    private static boolean countAsTwo(Source one, Source other) {
      return !one.family().equals(other.family())
          && one.action() != Action.TRUST
          && other.action() != Action.TRUST;
    }

    JsonObject toJson() {
      return JsonValue.object()
          .put("feeds", new JsonArray(feeds().stream().map(this::json).toList()))
          .put("good_senders", measured.goodSenders())
          .put("copies", new JsonArray(joinable().stream().map(Report::json).toList()))
          .build();
    }

    private JsonValue json(FeedCounts feed) {
      JsonValue.ObjectBuilder shares = JsonValue.object();
      JsonValue.ObjectBuilder good = JsonValue.object();
      for (FeedCounts other : feeds()) {
        if (!other.name().equals(feed.name())) {
          shares.put(other.name(), rounded(measured.share(feed.name(), other.name())));
          good.put(other.name(), measured.good(feed.name(), other.name()));
        }
      }
      return JsonValue.object()
          .put("feed", feed.name())
          .put("family", source(feed.name()).family())
          .put("entries", feed.entries())
          .put("asked", measured.asked(feed.name()))
          .put("listed_by", shares.build())
          .put("good_senders", measured.good(feed.name(), feed.name()))
          .put("good_senders_with", good.build())
          .build();
    }

    private static JsonValue json(Pair pair) {
      return JsonValue.object()
          .put("part", pair.part().name())
          .put("whole", pair.whole().name())
          .put("overlap", rounded(pair.overlap()))
          .build();
    }

    /** Three digits are as many as a sample of 4,096 has. */
    private static double rounded(double share) {
      return Math.rint(share * 1_000) / 1_000;
    }
  }

  private static void show(Report report, Output out) {
    out.line("Part of each list (row) that the other lists (column) list too");
    table(report, out);
    if (report.measured().goodSenders() == 0) {
      out.line("No good senders were asked: allow.known_good or --known-good names files of them");
    }
    for (Report.Pair pair : report.joinable()) {
      String part = pair.part().name();
      out.line(
          ("%s of %s is in %s: rules count them as two;"
                  + " to count them as one, give both the same family:")
              .formatted(out.palette().bad(percent(pair.overlap())), part, pair.whole().name()));
      out.line("  feeds: {sources: {%s: {family: %s}}}".formatted(part, pair.whole().family()));
    }
  }

  private static void table(Report report, Output out) {
    FeedOverlap measured = report.measured();
    List<FeedCounts> feeds = report.feeds();
    boolean good = measured.goodSenders() > 0;
    StringBuilder titles = new StringBuilder(">|LIST|>ENTRIES" + (good ? "|>GOOD SENDERS" : ""));
    IntStream.rangeClosed(1, feeds.size()).forEach(number -> titles.append("|>").append(number));
    TextTable table = new TextTable(titles.toString());
    for (FeedCounts feed : feeds) {
      String name = feed.name();
      List<String> row = new ArrayList<>();
      row.add(Integer.toString(feeds.indexOf(feed) + 1));
      row.add(name);
      row.add(Quantities.grouped(feed.entries()));
      if (good) {
        row.add(Quantities.grouped(measured.good(name, name)));
      }
      for (FeedCounts other : feeds) {
        row.add(other.name().equals(name) ? "" : percent(measured.share(name, other.name())));
      }
      table.row(row);
    }
    table.print(out);
  }

  /** A part that is there is never shown as none. */
  private static String percent(double share) {
    if (share == 0) {
      return "-";
    }
    long whole = Math.round(share * 100);
    return whole == 0 ? "<1 %" : whole + " %";
  }
}
