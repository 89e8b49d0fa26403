package io.bloomgate.cli.filter;

import io.bloomgate.blocklists.fleet.RedisKey;
import io.bloomgate.blocklists.workbench.FilterQuery;
import io.bloomgate.blocklists.workbench.FilterQuery.Answer;
import io.bloomgate.blocklists.workbench.OfflineException;
import io.bloomgate.blocklists.workbench.RedisFilterQuery;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.Output;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code bloomgate filter query}: keys from the command line, or a stream of them. */
@Command(
    description = {
      "Ask a filter file, or a filter in Redis, for keys: one probe each.",
      "Parents of names and networks of hosts are other keys and are not asked.",
      "With - keys are read from standard input, one a line, and each line gets its answer in"
          + " order; the answer to a blank line is ?.",
      "maybe: the key is in the filter, or it is one of the few others that look like a key of the"
          + " filter (a false positive). no: the key is certainly not in the filter.",
      "Files of Guava, RedisBloom and Parquet are asked for keys exactly as they are written.",
      "Exit code 0: every KEY may be inside, 1: at least one is certainly not, 2: one is not a key,"
          + " or the filter cannot be asked. With -: 0 whatever the answers are, 4 when a line was"
          + " no key."
    },
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME} drop.filter 203.0.113.7 spam.example"})
final class FilterQueryCommand implements Callable<Integer> {

  private static final List<String> STANDARD_INPUT = List.of("-");

  private final Invocation in;

  @Parameters(
      index = "0",
      paramLabel = "FILE",
      description = "a filter file, or redis://HOST:PORT[/DB]/KEY")
  private String file = "";

  @Parameters(
      index = "1..*",
      paramLabel = "KEY",
      arity = "1..*",
      description = "IP, CIDR, domain or mail address; - for standard input")
  private List<String> keys = new ArrayList<>();

  private boolean stream;
  private int asked;
  private boolean someAbsent;
  private boolean someNoKey;

  FilterQueryCommand(Invocation in) {
    this.in = in;
  }

  @Override
  public Integer call() throws CliException {
    try {
      if (!RedisKey.isSpelled(file)) {
        return ask(FilterQuery.of(Path.of(file), in.around().means()));
      }
      try (RedisFilterQuery redis = RedisFilterQuery.open(RedisTarget.key(file))) {
        return ask(redis.query());
      }
    } catch (OfflineException e) {
      throw CliException.noAnswer(e);
    }
  }

  private int ask(FilterQuery query) throws OfflineException {
    Output out = in.output();
    stream = keys.equals(STANDARD_INPUT);
    if (stream) {
      query.askAll(in.around().in(), answer -> show(answer, "line " + (asked + 1), out));
      return someNoKey ? ExitCode.PARTLY : ExitCode.OK;
    }
    for (String key : keys) {
      show(query.ask(key), "key " + (asked + 1), out);
    }
    return someNoKey ? ExitCode.USAGE : someAbsent ? ExitCode.NO : ExitCode.OK;
  }

  /** True when somebody still reads. */
  private boolean show(Answer answer, String place, Output out) {
    asked++;
    out.item(answer.toJson(), FilterText::answer);
    switch (answer) {
      case Answer.Asked(var ignored, boolean maybe) -> someAbsent |= !maybe;
      case Answer.NoKey blank when stream && blank.isBlank() -> {}
      case Answer.NoKey(var ignored, String problem) -> {
        someNoKey = true;
        out.error(place + " is not a key: " + problem);
      }
    }
    return out.isRead();
  }
}
