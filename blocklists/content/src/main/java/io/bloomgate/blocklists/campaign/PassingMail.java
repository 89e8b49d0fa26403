package io.bloomgate.blocklists.campaign;

import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.MailAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sender and the recipients of a mail. Made by sessions at the end of a mail. Immutable.
 *
 * @param network of the client, as its first address: {@code ClientNetwork.of}
 * @param sender domain of the envelope sender; {@code null} for none
 * @param recipients that were accepted; of more than {@link #MOST_RECIPIENTS} the first
 * @param session its id
 */
public record PassingMail(
    IpAddress network, @Nullable DomainName sender, List<MailAddress> recipients, String session) {

  /** Recipients of a mail that are counted. */
  public static final int MOST_RECIPIENTS = 100;

  public PassingMail {
    recipients = List.copyOf(recipients.subList(0, Math.min(MOST_RECIPIENTS, recipients.size())));
  }
}
