/**
 * The vocabulary of lists: what can be listed, and what can be asked.
 *
 * <p>Only normalised values exist here. Texts from feeds, commands and SMTP become values through
 * the {@code parse} methods of {@link io.bloomgate.blocklists.key.IpAddress}, {@link
 * io.bloomgate.blocklists.key.IpPrefix}, {@link io.bloomgate.blocklists.key.DomainName} and {@link
 * io.bloomgate.blocklists.key.MailAddress}; there is no other parser of these things in the
 * product. Everything is immutable and pure, for any thread.
 */
@NullMarked
package io.bloomgate.blocklists.key;

import org.jspecify.annotations.NullMarked;
