package io.bloomgate.blocklists.content;

import io.bloomgate.blocklists.campaign.MailPrint;
import io.bloomgate.blocklists.decision.ContentKey;
import java.util.List;

/**
 * What the octets of a mail showed. Made by {@link MailScanner}; immutable.
 *
 * @param keys what lists are asked for, each once, in the order of the mail
 * @param parts header blocks: the mail's own, those of parts, those of nested mails
 * @param depth most multiparts and mails around a part
 * @param notLookedAt what was not looked at or can be read in two ways, in words, each once; plain
 *     ASCII that holds nothing of the mail
 * @param limited true when some of it was not looked at because there is too much of it
 * @param print what copies of the mail are recognised by: of bodies and attachments, where these
 *     are wanted, and not of nested mails; empty before the end of the mail
 */
public record MailEvidence(
    List<ContentKey> keys,
    int parts,
    int depth,
    List<String> notLookedAt,
    boolean limited,
    MailPrint print) {

  public MailEvidence {
    keys = List.copyOf(keys);
    notLookedAt = List.copyOf(notLookedAt);
  }
}
