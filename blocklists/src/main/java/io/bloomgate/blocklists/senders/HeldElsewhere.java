package io.bloomgate.blocklists.senders;

import io.bloomgate.config.name.IpPrefix;
import java.time.Instant;

/**
 * An entry of a feed that the breaker of another node of a fleet holds back. Immutable; kept by
 * {@link Breaker}.
 *
 * @param by who sent it, as {@code breaker@mx1}
 * @param at when this node heard of it
 */
public record HeldElsewhere(IpPrefix entry, String by, Instant at) {}
