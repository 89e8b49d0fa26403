package io.bloomgate.cli.filter;

import io.bloomgate.blocklists.OfflineFeeds;
import io.bloomgate.blocklists.fleet.RedisKey;
import io.bloomgate.blocklists.workbench.FilterChange;
import io.bloomgate.blocklists.workbench.FilterChange.Outcome;
import io.bloomgate.blocklists.workbench.FilterChange.Verb;
import io.bloomgate.blocklists.workbench.FilterPush;
import io.bloomgate.blocklists.workbench.FilterPush.Form;
import io.bloomgate.blocklists.workbench.FilterQuery;
import io.bloomgate.blocklists.workbench.OfflineException;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Example;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.OfflineLists;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.Template;
import io.bloomgate.cli.command.Values;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.notation.BadValueException;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The commands that take keys to a filter: {@code filter query}, {@code add}, {@code remove} and
 * {@code push}. On the command's thread.
 */
final class FilterKeys {

  private FilterKeys() {}

  private static FilterPush at(String text, FilterCommand command) throws CliException {
    try {
      return new FilterPush(RedisKey.read(text), command.means());
    } catch (BadValueException e) {
      throw new CliException(ExitCode.USAGE, e.problem(), e.hint(), e);
    }
  }

  /** {@code filter query}: keys from the command line, or a stream of them. */
  @Command(
      description = {
        "Ask a filter file, or a filter in Redis, for keys: one probe each.",
        "Parents of names and networks of hosts are other keys and are not asked.",
        "With - keys are read from standard input, one a line, and each line gets its answer in"
            + " order; the answer to a blank line is ?.",
        "maybe: the key is in the filter, or it is one of the few others that look like a key of"
            + " the filter (a false positive). no: the key is certainly not in the filter.",
        "Exit code 0: every KEY may be inside, 1: at least one is certainly not, 2: one is not a"
            + " key, or the filter cannot be asked. With -: 0 whatever the answers are, 4 when a"
            + " line was no key."
      })
  @Example("drop.filter 203.0.113.7 spam.example")
  static final class Query extends FilterCommand {

    @Parameters(
        index = "0",
        paramLabel = "FILE",
        description = "a filter file, or redis://HOST:PORT[/DB]/KEY")
    private String file = "";

    @Parameters(
        index = "1..*",
        paramLabel = "KEY",
        arity = "1..*",
        description = "IP, CIDR, domain, mail address or URL; - for standard input")
    private List<String> keys = new ArrayList<>();

    private int asked;
    private boolean someAbsent;
    private boolean someNoKey;

    @Override
    public Integer call() throws OfflineException, CliException {
      Output out = in.output();
      if (!RedisKey.isSpelled(file)) {
        return ask(FilterQuery.of(Path.of(file), means()), out);
      }
      try (FilterPush redis = at(file, this)) {
        return ask(redis.query(), out);
      }
    }

    private int ask(FilterQuery query, Output out) throws OfflineException {
      if (keys.equals(STANDARD_INPUT)) {
        query.askAll(in.around().in(), answer -> show(answer, "line ", out));
        return someNoKey ? ExitCode.PARTLY : ExitCode.OK;
      }
      for (String key : keys) {
        FilterQuery.Answer answer = query.ask(key);
        show(answer, "key ", out);
        if (Boolean.FALSE.equals(answer.maybe())) {
          noteNetwork(query, key, out);
        }
      }
      return someNoKey ? ExitCode.USAGE : someAbsent ? ExitCode.NO : ExitCode.OK;
    }

    /**
     * Notes the narrowest network around an address that may be inside: "no" is about the address
     * alone. It may be a chance hit, as every "maybe" of a filter.
     */
    private static void noteNetwork(FilterQuery query, String key, Output out)
        throws OfflineException {
      IpAddress address = IpAddress.parse(key).toOptional().orElse(null);
      if (address == null) {
        return;
      }
      int longest = address.isV4() ? 31 : 127;
      for (int length = longest; length >= 8; length--) {
        String network = IpPrefix.around(address, length).toString();
        if (Boolean.TRUE.equals(query.ask(network).maybe())) {
          out.note(
              "this answer is about the address alone; a network around it, "
                  + network
                  + ", may be inside");
          return;
        }
      }
    }

