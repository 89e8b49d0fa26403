package io.bloomgate.cli.feeds;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.config.control.ControlRequest;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code feeds accept} and {@code feeds rollback}: which version of a feed is live. */
final class FeedChoiceCommands {

  private FeedChoiceCommands() {}

  /** {@code feeds accept}. */
  @Command(
      description = {
        "Accept what is held of a feed: the version that waits, or entries of the live one.",
        "When no version waits, the held entries of the live version are accepted. This"
            + " counts for that version only. `feeds diff NAME` shows first what would change."
      },
      footer = {"", "Example:", "  ${COMMAND-FULL-NAME} spamhaus-drop"})
  static final class Accept implements Callable<Integer> {
    private final Invocation in;

    @Mixin private FeedName feed = new FeedName();

    @Option(
        names = "--note",
        description =
            "let nothing through; the alarm about good senders is a note for 7 days, unless more"
                + " is hit")
    private boolean note;

    Accept(Invocation in) {
      this.in = in;
    }

    @Override
    public Integer call() throws CliException {
      return in.ask(
          new ControlRequest.FeedsAccept(feed.name(), note),
          note ? FeedsText::outcome : FeedsText::accepted);
    }
  }

  /** {@code feeds rollback}. */
  @Command(
      description = {
        "Make an older version of a feed live again.",
        "Newer versions do not come back until the feed publishes another one."
      },
      footer = {"", "Example:", "  ${COMMAND-FULL-NAME} spamhaus-drop --to 17"})
  static final class Rollback implements Callable<Integer> {
    private final Invocation in;

    @Mixin private FeedName feed = new FeedName();

    @Option(
        names = "--to",
        paramLabel = "GEN",
        description = "number of a version of `feeds show`; without it the one before")
    private @Nullable Long to;

    Rollback(Invocation in) {
      this.in = in;
    }

    @Override
    public Integer call() throws CliException {
      if (to != null && to < 1) {
        throw new CliException(
            ExitCode.USAGE, "versions are numbered from 1", "`bloomgate feeds show` lists them");
      }
      return in.ask(new ControlRequest.FeedsRollback(feed.name(), to), FeedsText::rolledBack);
    }
  }
}
