package io.bloomgate.blocklists.campaign;

import com.dynatrace.hash4j.distinctcount.UltraLogLog;
import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.config.name.MailAddress;
import java.util.List;

/**
 * Hashes of who sent a mail to whom, so that each is counted once. Made by {@link Campaigns} before
 * it takes a lock. Immutable.
 */
final class SentHashes {

  private final long network;
  private final long sender;
  private final long[] recipients;

  SentHashes(PassingMail mail, KeyHash hash) {
    network = hash.ip(mail.network());
    sender = mail.sender() == null ? hash.text("<>") : hash.domain(mail.sender(), 0);
    List<MailAddress> addresses = mail.recipients();
    recipients = new long[addresses.size()];
    for (int i = 0; i < recipients.length; i++) {
      recipients[i] = hash.address(addresses.get(i));
    }
  }

  /** The same of a mail that passed at another node. */
  SentHashes(SharedCopy copy) {
    network = copy.network();
    sender = copy.sender();
    recipients = copy.recipients();
  }

  /** What other nodes count of the mail with these keys. */
  SharedCopy with(long[] keys, int bands) {
    return new SharedCopy(keys, bands, network, sender, recipients);
  }

  void addTo(UltraLogLog networks, UltraLogLog senders, UltraLogLog to) {
    networks.add(network);
    senders.add(sender);
    for (long recipient : recipients) {
      to.add(recipient);
    }
  }
}
