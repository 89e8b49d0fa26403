/**
 * What a mail carries, found while its octets pass: header addresses, subject, URLs, attachments.
 *
 * <p>{@code MailScanner} is the only door. A session puts the octets of one mail in on its own
 * thread, {@code explain} those of a file. {@code MimeSplitter} finds header blocks and leaves,
 * {@code LeafReader} reads a leaf, a text in each form that a mail client reads it in, with tags by
 * {@code html}. Nothing here has a clock, a thread or a file, and nothing decides: verdicts fall in
 * {@code decision}.
 */
@NullMarked
package io.bloomgate.blocklists.content;

import org.jspecify.annotations.NullMarked;
