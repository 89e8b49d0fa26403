package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.key.DomainName;
import io.bloomgate.blocklists.key.IpAddress;
import io.bloomgate.blocklists.key.IpPrefix;
import io.bloomgate.blocklists.key.ListKey;
import io.bloomgate.blocklists.key.MailAddress;
import io.bloomgate.blocklists.operator.OperatorEntry.Subject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One operator list, found by key. Immutable; half of an {@link OperatorView}. A miss returns the
 * shared empty list.
 */
final class SubjectIndex {

  private final NetworkTable v4;
  private final NetworkTable v6;

  /** By A-label text, so that parents are found without making names of them. */
  private final Map<String, List<OperatorEntry>> domains;

  private final Map<MailAddress, List<OperatorEntry>> addresses;

  SubjectIndex(Collection<OperatorEntry> entries) {
    Map<IpPrefix, List<OperatorEntry>> v4Entries = new HashMap<>();
    Map<IpPrefix, List<OperatorEntry>> v6Entries = new HashMap<>();
    Map<String, List<OperatorEntry>> byDomain = new HashMap<>();
    Map<MailAddress, List<OperatorEntry>> byAddress = new HashMap<>();
    // Stable: entries of one subject stay in order of creation within the same narrowness.
    for (OperatorEntry entry : entries.stream().sorted(Narrowness.NARROWER_FIRST).toList()) {
      switch (entry.subject()) {
        case Subject.Network(IpPrefix prefix) ->
            put(prefix.isV4() ? v4Entries : v6Entries, prefix, entry);
        case Subject.Domain(DomainName name) -> put(byDomain, name.toString(), entry);
        case Subject.Address(MailAddress address) -> put(byAddress, address, entry);
      }
    }
    v4 = NetworkTable.of(v4Entries);
    v6 = NetworkTable.of(v6Entries);
    domains = byDomain;
    addresses = byAddress;
  }

  private static <K> void put(Map<K, List<OperatorEntry>> entries, K key, OperatorEntry entry) {
    entries.computeIfAbsent(key, ignored -> new ArrayList<>(1)).add(entry);
  }

  /** Live entries around the key, narrowest first. */
  List<OperatorEntry> covering(ListKey key, Instant now) {
    return switch (key) {
      case ListKey.Ip(IpAddress address) -> networks(address, now);
      case ListKey.Domain(DomainName name) -> domains(name, now);
      case ListKey.Address(MailAddress address) -> {
        Hits hits = new Hits(now);
        hits.add(addresses.getOrDefault(address, List.of()));
        yield hits.list();
      }
    };
  }

  private List<OperatorEntry> networks(IpAddress address, Instant now) {
    Hits hits = new Hits(now);
    (address.isV4() ? v4 : v6).covering(address, hits);
    return hits.list();
  }

  private List<OperatorEntry> domains(DomainName name, Instant now) {
    if (domains.isEmpty()) {
      return List.of();
    }
    Hits hits = new Hits(now);
    String rest = name.toString();
    for (int dot = rest.indexOf('.'); dot >= 0; dot = rest.indexOf('.')) {
      hits.add(domains.getOrDefault(rest, List.of()));
      rest = rest.substring(dot + 1);
    }
    return hits.list();
  }

  /** Collects live entries; makes a list only for the first one. */
  private static final class Hits implements NetworkTable.Found {
    private final Instant now;
    private List<OperatorEntry> found = List.of();

    Hits(Instant now) {
      this.now = now;
    }

    @Override
    public void add(List<OperatorEntry> entries) {
      for (OperatorEntry entry : entries) {
        if (!entry.expiredAt(now)) {
          if (found.isEmpty()) {
            found = new ArrayList<>(2);
          }
          found.add(entry);
        }
      }
    }

    List<OperatorEntry> list() {
      return found;
    }
  }
}
