package io.bloomgate.blocklists.snapshot;

import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.index.Coverage;
import io.bloomgate.blocklists.index.NameIndex;
import io.bloomgate.blocklists.index.NetworkIndex;
import io.bloomgate.blocklists.key.DomainName;
import io.bloomgate.blocklists.key.IpAddress;
import io.bloomgate.blocklists.key.KeyHash;
import io.bloomgate.blocklists.key.ListEntry;
import io.bloomgate.blocklists.key.ListKey;
import io.bloomgate.blocklists.key.MailAddress;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;

/**
 * A generation read from disk: filters in the heap, exact indexes mapped. Asked by sessions on any
 * thread; immutable.
 *
 * <p>All filter reads of a key are issued before one is tested, so that their cache misses overlap;
 * the indexes are touched only after a hit. A clean ask makes no object.
 */
final class MappedSnapshot implements ListSnapshot {

  static final String IP = "ip";
  static final String NAME = "name";
  static final String IP_FILTER = "ip.filter";
  static final String NAME_FILTER = "name.filter";
  static final String NETWORK_INDEX = "network.index";
  static final String NAME_INDEX = "name.index";

  /** Version of the rules by which texts become keys (UTS 46 non-transitional, mapped IPv6). */
  static final int NORMALISATION_VERSION = KeyHash.NORMALISATION_VERSION;

  private static final long V4_PIVOT_MASK = -1L << (32 - NetworkIndex.V4_PIVOT);
  private static final long V6_WIDE_PIVOT_MASK = -1L << (64 - NetworkIndex.V6_WIDE_PIVOT);

  private static final ListAnswer FALSE_IP = new ListAnswer.FalsePositive(IP);
  private static final ListAnswer FALSE_NAME = new ListAnswer.FalsePositive(NAME);

  private final SnapshotManifest manifest;
  private final KeyHash hash;
  private final MembershipFilter ipFilter;
  private final MembershipFilter nameFilter;
  private final NetworkIndex networks;
  private final NameIndex names;

  /** Which probes can hit at all; a length that no entry has costs nothing. */
  private final boolean v4Hosts;

  private final boolean v4Pivots;
  private final boolean v6Hosts;
  private final boolean v6NarrowPivots;
  private final boolean v6WidePivots;

  private MappedSnapshot(
      SnapshotManifest manifest,
      MembershipFilter ipFilter,
      MembershipFilter nameFilter,
      NetworkIndex networks,
      NameIndex names) {
    Keying keying = names.file().header().keying();
    this.manifest = manifest;
    this.hash = new KeyHash(keying.seedHigh(), keying.seedLow());
    this.ipFilter = ipFilter;
    this.nameFilter = nameFilter;
    this.networks = networks;
    this.names = names;
    this.v4Hosts = networks.hasLengths(true, 32, 32);
    this.v4Pivots = networks.hasLengths(true, NetworkIndex.V4_PIVOT, 31);
    this.v6Hosts = networks.hasLengths(false, 128, 128);
    this.v6NarrowPivots = networks.hasLengths(false, NetworkIndex.V6_NARROW_PIVOT, 127);
    this.v6WidePivots =
        networks.hasLengths(false, NetworkIndex.V6_WIDE_PIVOT, NetworkIndex.V6_NARROW_PIVOT - 1);
  }

  /**
   * Opens a generation: filters are proven whole, of the indexes the headers; the rest by {@link
   * #verify}.
   *
   * @throws DamagedFileException when a file is missing or not what was written
   * @throws IOException when a file cannot be read
   */
  static MappedSnapshot open(Path directory) throws IOException {
    try {
      SnapshotManifest manifest = ManifestFile.read(directory);
      List<String> feeds = manifest.feeds().stream().map(FeedCounts::name).toList();
      NetworkIndex networks = NetworkIndex.open(directory.resolve(NETWORK_INDEX), feeds);
      NameIndex names = NameIndex.open(directory.resolve(NAME_INDEX), feeds);
      FilterFile ip = FilterFile.read(directory.resolve(IP_FILTER));
      FilterFile name = FilterFile.read(directory.resolve(NAME_FILTER));
      Keying keying = names.file().header().keying();
      checkFile(directory, manifest, keying, IP_FILTER, ip.digest(), ip.keying());
      checkFile(directory, manifest, keying, NAME_FILTER, name.digest(), name.keying());
      checkFile(
          directory,
          manifest,
          keying,
          NETWORK_INDEX,
          networks.file().digest(),
          networks.file().header().keying());
      checkFile(directory, manifest, keying, NAME_INDEX, names.file().digest(), keying);
      return new MappedSnapshot(manifest, ip.filter(), name.filter(), networks, names);
    } catch (NoSuchFileException e) {
      throw new DamagedFileException(directory, "is incomplete: " + e.getFile() + " is missing");
    }
  }

