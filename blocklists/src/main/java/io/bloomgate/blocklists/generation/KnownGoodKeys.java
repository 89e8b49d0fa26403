package io.bloomgate.blocklists.generation;

import io.bloomgate.blocklists.entry.FilterHashes;
import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.file.Longs;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.name.WebUrl;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The hashes under which known-good subjects are asked of a generation's filters, as {@link
 * KeyFilters} asks them. Made for one build, on the building thread.
 */
final class KnownGoodKeys {

  /** Hosts of a network that are asked one by one; a wider one is too much to prove. */
  private static final int MAX_HOSTS = 256;

  private static final int MAX_HOST_BITS = Integer.numberOfTrailingZeros(MAX_HOSTS);

  private final Map<Partition, Longs> hashes = new EnumMap<>(Partition.class);

  KnownGoodKeys(KnownGood knownGood, KeyHash hash) {
    FilterHashes asked = new FilterHashes(hash);
    for (Partition partition : Partition.values()) {
      hashes.put(partition, new Longs());
    }
    knownGood.forEach(
        subject -> keys(subject).forEach(key -> asked.asked(key, of(Partition.of(key))::add)));
  }

  /** Hashes of a partition; one may be there more than once. */
  Longs of(Partition partition) {
    return Objects.requireNonNull(hashes.get(partition));
  }

  /**
   * What sessions ask of a subject; nothing for a network of more than {@link #MAX_HOSTS} hosts.
   */
  static List<ListKey> keys(Subject subject) {
    return switch (subject) {
      case DomainName _, WebUrl _, Fingerprint _, Likeness _ -> subject.keys();
      case MailAddress address -> {
        List<ListKey> keys = address.keys();
        if (address.host() instanceof MailAddress.Host.Literal(IpAddress literal)) {
          keys.add(literal);
        }
        yield keys;
      }
      case IpPrefix network -> hosts(network);
    };
  }

  private static List<ListKey> hosts(IpPrefix network) {
    List<ListKey> keys = new ArrayList<>();
    int hostBits = (network.isV4() ? 32 : 128) - network.length();
    if (hostBits > MAX_HOST_BITS) {
      return keys;
    }
    IpAddress first = network.network();
    for (int i = 0; i < 1 << hostBits; i++) {
      keys.add(new IpAddress(first.high(), first.low() + i));
    }
    return keys;
  }
}
