package io.bloomgate.blocklists.index;

import io.bloomgate.config.name.Keyed;
import java.io.IOException;

/**
 * The layout of IPv4 hosts in a {@link NetworkIndex}. The builder takes what makes the smaller
 * file; the file names the choice.
 */
public enum HostLayout implements Keyed {
  /** One sorted array of networks of every length, hosts among them: where hosts are sparse. */
  RANGES(0),
  /**
   * A bitmap of the /24s that have hosts and an octet for each host, beside the array of the other
   * networks: where hosts are dense.
   */
  TABLE(1);

  private final long code;

  HostLayout(long code) {
    this.code = code;
  }

  /** The number of the layout in files. */
  long code() {
    return code;
  }

  static HostLayout ofCode(long code) throws IOException {
    for (HostLayout layout : values()) {
      if (layout.code == code) {
        return layout;
      }
    }
    throw new IOException("IPv4 hosts are held in a way that this release cannot read");
  }

  /**
   * The layout that makes the smaller file; the entries of the hosts cost the same in both.
   *
   * @param groupOctets what the groups of a table of these hosts take
   */
  static HostLayout smallerFor(long hosts, long groupOctets) {
    long table = HostTable.TABLE_OCTETS + groupOctets;
    return groupOctets <= HostTable.MAX_GROUP_OCTETS && table < hosts * NetworkTree.V4_OCTETS
        ? TABLE
        : RANGES;
  }
}
