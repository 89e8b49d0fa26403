package io.bloomgate.blocklists.sessions;

import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterSizing;
import io.bloomgate.blocklists.filter.MappedSplitBlock;
import io.bloomgate.blocklists.filter.SplitBlockFilterBuilder;
import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A split-block Bloom filter beside a day that is over: clients, their networks, domains of senders
 * and recipients, and ids. A question opens only the days that may hold what is asked; a chance hit
 * costs one look into a day. One page of the file is read for a key. Used by the threads of
 * questions; made by {@link DaySeal}.
 */
final class DayFilter {

  /** Ratio of days that are opened without need. */
  private static final double FALSE_POSITIVE_RATE = 0.01;

  private final MappedSplitBlock filter;
  private final KeyHash hash;

  private DayFilter(MappedSplitBlock filter, KeyHash hash) {
    this.filter = filter;
    this.hash = hash;
  }

  /** Collects the keys of a day. */
  static final class Builder {
    private final Keying keying;
    private final KeyHash hash;
    private final SplitBlockFilterBuilder filter;
    private final long capacity;

    /**
     * An empty filter.
     *
     * @param capacity distinct keys that it is made for
     */
    Builder(long capacity, RandomGenerator random) throws IOException {
      this.keying =
          new Keying(
              KeyHash.VERSION, KeyHash.NORMALISATION_VERSION, random.nextLong(), random.nextLong());
      this.hash = new KeyHash(keying.seedHigh(), keying.seedLow());
      this.capacity = Math.max(1, capacity);
      try {
        this.filter =
            new SplitBlockFilterBuilder(
                FilterSizing.splitBlock(this.capacity, FALSE_POSITIVE_RATE));
      } catch (FilterBuildException e) {
        throw new IOException(e);
      }
    }

    void add(String key) {
      filter.add(hash.text(key));
    }

    void write(Path target) throws IOException {
      FilterFile.write(target, filter.build(capacity), keying);
    }
  }

  /** Opens the filter of a day. */
  static DayFilter open(Path path) throws IOException {
    PagedFile file = PagedFile.open(path);
    Keying keying = file.header().keying();
    return new DayFilter(
        MappedSplitBlock.of(file), new KeyHash(keying.seedHigh(), keying.seedLow()));
  }

  /** False when the day certainly has no session with all of these keys. */
  boolean mayHold(List<String> keys) throws IOException {
    for (String key : keys) {
      if (!filter.mightContain(hash.text(key))) {
        return false;
      }
    }
    return true;
  }

  static String ofClient(IpAddress client) {
    return "client " + client;
  }

  static String ofNetwork(IpAddress client) {
    return "network " + ClientNetwork.site(client);
  }

  static String ofSenderDomain(String domain) {
    return "from " + domain;
  }

  static String ofRecipientDomain(String domain) {
    return "to " + domain;
  }

  static String ofId(long idBits) {
    return "id " + idBits;
  }

  /** The key of a network that is a client or lies in one client's network. */
  static Optional<String> key(IpPrefix network) {
    if (network.isHost()) {
      return Optional.of(ofClient(network.network()));
    }
    return network.length() < ClientNetwork.site(network.network()).length()
        ? Optional.empty()
        : Optional.of(ofNetwork(network.network()));
  }
}