  private static void checkFile(
      Path directory,
      SnapshotManifest manifest,
      Keying expected,
      String file,
      String digest,
      Keying keying)
      throws DamagedFileException {
    if (!digest.equals(manifest.files().get(file)) || !keying.equals(expected)) {
      throw new DamagedFileException(
          directory.resolve(file), "does not belong to its generation (digest or seed differs)");
    }
    if (keying.hashVersion() != KeyHash.VERSION
        || keying.normalisationVersion() != NORMALISATION_VERSION) {
      throw new DamagedFileException(
          directory.resolve(file), "was made by another release: " + keying);
    }
  }

  @Override
  public long generation() {
    return manifest.generation();
  }

  @Override
  public SnapshotManifest manifest() {
    return manifest;
  }

  @Override
  public ListAnswer ask(ListKey key) {
    return switch (key) {
      case ListKey.Ip ip ->
          mayList(ip.address())
              ? answer(IP, FALSE_IP, networks.covering(ip.address()))
              : ListAnswer.NotListed.INSTANCE;
      case ListKey.Domain domain ->
          mayList(domain.name())
              ? answer(NAME, FALSE_NAME, names.covering(domain.name()))
              : ListAnswer.NotListed.INSTANCE;
      case ListKey.Address address ->
          mayList(address.address())
              ? answer(NAME, FALSE_NAME, names.covering(address.address()))
              : ListAnswer.NotListed.INSTANCE;
    };
  }

  private static ListAnswer answer(String filter, ListAnswer falsePositive, Coverage coverage) {
    return coverage.listed() ? new ListAnswer.Listed(filter, coverage.standing()) : falsePositive;
  }

  /** False when the address is certainly in no listed network. */
  boolean mayList(IpAddress address) {
    int hits = networks.inWideRange(address) ? 1 : 0;
    long high = address.high();
    long low = address.low();
    if (address.isV4()) {
      hits |= v4Hosts ? ipFilter.probe(hash.ip(address)) : 0;
      hits |=
          v4Pivots
              ? ipFilter.probe(hash.pivot(high, low & V4_PIVOT_MASK, NetworkIndex.V4_PIVOT))
              : 0;
    } else {
      hits |= v6Hosts ? ipFilter.probe(hash.ip(address)) : 0;
      hits |=
          v6NarrowPivots ? ipFilter.probe(hash.pivot(high, 0, NetworkIndex.V6_NARROW_PIVOT)) : 0;
      hits |=
          v6WidePivots
              ? ipFilter.probe(hash.pivot(high & V6_WIDE_PIVOT_MASK, 0, NetworkIndex.V6_WIDE_PIVOT))
              : 0;
    }
    return hits != 0;
  }

  /** False when neither the name nor a parent of two or more labels is listed. */
  boolean mayList(DomainName name) {
    int hits = 0;
    for (int label = name.labels() - 2; label >= 0; label--) {
      hits |= nameFilter.probe(hash.domain(name, label));
    }
    return hits != 0;
  }

  /** False when the mail address is certainly not listed. */
  boolean mayList(MailAddress address) {
    return nameFilter.mightContain(hash.address(address));
  }

  /** The line of an entry of a feed, if the exact index has that very entry. */
  OptionalInt line(int feed, ListEntry entry) {
    return switch (entry) {
      case ListEntry.Network network -> networks.line(feed, network);
      case ListEntry.Domain domain -> names.line(feed, domain);
      case ListEntry.Address address -> names.line(feed, address);
    };
  }

  /**
   * Proves every page of the indexes; the filters were proven when they were read.
   *
   * @throws DamagedFileException at the first damage
   */
  void verify() throws DamagedFileException {
    networks.verify();
    names.verify();
  }
}
