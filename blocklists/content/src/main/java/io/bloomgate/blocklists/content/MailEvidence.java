package io.bloomgate.blocklists.content;

import io.bloomgate.blocklists.campaign.MailPrint;
import java.util.List;

/**
 * The evidence that the octets of a mail showed. Made by {@link MailReader}; immutable.
 *
 * @param keys what lists are asked for, each once, in the order of the mail
 * @param parts header blocks: the mail's own, those of parts, those of nested mails
 * @param depth most multiparts and mails around a part
 * @param notLookedAt what was not read or is against the rules, in words, each once; plain ASCII
 *     that holds nothing of the mail
 * @param limited true when some of it was not read because there is too much of it
 * @param malformed true when some of it is against the rules of mail, so that programs may differ
 * @param answers true when the mail says that it answers another one (RFC 5322 section 3.6.4)
 * @param from its From fields as they are shown, with names and addresses; empty where no From is
 *     wanted
 * @param subject the same of its Subject
 * @param print what copies of the mail are recognised by: of bodies and attachments, where these
 *     are wanted, and not of nested mails; empty before the end of the mail
 */
public record MailEvidence(
    List<ContentKey> keys,
    int parts,
    int depth,
    List<String> notLookedAt,
    boolean limited,
    boolean malformed,
    boolean answers,
    String from,
    String subject,
    MailPrint print) {

  public MailEvidence {
    keys = List.copyOf(keys);
    notLookedAt = List.copyOf(notLookedAt);
  }
}
