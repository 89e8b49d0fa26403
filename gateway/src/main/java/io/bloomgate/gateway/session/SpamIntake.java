package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.content.MailEvidence;
import io.bloomgate.config.name.IpAddress;
import org.jspecify.annotations.Nullable;

/**
 * Takes what sessions see of spam: mail for traps, and mail in which own users report it. Made by
 * the composition root; called by {@link MessageTransfer} on its session's thread when the client
 * has its answer.
 */
public interface SpamIntake {

  /** The intake where nothing of it is kept. */
  SpamIntake NONE = new SpamIntake() {};

  /**
   * A mail for a trap.
   *
   * @param trap the entry of the settings
   * @param from the sender as it was written; empty for the null sender
   */
  record Trapped(String trap, String id, IpAddress client, String from, MailEvidence content) {}

  /** True for the mail servers behind the gateway. */
  default boolean isMailServer(IpAddress client) {
    return false;
  }

  /** True for own networks and for the mail servers behind the gateway. */
  default boolean isOwn(IpAddress client) {
    return false;
  }

  /** Takes a mail that was read whole; takes a millisecond. */
  default void trapped(Trapped mail) {}

  /**
   * Takes a report, and returns when another thread has read it.
   *
   * @param mail the whole report; {@code null} when it was too long
   * @param who sent it, and from where
   * @param id of the report's own session
   */
  default void reported(byte @Nullable [] mail, String who, String id) {}
}
