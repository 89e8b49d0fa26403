package io.bloomgate.blocklists.greylist;

import io.bloomgate.config.settings.GreylistSettings;
import java.time.Duration;
import java.time.Instant;

/** Asks and informs other nodes of a fleet about senders. Called on threads of sessions. */
public interface GreylistSharing {

  /** The time for which senders that came again are remembered after their last mail. */
  Duration REMEMBERED = Duration.ofDays(PassedRing.DAYS);

  /**
   * Gives what other nodes know of a sender to {@link Greylist#merge}, in a bounded time: as far as
   * this node knows, it came for the first time.
   */
  void cameFirst(GreylistedSender sender, GreylistSettings rules, Instant now);

  /** Says that a sender came again in time; returns at once. */
  void cameAgain(GreylistedSender sender);
}
