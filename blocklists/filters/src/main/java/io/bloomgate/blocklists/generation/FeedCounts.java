package io.bloomgate.blocklists.generation;

import io.bloomgate.config.json.JsonRecords.Named;
import io.bloomgate.config.json.JsonRecords.Rare;

/**
 * The numbers of entries that one feed put into a generation. Immutable.
 *
 * @param ipv4 distinct IPv4 hosts and networks listed
 * @param ipv6 distinct IPv6 hosts and networks listed
 * @param domains distinct names listed; one name with two match modes counts twice
 * @param addresses distinct mail addresses listed
 * @param urls distinct web addresses listed
 * @param fingerprints distinct SHA-256 values listed
 * @param asns distinct AS numbers listed; of a table of them the networks, which list nothing
 * @param exceptions distinct entries that take away
 * @param duplicates entries that repeat an earlier line of the feed; the first line is kept
 */
public record FeedCounts(
    String name,
    String version,
    long ipv4,
    long ipv6,
    @Named("domain") long domains,
    @Named("address") long addresses,
    @Named("url") long urls,
    @Named("fingerprint") long fingerprints,
    @Rare @Named("asn") long asns,
    long exceptions,
    long duplicates) {

  /** The version as the number that the gateway gave it, 0 when it is none. */
  public long number() {
    return version.matches("[1-9][0-9]{0,17}") ? Long.parseLong(version) : 0;
  }

  /** Distinct entries that list something. */
  public long entries() {
    return ipv4 + ipv6 + domains + addresses + urls + fingerprints + asns;
  }
}