    /** True when somebody still reads. */
    private boolean show(FilterQuery.Answer answer, String what, Output out) {
      asked++;
      out.item(JsonRecords.of(answer), FilterText::answer);
      someAbsent |= Boolean.FALSE.equals(answer.maybe());
      boolean blankLine = answer.isBlank() && what.equals("line ");
      if (answer.problem() != null && !blankLine) {
        someNoKey = true;
        out.error(what + asked + " is not a key: " + answer.problem());
      }
      return out.isRead();
    }
  }

  /** {@code filter add} and {@code filter remove}: change a filter file where it is. */
  abstract static class Change extends FilterCommand {

    /** The largest number of texts that are no keys and are named; a wrong file has a million. */
    private static final int SHOWN_PROBLEMS = 10;

    private final Verb verb;

    @Parameters(index = "0", paramLabel = "FILE", description = "a filter file")
    private Path file = Path.of("");

    @Parameters(
        index = "1..*",
        paramLabel = "KEY",
        arity = "1..*",
        description = "IP, CIDR, domain, mail address or URL; - for standard input, one a line")
    private List<String> keys = new ArrayList<>();

    Change(Verb verb) {
      this.verb = verb;
    }

    @Override
    public Integer call() throws OfflineException {
      Output out = in.output();
      boolean stream = keys.equals(STANDARD_INPUT);
      List<Parsed<String>> texts =
          stream
              ? FilterChange.lines(in.around().in())
              : keys.stream().<Parsed<String>>map(Parsed::ok).toList();
      FilterChange.Report report = new FilterChange(means()).run(file, verb, texts, stream);
      if (!report.problems().isEmpty()) {
        refuse(report.problems(), stream ? "line " : "key ", out);
        return ExitCode.USAGE;
      }
      for (FilterChange.Answer answer : report.answers()) {
        if (!out.isRead()) {
          break;
        }
        out.item(JsonRecords.of(answer), FilterText::changed);
      }
      out.item(report.toJson(), FilterText::change);
      warn(report, out);
      return report.count(Outcome.NEVER) + report.count(Outcome.KEPT) > 0
          ? ExitCode.NO
          : ExitCode.OK;
    }

    private static void refuse(List<FilterChange.Problem> problems, String what, Output out) {
      for (var problem : problems.stream().limit(SHOWN_PROBLEMS).toList()) {
        out.error(
            "%s%d is not a key: %s; nothing was changed"
                .formatted(what, problem.number(), problem.reason()));
      }
      if (problems.size() > SHOWN_PROBLEMS) {
        out.error(problems.size() - SHOWN_PROBLEMS + " more are no keys; nothing was changed");
      }
    }

    private static void warn(FilterChange.Report report, Output out) {
      JsonObject shape = report.shape().toJson();
      if (report.verb() == Verb.ADD && report.passesAskedRate()) {
        out.warn(
            Template.fill(
                "warning: about {%expected_fpp} false positives now, and {%asked_fpp} were asked;"
                    + " build a larger filter of the lists",
                shape));
      }
      if (report.overflowed() > 0) {
        out.warn(
            "warning: %d keys have counters that overflowed: these stay, however often the keys are"
                    .formatted(report.overflowed())
                + " removed; build the filter again of its lists to count right");
      }
    }
  }

  /** {@code filter add}. */
  @Command(
      description = {
        "Add keys to a filter file where it is, and say for each whether it was there.",
        "All kinds but fuse8, fuse16 and cascade take keys. Split-block and classic take as many as"
            + " they are made for (`filter build --entries`). All keys are added or none: a crash"
            + " leaves the file as it was, or changed. A counting filter counts: what is added"
            + " twice must be removed twice.",
        "When a counting filter has more false positives than were asked, because it took more keys"
            + " than it was made for, a warning says so.",
        "Answers: new: it was certainly not inside; maybe: it may have been, or it is a false"
            + " positive.",
        "Exit code 0: added, 1: no room, or damaged, 2: the kind takes no keys, or one is not a"
            + " key; then nothing is changed."
      })
  @Example("seen.filter 203.0.113.7 spam.example")
  static final class Add extends Change {
    Add() {
      super(Verb.ADD);
    }
  }

