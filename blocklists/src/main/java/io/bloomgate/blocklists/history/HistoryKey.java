package io.bloomgate.blocklists.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * An entry as files of the history keep it: the octets of its key, and a form, which is the kind of
 * the key with the length of the network or the match mode of the name. An entry can be read back
 * from both. Made by {@link DeltaCollector} and {@link Probes}; immutable.
 */
final class HistoryKey implements Comparable<HistoryKey> {

  /** Incremented when forms, octets or hashes change; the first octet of every record. */
  static final int VERSION = 1;

  private static final int V4_LENGTHS = 33;
  private static final int V6_LENGTHS = 129;
  private static final int FIRST_NAME = V4_LENGTHS + V6_LENGTHS;
  private static final int ADDRESS = FIRST_NAME + 3;
  private static final int URL = ADDRESS + 1;
  private static final int FINGERPRINT = URL + 1;

  /** How many forms there are; they are numbered from 0. */
  static final int FORMS = FINGERPRINT + 1;

  /**
   * Fixed seeds: keys that an attacker chooses to collide in a filter of the history only make a
   * question read a file without need.
   */
  private static final KeyHash HASH = new KeyHash(0x626c_6f6f_6d67_6174L, 0x6869_7374_6f72_79L);

  private final int form;
  private final byte[] octets;
  private final long hash;

  private HistoryKey(int form, byte[] octets, long hash) {
    this.form = form;
    this.octets = octets;
    this.hash = hash;
  }

  /** The key of an entry, whatever its sign and line. */
  static HistoryKey of(ListEntry entry) {
    int form;
    byte[] octets;
    switch (entry) {
      case ListEntry.Network(IpPrefix prefix, var _, var _) -> {
        form = prefix.length() + (prefix.isV4() ? 0 : V4_LENGTHS);
        octets = octets(prefix.network());
      }
      case ListEntry.Domain domain -> {
        form = FIRST_NAME + number(domain.match());
        octets = domain.name().octets();
      }
      case ListEntry.Address address -> {
        form = ADDRESS;
        octets = address.address().toString().getBytes(UTF_8);
      }
      case ListEntry.Url url -> {
        form = URL;
        octets = url.url().octets();
      }
      case ListEntry.Hash hash -> {
        form = FINGERPRINT;
        octets = hash.print().octets();
      }
    }
    return new HistoryKey(form, octets, HASH.subject(entry.subject()));
  }

  private static byte[] octets(IpAddress address) {
    return address.isV4()
        ? ByteBuffer.allocate(Integer.BYTES).putInt(address.v4Bits()).array()
        : ByteBuffer.allocate(2 * Long.BYTES)
            .putLong(address.high())
            .putLong(address.low())
            .array();
  }

  private static int number(NameMatch match) {
    return switch (match) {
      case EXACT -> 0;
      case SUFFIX -> 1;
      case BELOW -> 2;
    };
  }

  /** Kind of the key, with the length of the network or the match mode of the name. */
  int form() {
    return form;
  }

  /** The key itself; not to be changed. */
  byte[] octets() {
    return octets;
  }

  /** The hash for filters, the same for every match mode of a name. */
  long hash() {
    return hash;
  }

  /** Order of the octets, for keys of one form. */
  @Override
  public int compareTo(HistoryKey other) {
    return Arrays.compareUnsigned(octets, other.octets);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof HistoryKey that
        && form == that.form
        && Arrays.equals(octets, that.octets);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(hash) + form;
  }
}
