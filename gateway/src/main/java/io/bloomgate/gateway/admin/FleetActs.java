package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.operator.SharedCommand.Act;
import io.bloomgate.blocklists.refresh.FeedCommands.ActResult;
import io.bloomgate.blocklists.refresh.FeedCommands.OtherNodeAct;
import io.bloomgate.config.settings.Mode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries acts of commands and of the breaker from one node to all others: made here, as words, on
 * the node that does it, and carried out here on the others, on the fleet's own thread and in the
 * order of their times. The audit of each node names who did it, and where.
 */
public final class FleetActs {

  private static final Logger LOG = LoggerFactory.getLogger(FleetActs.class);

  private static final String MODE = "mode";
  private static final String ACCEPT = "feeds accept";
  private static final String ROLLBACK = "feeds rollback";
  private static final String WHOLE = "version";
  private static final String ENTRIES = "entries";

  private final GatewayControl gateway;
  private final RunActs acts;

  FleetActs(GatewayControl gateway) {
    this.gateway = gateway;
    this.acts = new RunActs(gateway);
  }

  /** {@code mode} until then, {@code null} for no end. */
  static Act mode(Mode mode, @Nullable Instant until) {
    return new Act(MODE, MODE, mode.key() + (until == null ? "" : " " + until));
  }

  /** The act of a command about a version of a feed. */
  static Act of(ActResult.Done done) {
    return switch (done) {
      case ActResult.Accepted accepted ->
          new Act(
              about(accepted.feed()),
              ACCEPT,
              words(
                  accepted.feed(),
                  accepted.sha256(),
                  accepted.acceptedEntries() == null ? WHOLE : ENTRIES));
      case ActResult.RolledBack back ->
          new Act(
              about(back.feed()), ROLLBACK, words(back.feed(), back.fromSha256(), back.sha256()));
    };
  }

  private static String about(String feed) {
    return "feed " + feed;
  }

  private static String words(String... words) {
    return String.join(" ", words);
  }

  /**
   * Does what another node did.
   *
   * @param author who did it, and on which node: {@code alice@mx1}
   * @return false when this release knows no such act
   */
  boolean carryOut(Act act, String author) {
    String[] words = act.value().split(" ");
    return switch (act.kind()) {
      case MODE -> setMode(words, author);
      case ACCEPT ->
          words.length == 3
              && follow(
                  new OtherNodeAct.Accept(words[0], words[1], words[2].equals(ENTRIES), author),
                  act.kind());
      case ROLLBACK ->
          words.length == 3
              && follow(
                  new OtherNodeAct.Rollback(words[0], words[1], words[2], author), act.kind());
      default -> false;
    };
  }

  private boolean setMode(String[] words, String author) {
    Optional<Mode> mode =
        Arrays.stream(Mode.values()).filter(known -> known.key().equals(words[0])).findFirst();
    if (mode.isEmpty()) {
      return false;
    }
    try {
      Duration left =
          words.length < 2 ? null : Duration.between(gateway.now(), Instant.parse(words[1]));
      if (left == null || left.isPositive()) {
        acts.mode(mode.get(), left, author);
      }
      return true;
    } catch (DateTimeException | ArithmeticException e) {
      return false;
    }
  }

  private boolean follow(OtherNodeAct act, String command) {
    try {
      switch (gateway.blocklists().feeds().follow(act)) {
        case ActResult.Refused(_, String why, String hint) ->
            LOG.info("fleet: {} of {}: {}{}", command, act.by(), why, hint(hint));
        case ActResult.Done done ->
            note(act, command, "%s version %d".formatted(act.feed(), done.version()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return true;
  }

  private static String hint(String hint) {
    return hint.isEmpty() ? "" : "; " + hint;
  }

  private void note(OtherNodeAct act, String command, String subject) {
    LOG.info("fleet: {} {} by {}", command, subject, act.by());
    RunActs.note(gateway, act.by(), command, subject);
  }
}
