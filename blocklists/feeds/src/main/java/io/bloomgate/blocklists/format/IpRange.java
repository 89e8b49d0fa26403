package io.bloomgate.blocklists.format;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import java.util.ArrayList;
import java.util.List;

/** Cuts a range of addresses into the fewest networks. Used by the parsers; pure. */
public final class IpRange {

  private IpRange() {}

  /**
   * The networks that together are exactly {@code first} to {@code last}, in order.
   *
   * @throws IllegalArgumentException when the two are of different families or in wrong order
   */
  public static List<IpPrefix> networks(IpAddress first, IpAddress last) {
    if (first.isV4() != last.isV4() || first.compareTo(last) > 0) {
      throw new IllegalArgumentException("no range: " + first + " - " + last);
    }
    List<IpPrefix> networks = new ArrayList<>();
    IpAddress at = first;
    while (true) {
      IpPrefix widest = widestAt(at, last);
      networks.add(widest);
      IpAddress end = widest.last();
      if (end.equals(last)) {
        return networks;
      }
      at = end.next();
    }
  }

  /** The widest network that begins at an address and does not go beyond the last. */
  private static IpPrefix widestAt(IpAddress at, IpAddress last) {
    IpPrefix widest = IpPrefix.host(at);
    while (widest.length() > 0) {
      IpPrefix wider = IpPrefix.around(at, widest.length() - 1);
      if (!wider.network().equals(at) || wider.last().compareTo(last) > 0) {
        return widest;
      }
      widest = wider;
    }
    return widest;
  }
}
