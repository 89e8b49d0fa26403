package io.bloomgate.blocklists.decision;

import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.ListKey;
import java.time.Duration;
import java.time.Instant;

/**
 * The answer of a DNS list about a session: a fact, asked for before the decision. Immutable.
 *
 * @param list the source's name in the settings
 * @param zone without the key
 * @param answer an address in 127.0.0.0/8 (RFC 5782 section 2.1)
 * @param ttl how long the answer counts
 * @param at when it came
 */
public record DnsListing(
    String list,
    Check check,
    ListKey subject,
    String zone,
    IpAddress answer,
    Duration ttl,
    Instant at) {}
