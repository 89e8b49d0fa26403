/**
 * Reads what a mail carries: header addresses, subject, URLs, attachments, prints. One reading, by
 * the RFCs of mail (mime4j) and by WHATWG (jsoup); what is odd is a word in the evidence.
 *
 * <p>{@code MailReader} is the only door. A session puts the octets of one mail in on its own
 * thread, {@code explain} those of a file. {@code MimeWalk} divides the mail into fields and parts,
 * {@code Texts} reads a text, {@code Links} says where its links lead, {@code MailKeys} holds the
 * keys and the one budget. Nothing here has a clock or a file, and nothing decides: verdicts fall
 * in {@code decision}.
 */
@NullMarked
package io.bloomgate.blocklists.content;

import org.jspecify.annotations.NullMarked;
