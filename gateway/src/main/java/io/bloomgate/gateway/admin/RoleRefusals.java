package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.config.control.ControlCodec;
import io.bloomgate.config.control.ControlReply.End;
import io.bloomgate.config.control.ControlReply.Failed;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.control.ControlRequest.ListAdd;
import io.bloomgate.config.name.Role;
import io.bloomgate.config.settings.Rate;
import io.bloomgate.gateway.session.RateTable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses what a role does not cover, in words, in the log and in the audit, and keeps the limits
 * of the role support. Called on the threads of control connections and of HTTP requests.
 */
final class RoleRefusals {

  private static final Logger LOG = LoggerFactory.getLogger(RoleRefusals.class);

  /** The longest time for which the role support lets a sender pass. */
  static final Duration MAX_SUPPORT = Duration.ofDays(7);

  /** Refusals of one user that log and audit have. */
  private static final Rate NOTED = new Rate(5, Duration.ofSeconds(12));

  private static final String ADMINS =
      "an administrator may: root, or a member of the group of the control socket; on the page,"
          + " who has a token of admin.write_tokens_file with no role behind it";

  private final GatewayControl gateway;
  private final RateTable<String> noted;

  RoleRefusals(GatewayControl gateway, LongSupplier nanoTime) {
    this.gateway = gateway;
    this.noted = new RateTable<>(nanoTime);
  }

  /** Refuses a request that needs another role. */
  End refuse(ControlRequest request, Role needed, ReplySender answer) {
    String words = ControlCodec.words(request);
    if (noted.take(answer.user(), NOTED)) {
      LOG.warn("{} was refused to {}, whose role is {}", words, answer.user(), answer.role().key());
      RunActs.note(gateway, answer.user(), words, "refused: the role is " + answer.role().key());
    }
    String may =
        answer.role() == Role.SUPPORT
            ? "may ask, and add and remove its own allow entries"
            : "may only ask";
    return new Failed(
        ReplySender.PERMISSION,
        "`" + words + "` is not for you: your role is " + answer.role().key() + ", which " + may,
        needed == Role.SUPPORT ? "members of admin.support_group may, and " + ADMINS : ADMINS);
  }

  /** The reason why the role support may not add this; empty when it may. */
  static Optional<Failed> ofAdding(ListAdd request, Instant now) {
    if (request.force() || request.anyScope()) {
      return Optional.of(no("the role support may not use --force or --scope any", ADMINS));
    }
    Instant end = request.expires();
    // Each use puts off the end of --unused, so that it may never come.
    boolean mayStay = request.forEver() || request.unused() != null;
    boolean isEndless = end == null && request.incident() == null;
    return mayStay || isEndless || (end != null && end.isAfter(now.plus(MAX_SUPPORT)))
        ? Optional.of(
            no(
                "the role support allows for at most " + MAX_SUPPORT.toDays() + " days",
                "give --expires " + MAX_SUPPORT.toDays() + "d, or an earlier end"))
        : Optional.empty();
  }

  /** The reason why entries stay of which the user added none; empty when all are its own. */
  static Optional<Failed> ofOthers(List<OperatorEntry> entries, ReplySender answer) {
    return entries.stream()
        .filter(entry -> !isOf(answer.user(), entry.author()))
        .findFirst()
        .map(first ->
            no(
                "the role support changes only what it added itself, and "
                    + first.subject()
                    + " was added by "
                    + first.author(),
                ADMINS));
  }

  /** True for the author's own entry; other nodes of a fleet have the node's name behind his. */
  static boolean isOf(String user, String author) {
    return author.equals(user) || author.startsWith(user + "@");
  }

  private static Failed no(String message, String hint) {
    return new Failed(ReplySender.PERMISSION, message, hint);
  }
}
