package io.bloomgate.blocklists.index;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.MailAddress;

/**
 * Listings for tests that need one without building an index; product code cannot do this (promise
 * P2).
 */
public final class ListingFixture {

  private ListingFixture() {}

  /** A listing of a network. */
  public static Listing network(String feed, String prefix, int line) {
    return new Listing(
        feed,
        new ListEntry.Network(IpPrefix.parse(prefix).toOptional().orElseThrow(), false, line));
  }

  /** A listing of an address. */
  public static Listing address(String feed, String address, int line) {
    return new Listing(
        feed,
        new ListEntry.Address(MailAddress.parse(address).toOptional().orElseThrow(), false, line));
  }
}
