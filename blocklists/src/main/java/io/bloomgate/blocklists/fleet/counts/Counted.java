package io.bloomgate.blocklists.fleet.counts;

import io.bloomgate.blocklists.campaign.SharedCopy;
import io.bloomgate.blocklists.greylist.GreylistedSender;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import org.jspecify.annotations.Nullable;

/**
 * Something that one node counted and that all others of the fleet count, too. The counted things
 * themselves travel, not hashes of them: each node keeps them under a seed that no other node has,
 * and asks lists about known senders. Only copies of mails travel as hashes, because their texts do
 * not leave the node. Made by sessions; immutable.
 */
public sealed interface Counted {

  /**
   * The mail server accepted mail, and no list was against it.
   *
   * @param sender address or domain, as {@code log.privacy} lets it be kept; may be empty
   */
  record Accepted(IpAddress client, String sender) implements Counted {}

  /**
   * A sender that has to come again came.
   *
   * @param cameAgain in time, so that it is let in
   */
  record Greylisted(GreylistedSender sender, boolean cameAgain) implements Counted {}

  /**
   * A message began ({@code rates.client} and {@code rates.network}).
   *
   * @param account as whom the client is counted
   */
  record Mail(IpAddress account) implements Counted {}

  /**
   * A message got a recipient ({@code rates.sender_domain} and {@code rates.recipient}).
   *
   * @param network of the client
   * @param domain of the sender, with the first recipient; {@code null} when it is not counted
   * @param recipient address; empty when recipients are not counted
   */
  record Recipient(IpAddress network, @Nullable DomainName domain, String recipient)
      implements Counted {}

  /** A mail passed of which several copies have passed already. */
  record Copied(SharedCopy copy) implements Counted {}
}
