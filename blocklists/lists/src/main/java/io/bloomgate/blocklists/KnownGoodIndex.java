package io.bloomgate.blocklists;

import io.bloomgate.blocklists.operator.KnownGoodFiles;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.NamePattern;
import io.bloomgate.config.name.Subject;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the known good sender that a block would refuse; what a question costs does not grow with
 * the files. Made once for a command; immutable afterwards.
 */
final class KnownGoodIndex {

  /** The first known good subject by each block that covers it; networks are apart. */
  private final Map<Subject, Subject> covered = new HashMap<>();

  /** Known good networks by their first address; none holds another. */
  private final TreeMap<IpAddress, IpPrefix> networks = new TreeMap<>();

  private int subjects;

  /** Subjects that are kept. */
  private static final int MAX_SUBJECTS = 500_000;

  KnownGoodIndex(KnownGoodFiles files) {
    files.forEach((good, _) -> {
      // More do not belong to the set.
      if (subjects++ < MAX_SUBJECTS) {
        add(good);
      }
    });
  }

  private void add(Subject good) {
    if (good instanceof IpPrefix network) {
      addNetwork(network);
      return;
    }
    covered.putIfAbsent(good, good);
    if (good instanceof DomainName name) {
      addAround(name, good);
    } else if (good instanceof MailAddress address
        && address.host() instanceof MailAddress.Host.Name(DomainName host)) {
      addAround(host, good);
    }
  }

  private void addNetwork(IpPrefix network) {
    Map.Entry<IpAddress, IpPrefix> before = networks.floorEntry(network.network());
    if (before == null || !before.getValue().contains(network.last())) {
      networks.subMap(network.network(), true, network.last(), true).clear();
      networks.put(network.network(), network);
    }
  }

  /** A block holds for the name and for all names below it. */
  private void addAround(DomainName name, Subject good) {
    for (int label = 0; label <= name.labels() - 2; label++) {
      covered.putIfAbsent(name.from(label), good);
    }
  }

  /** The known good sender that a block of the subject would refuse. */
  Optional<Subject> find(Subject block) {
    return switch (block) {
      case IpPrefix network -> Optional.ofNullable(overlapping(network));
      case NamePattern pattern when !pattern.isOfAddresses() -> pattern.domain().map(covered::get);
      default -> Optional.ofNullable(covered.get(block));
    };
  }

  private @Nullable IpPrefix overlapping(IpPrefix block) {
    Map.Entry<IpAddress, IpPrefix> last = networks.floorEntry(block.last());
    return last != null && last.getValue().overlaps(block) ? last.getValue() : null;
  }
}