  /** {@code filter remove}. */
  @Command(
      description = {
        "Take keys out of a filter file where it is; remove only what was added.",
        "Kinds counting, scalable-counting and cuckoo give keys back. When the filter shows that"
            + " one of the keys was never added, none is removed. It cannot show that for a false"
            + " positive: the removal of such a key takes another key with it. A counter that"
            + " overflowed stays, and so does its key.",
        "Answers: removed; never: it was never added, or not so often; unchanged: not removed,"
            + " because another key was never added; kept: its counters overflowed, or more than"
            + " one slice claims it.",
        "Exit code 0: all were removed, 1: some were not, or the file is damaged, 2: the kind gives"
            + " none back, or one is not a key; then nothing is changed."
      })
  @Example("seen.filter 203.0.113.7")
  static final class Remove extends Change {
    Remove() {
      super(Verb.REMOVE);
    }
  }

  /** {@code filter push}: a list, a filter file or the live version of a feed, to Redis. */
  @Command(
      description = {
        "Put a filter into a key of Redis, so that other programs can ask what the gateway knows.",
        "FILE is a list in any format of `bloomgate feeds formats`, or a filter file of kind"
            + " classic; FEED is a feed of the settings, of which the live version is read. The key"
            + " is replaced at once when all is there, and only if a push made it.",
        "Exit code 1: Redis cannot be asked, or the key holds something else, 2: the rate cannot be"
            + " had, 4: put there, but the list has more bad lines than a feed may have."
      })
  @Example("drop.txt redis://127.0.0.1:6379/bloomgate:drop")
  static final class Push extends FilterCommand {

    @Mixin private FilterCommand.Format format = new FilterCommand.Format();

    @Parameters(index = "0", paramLabel = "FILE|FEED", description = "a list, a filter, or a feed")
    private String from = "";

    @Parameters(
        index = "1",
        paramLabel = "REDIS",
        description = "redis://HOST:PORT[/DB]/KEY, or rediss:// for TLS")
    private String to = "";

    @Option(
        names = "--fpp",
        paramLabel = "P",
        converter = Values.RateConverter.class,
        description = "ratio of false positives, a maybe for other keys (default: 0.001)")
    private double rate = 0.001;

    @Option(
        names = "--as",
        paramLabel = "FORM",
        description = "auto, bits or module (default: auto, the Bloom module where Redis has it)")
    private String word = "auto";

    @Override
    public Integer call() throws OfflineException, CliException {
      Output out = in.output();
      Optional<Form> form =
          Arrays.stream(Form.values()).filter(known -> known.key().equals(word)).findFirst();
      require(form.isPresent(), "--as is auto, bits or module");
      try (FilterPush push = at(to, this)) {
        FilterPush.Report report = report(push, form.orElseThrow());
        out.report(report.toJson(), FilterText::pushed);
        return badLines(report.list().stream().toList(), out);
      }
    }

    private FilterPush.Report report(FilterPush push, Form form)
        throws OfflineException, CliException {
      Path file = Path.of(from);
      Optional<Settings> settings =
          Files.exists(file) || from.contains("/") ? Optional.empty() : in.settingsIfAny();
      Source feed = settings.map(s -> s.feeds().sources().get(from)).orElse(null);
      if (feed == null) {
        return push.file(file, format.name, rate, form);
      }
      try (OfflineFeeds feeds = OfflineLists.feeds(in, settings)) {
        var live =
            feeds
                .versions(feed)
                .live()
                .orElseThrow(() ->
                    CliException.no(
                        "no version of feed " + from + " is live",
                        "`bloomgate feeds refresh " + from + "` loads one"));
        return push.feed(live.side(), rate, form);
      } catch (IOException e) {
        throw CliException.no(
            "the live version of feed " + from + " cannot be read: " + e.getMessage(),
            "a refresh may have replaced it meanwhile; try again",
            e);
      }
    }
  }
}
