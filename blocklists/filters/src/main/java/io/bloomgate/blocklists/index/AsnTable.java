package io.bloomgate.blocklists.index;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.AsnRow;
import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.FileKind;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.file.Longs;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.file.PagedFileWriter;
import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.IpPrefix;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Says whose networks are, by the feeds that are such tables: a {@link NetworkIndex} whose entries
 * have in place of a line the number of their row, and a file with what each row says, 8 octets
 * each: u32 AS number, two letters, u16 zero. Read by sessions on any thread, where a rule or a
 * list wants to know it. Immutable.
 */
public final class AsnTable {

  public static final String NETWORKS = "asn.index";
  public static final String SAID = "asn.said";

  private static final int NUMBER_SHIFT = 32;

  private final NetworkIndex networks;
  private final PagedFile said;

  private AsnTable(NetworkIndex networks, PagedFile said) {
    this.networks = networks;
    this.said = said;
  }

  /**
   * Opens the two files in a directory. Their headers are proven; the rest by {@link #verify}.
   *
   * @param feeds names by number
   * @throws DamagedFileException when they are not what was written
   */
  public static AsnTable open(Path directory, List<String> feeds) throws IOException {
    return new AsnTable(
        NetworkIndex.open(directory.resolve(NETWORKS), feeds),
        PagedFile.open(directory.resolve(SAID), FileKind.ASN_SAID));
  }

  /** The files by name, for their digests and keying. */
  public Map<String, PagedFile> files() {
    return Map.of(NETWORKS, networks.file(), SAID, said);
  }

  /**
   * Proves both files.
   *
   * @throws DamagedFileException when a page is not what was written
   */
  public void verify() throws DamagedFileException {
    networks.verify();
    said.verify();
  }

  /** Returns what each table says of all of the network: the narrowest row around it counts. */
  public List<AsnAnswer> of(IpPrefix network) {
    List<IpPrefix> inside = new ArrayList<>();
    if (!network.isHost()) {
      networks.forEachWithin(network, inside::add);
    }
    Map<String, AsnAnswer> answers = new LinkedHashMap<>();
    for (Listing row : networks.covering(network.network()).standing()) {
      if (inside.isEmpty() && row.entry().subject().narrowness() <= network.length()) {
        answers.computeIfAbsent(row.feed(), feed -> answer(feed, row.entry().line()));
      }
    }
    return List.copyOf(answers.values());
  }

  private AsnAnswer answer(String feed, int what) {
    long value = said.body().get(Words.U64, (long) what * Long.BYTES);
    int letters = (int) value >>> Short.SIZE;
    return new AsnAnswer(
        feed,
        value >>> NUMBER_SHIFT == 0 ? null : new AsNumber((int) (value >>> NUMBER_SHIFT)),
        letters == 0 ? "" : "" + (char) (letters >>> Byte.SIZE) + (char) (letters & 0xff));
  }

  /** The number of what a row says, if the feed has that very network. */
  public OptionalInt line(int feed, AsnRow row) {
    return networks.line(feed, new ListEntry.Network(row.prefix(), false, 0));
  }

  /** Collects rows, feed after feed; used by the snapshot builder on one thread. */
  public static final class Builder {
    private final EntryTally tally;
    private final EntryTally ofNetworks;
    private final NetworkIndexBuilder networks;

    /** Number and country of each row. */
    private final Longs said = new Longs();

    private int lastFeed;

    /**
     * An empty builder that counts into {@code tally}.
     *
     * @param feeds how many there are
     * @param maxOctets heap that the rows may take
     */
    public Builder(EntryTally tally, int feeds, long maxOctets) {
      this.tally = tally;
      this.ofNetworks = new EntryTally(feeds);
      this.networks = new NetworkIndexBuilder(ofNetworks, maxOctets);
    }

    /**
     * Adds a row.
     *
     * @throws TooManyEntriesException when there is no room for it
     */
    public void add(int feed, AsnRow row) throws IOException {
      long number = row.number() == null ? 0 : row.number().bits();
      String country = row.country();
      long letters = country.isEmpty() ? 0 : country.charAt(0) << Byte.SIZE | country.charAt(1);
      networks.add(feed, new ListEntry.Network(row.prefix(), false, said.size()));
      said.add(number << NUMBER_SHIFT | letters << Short.SIZE);
      lastFeed = feed;
    }

    /**
     * Writes the two files; none where there was no row.
     *
     * @param digests of files by their names, to which theirs are added
     */
    public void write(Path directory, Keying keying, Map<String, String> digests)
        throws IOException {
      if (said.size() == 0) {
        return;
      }
      digests.put(NETWORKS, networks.write(directory.resolve(NETWORKS), keying));
      for (int feed = 0; feed <= lastFeed; feed++) {
        tally.addAsn(feed, ofNetworks);
      }
      try (PagedFileWriter out = PagedFileWriter.create(directory.resolve(SAID))) {
        for (int row = 0; row < said.size(); row++) {
          out.putLong(said.get(row));
        }
        digests.put(
            SAID,
            out.commit(
                new FileHeader(
                    FileKind.ASN_SAID, keying, said.size(), said.size(), 0, 0, List.of())));
      }
    }
  }
}
