package io.bloomgate.blocklists.generation;

import io.bloomgate.blocklists.entry.FilterHashes;
import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.index.AsnAnswer;
import io.bloomgate.blocklists.index.AsnTable;
import io.bloomgate.blocklists.index.Coverage;
import io.bloomgate.blocklists.index.EntryVisitor;
import io.bloomgate.blocklists.index.NameIndex;
import io.bloomgate.blocklists.index.NetworkIndex;
import io.bloomgate.blocklists.index.RangeTally;
import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.WebUrl;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A generation read from disk: filters in the heap, exact indexes mapped. Asked by sessions on any
 * thread; immutable. The indexes are touched only after a filter hit; a clean ask makes no object
 * (of a batch only web addresses make some). All reads of a batch of keys are issued before one is
 * tested, so that their cache misses overlap.
 */
final class MappedSnapshot implements ListSnapshot {

  static final String NETWORK_INDEX = "network.index";
  static final String NAME_INDEX = "name.index";

  /** Version of the rules by which texts become keys (UTS 46 non-transitional, mapped IPv6). */
  static final int NORMALISATION_VERSION = KeyHash.NORMALISATION_VERSION;

  private final SnapshotManifest manifest;
  private final long generation;
  private final FilterHashes hashes;

  /** The one of each partition, by its number. */
  private final MembershipFilter[] filters;

  private final NetworkIndex networks;
  private final NameIndex names;

  /** {@code null} where no feed is a table. */
  private final @Nullable AsnTable table;

  private MappedSnapshot(
      SnapshotManifest manifest,
      Keying keying,
      MembershipFilter[] filters,
      NetworkIndex networks,
      NameIndex names,
      @Nullable AsnTable table) {
    this.manifest = manifest;
    this.generation = manifest.generation();
    this.hashes =
        new FilterHashes(new KeyHash(keying.seedHigh(), keying.seedLow()), networks::hasPivot);
    this.filters = filters;
    this.networks = networks;
    this.names = names;
    this.table = table;
  }

  /**
   * Opens a generation: filters are proven whole, of the indexes the headers; the rest by {@link
   * #verify}.
   *
   * @throws DamagedFileException when a file is missing or not what was written
   * @throws OtherReleaseException when it was made by a release with other files
   * @throws IOException when a file cannot be read
   */
  static MappedSnapshot open(Path directory) throws IOException {
    try {
      SnapshotManifest manifest = ManifestFile.read(directory);
      List<String> feeds = manifest.feeds().stream().map(FeedCounts::name).toList();
      NetworkIndex networks = NetworkIndex.open(directory.resolve(NETWORK_INDEX), feeds);
      NameIndex names = NameIndex.open(directory.resolve(NAME_INDEX), feeds);
      Keying keying = names.file().header().keying();
      Members members = new Members(directory, manifest, keying);
      members.check(NAME_INDEX, names.file().digest(), keying);
      members.check(NETWORK_INDEX, networks.file().digest(), networks.file().header().keying());
      AsnTable table = null;
      if (manifest.files().containsKey(AsnTable.NETWORKS)) {
        table = AsnTable.open(directory, feeds);
        for (Map.Entry<String, PagedFile> file : table.files().entrySet()) {
          Keying its = file.getValue().header().keying();
          members.check(file.getKey(), file.getValue().digest(), its);
        }
      }
      MembershipFilter[] filters = new MembershipFilter[Partition.COUNT];
      for (Partition partition : Partition.values()) {
        FilterFile file = FilterFile.read(directory.resolve(partition.file()));
        members.check(partition.file(), file.digest(), file.keying());
        filters[partition.number()] = file.filter();
      }
      return new MappedSnapshot(manifest, keying, filters, networks, names, table);
    } catch (NoSuchFileException e) {
      throw new DamagedFileException(directory, "is incomplete: " + e.getFile() + " is missing");
    } catch (ArithmeticException | IndexOutOfBoundsException | NoSuchElementException e) {
      // The headers are proven, so it is no damage: their numbers mean something else.
      throw new OtherReleaseException(directory, "has files of another release (" + e + ")");
    }
  }

