/**
 * Addresses, networks, domain names, mail addresses and web URLs: what settings, lists, commands
 * and SMTP all speak about.
 *
 * <p>Only normalised values exist here. A text becomes a value through the {@code parse} methods of
 * {@link io.bloomgate.config.name.IpAddress}, {@link io.bloomgate.config.name.IpPrefix}, {@link
 * io.bloomgate.config.name.DomainName}, {@link io.bloomgate.config.name.MailAddress} and {@link
 * io.bloomgate.config.name.WebUrl}; the product has no other parser for them. All modules may call;
 * everything is immutable and pure, for any thread.
 */
@NullMarked
package io.bloomgate.config.name;

import org.jspecify.annotations.NullMarked;
