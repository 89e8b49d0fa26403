package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.sessions.AlikeMails;
import io.bloomgate.config.control.ControlRequest.ListAdd;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.gateway.sessions.SessionStore;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Warns of other senders whom {@code block add --like} would refuse: a text of which most is a
 * disclaimer is like the texts of other senders with it. Asked by {@link ListHandlers}, on the
 * threads of control connections.
 */
final class AlikeWarning {

  /** The number of days whose kept mails are compared. */
  private static final int DAYS = 7;

  private AlikeWarning() {}

  /**
   * Compares the text of a block entry with the kept mails of other sender domains.
   *
   * @return a sentence for an entry that was forced; empty when it hits no such mail, and for an
   *     entry that is tied to one network
   * @throws UsageException when it does, and was not forced
   * @throws IOException when the kept sessions cannot be read
   */
  static Optional<String> of(ListAdd request, Likeness text, SessionStore sessions)
      throws UsageException, IOException {
    String id = request.like();
    if (id == null || request.list() != ListKind.BLOCK || request.fromCidr() != null) {
      return Optional.empty();
    }
    AlikeMails alike = sessions.alike(text, id, Duration.ofDays(DAYS));
    if (alike.mails() == 0) {
      return Optional.empty();
    }
    String sentence =
        "the text of session %s is like that of %d accepted %s of %d other sender %s of the last %d days: %s"
            .formatted(
                id,
                alike.mails(),
                alike.mails() == 1 ? "mail" : "mails",
                alike.domains(),
                alike.domains() == 1 ? "domain" : "domains",
                DAYS,
                named(alike));
    if (!request.force()) {
      throw new UsageException(
          sentence,
          "most of the text may be a disclaimer or a footer, and the entry refuses all mails with"
              + " it; look at them with `bloomgate sessions list --from DOMAIN`, and repeat it with"
              + " --force when they are copies of one campaign");
    }
    return Optional.of("warning: " + sentence);
  }

  private static String named(AlikeMails alike) {
    String names =
        alike.named().stream()
            .map(domain -> domain.isEmpty() ? "<>" : domain)
            .collect(Collectors.joining(", "));
    return alike.named().size() < alike.domains() ? names + ", ..." : names;
  }
}