  /** The facts with which every file of a generation must agree. */
  private record Members(Path directory, SnapshotManifest manifest, Keying keying) {

    void check(String file, String digest, Keying itsKeying) throws IOException {
      if (!digest.equals(manifest.files().get(file)) || !itsKeying.equals(keying)) {
        throw new DamagedFileException(
            directory.resolve(file), "does not belong to its generation (digest or seed differs)");
      }
      if (keying.hashVersion() != KeyHash.VERSION
          || keying.normalisationVersion() != NORMALISATION_VERSION) {
        throw new OtherReleaseException(directory, "has keys of another release (" + keying + ")");
      }
    }
  }

  @Override
  public long generation() {
    return generation;
  }

  @Override
  public SnapshotManifest manifest() {
    return manifest;
  }

  @Override
  public List<AsnAnswer> asn(IpPrefix network) {
    return table == null ? List.of() : table.of(network);
  }

  @Override
  public RangeTally within(IpPrefix range) {
    return networks.within(range);
  }

  @Override
  public void forEachWithin(IpPrefix range, Consumer<IpPrefix> inside) {
    networks.forEachWithin(range, inside);
  }

  @Override
  public long mayList(KeyBatch batch) {
    long hits = batch.ask(hashes, filters);
    // The search of wide networks branches on what it reads: last, while the filters' reads are
    // under way.
    for (int i = 0; i < batch.size(); i++) {
      if (batch.key(i) instanceof IpAddress ip && networks.inWideRange(ip)) {
        hits |= 1L << i;
      }
    }
    return hits;
  }

  /** False when the key is certainly not listed; true is for the exact index to confirm. */
  private boolean mayList(ListKey key) {
    MembershipFilter filter = filters[Partition.of(key).number()];
    int[] hits = {key instanceof IpAddress address && networks.inWideRange(address) ? 1 : 0};
    hashes.asked(key, hash -> hits[0] |= filter.probe(hash));
    return hits[0] != 0;
  }

  @Override
  public ListAnswer ask(ListKey key) {
    if (!mayList(key)) {
      return ListAnswer.NotListed.INSTANCE;
    }
    return switch (key) {
      case IpAddress ip -> answer(Partition.IP, networks.covering(ip));
      case DomainName domain -> answer(Partition.DOMAIN, names.covering(domain));
      case MailAddress address -> answer(Partition.ADDRESS, names.covering(address));
      case WebUrl url -> answer(Partition.URL, names.covering(url));
      case Fingerprint print -> answer(Partition.FINGERPRINT, names.covering(print));
      case AsNumber number -> answer(Partition.FINGERPRINT, names.covering(number));
      case Likeness ignored -> ListAnswer.NotListed.INSTANCE;
    };
  }

  private static ListAnswer answer(Partition partition, Coverage coverage) {
    if (coverage.listed()) {
      return new ListAnswer.Listed(partition.word(), coverage.standing());
    }
    return coverage.beside().isEmpty()
        ? new ListAnswer.FalsePositive(partition.word())
        : new ListAnswer.OutOfReach(partition.word(), coverage.beside());
  }

  /** A first look for many names in the exact index; see {@link NameIndex#mayHold}. */
  boolean mayHold(List<? extends ListEntry> entries) {
    return names.mayHold(entries);
  }

  @Override
  public void forEachEntry(EntryVisitor visitor) {
    networks.forEachEntry(visitor);
    names.forEachEntry(visitor);
  }

  @Override
  public OptionalInt line(int feed, ListEntry entry) {
    return switch (entry) {
      case ListEntry.Network network -> networks.line(feed, network);
      case ListEntry.AsnRow row -> table == null ? OptionalInt.empty() : table.line(feed, row);
      default -> names.line(feed, entry);
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
    if (table != null) {
      table.verify();
    }
  }
}
