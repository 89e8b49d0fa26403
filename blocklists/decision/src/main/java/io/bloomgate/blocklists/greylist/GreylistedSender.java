package io.bloomgate.blocklists.greylist;

import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import org.jspecify.annotations.Nullable;

/**
 * A sender as greylisting knows it. Made on threads of sessions and of the fleet; immutable.
 *
 * @param network of the client, wide
 * @param domain of the envelope sender; {@code null} for {@code <>} and for a literal
 * @param recipient domain of the recipient
 */
public record GreylistedSender(IpAddress network, @Nullable DomainName domain, String recipient) {}
