package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.config.control.ControlCodec;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.control.ControlRequest.ListAdd;
import io.bloomgate.config.name.Role;
import io.bloomgate.gateway.admin.ReplySender.RefusedException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses what a role does not cover, in words, in the log and in the audit, and keeps the limits
 * of the role support. Called on the threads of control connections and of HTTP requests.
 */
record RoleRefusals(GatewayControl gateway) {

  private static final Logger LOG = LoggerFactory.getLogger(RoleRefusals.class);

  /** The longest time for which the role support lets a sender pass. */
  static final Duration MAX_SUPPORT = Duration.ofDays(7);

  private static final String ADMINS =
      "an administrator may: root, or a member of the group of the control socket; on the page,"
          + " who has a token of admin.write_tokens_file with no role behind it";

  /** Refuses a request that needs another role. */
  void refuse(ControlRequest request, Role needed, ReplySender answer) throws RefusedException {
    String words = ControlCodec.words(request);
    LOG.warn("{} was refused to {}, whose role is {}", words, answer.user(), answer.role().key());
    RunActs.note(gateway, answer.user(), words, "refused: the role is " + answer.role().key());
    String may =
        answer.role() == Role.SUPPORT
            ? "may ask, and add and remove its own allow entries"
            : "may only ask";
    throw new RefusedException(
        ReplySender.PERMISSION,
        "`" + words + "` is not for you: your role is " + answer.role().key() + ", which " + may,
        needed == Role.SUPPORT ? "members of admin.support_group may, and " + ADMINS : ADMINS);
  }

  /** Refuses what the role support may not add. */
  static void checkAdding(ListAdd request, Instant now) throws RefusedException {
    if (request.force() || request.anyScope()) {
      throw no("the role support may not use --force or --scope any", ADMINS);
    }
    Instant end = request.expires();
    // Each use puts off the end of --unused, so that it may never come.
    boolean mayStay = request.forEver() || request.unused() != null;
    boolean isEndless = end == null && request.incident() == null;
    if (mayStay || isEndless || (end != null && end.isAfter(now.plus(MAX_SUPPORT)))) {
      throw no(
          "the role support allows for at most " + MAX_SUPPORT.toDays() + " days",
          "give --expires " + MAX_SUPPORT.toDays() + "d, or an earlier end");
    }
  }

  /** Refuses changes of entries of which the user did not add all. */
  static void checkOthers(List<OperatorEntry> entries, ReplySender answer) throws RefusedException {
    for (OperatorEntry entry : entries) {
      if (!isOf(answer.user(), entry.author())) {
        throw no(
            "the role support changes only what it added itself, and "
                + entry.subject()
                + " was added by "
                + entry.author(),
            ADMINS);
      }
    }
  }

  /** True for the author's own entry; other nodes of a fleet have the node's name behind his. */
  static boolean isOf(String user, String author) {
    return author.equals(user) || author.startsWith(user + "@");
  }

  private static RefusedException no(String message, String hint) {
    return new RefusedException(ReplySender.PERMISSION, message, hint);
  }
}
