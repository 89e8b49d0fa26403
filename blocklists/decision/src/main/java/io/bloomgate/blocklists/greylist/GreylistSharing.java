package io.bloomgate.blocklists.greylist;

import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.GreylistSettings;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Asks and informs other nodes of a fleet about senders. Called on threads of sessions. */
public interface GreylistSharing {

  /**
   * A sender as greylisting knows it. Immutable.
   *
   * @param network of the client, wide
   * @param domain of the envelope sender; {@code null} for {@code <>} and for a literal
   * @param recipient domain of the recipient
   */
  record Sender(IpAddress network, @Nullable DomainName domain, String recipient) {}

  /**
   * Gives what other nodes know of a sender to {@link Greylist#merge}, in a bounded time: as far as
   * this node knows, it came for the first time.
   */
  void cameFirst(Sender sender, GreylistSettings rules, Instant now);

  /** Says that a sender came again in time; returns at once. */
  void cameAgain(Sender sender);
}
