package io.bloomgate.gateway.session;

import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.GreylistSettings;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Remembers who has to come again. Asked by {@link Judge} on session threads; never blocks long.
 */
@FunctionalInterface
public interface Greylisting {

  /** Lets everybody in. */
  Greylisting NONE = (client, sender, recipient, rules, now) -> true;

  /**
   * Notes a visit of a sender that a weak list names.
   *
   * @param sender domain of the envelope sender; {@code null} for {@code <>} and for a literal
   * @param recipient domain of the recipient
   * @return true when the mail may pass
   */
  boolean letsIn(
      IpAddress client,
      @Nullable DomainName sender,
      String recipient,
      GreylistSettings rules,
      Instant now);
}
