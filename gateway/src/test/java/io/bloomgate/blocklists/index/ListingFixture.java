package io.bloomgate.blocklists.index;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.WebUrl;

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

  /** A listing of the very thing that a key names. */
  public static Listing of(String feed, ListKey key, int line) {
    return new Listing(
        feed,
        switch (key) {
          case IpAddress address -> new ListEntry.Network(IpPrefix.host(address), false, line);
          case DomainName name ->
              new ListEntry.Domain(name, ListEntry.NameMatch.EXACT, false, line);
          case MailAddress address -> new ListEntry.Address(address, false, line);
          case WebUrl url -> new ListEntry.Url(url, false, line);
          case AsNumber number -> new ListEntry.As(number, false, line);
          case Fingerprint print -> new ListEntry.Hash(print, false, line);
          case Likeness _ -> throw new AssertionError("no feed lists likenesses");
        });
  }
}
