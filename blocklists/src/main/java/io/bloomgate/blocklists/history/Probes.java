package io.bloomgate.blocklists.history;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.blocklists.filter.SplitBlockFilter;
import io.bloomgate.blocklists.filter.SplitBlockFilterBuilder;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.WebUrl;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Every entry that could cover a key: the networks of every length around an address, a name and
 * its parents with every match mode, a mail address itself. Made by {@link PastSnapshot} for each
 * key that is asked; immutable.
 */
final class Probes {

  /** One of them; equal to nothing but itself. */
  static final class Probe {
    private final int rank;
    private final ListEntry entry;
    private final boolean reaches;
    private final HistoryKey key;

    /** What the key sets in its line of a filter. */
    private final long[] bits = new long[SplitBlockFilter.LANES];

    Probe(int rank, ListEntry entry, boolean reaches) {
      this.rank = rank;
      this.entry = entry;
      this.reaches = reaches;
      this.key = HistoryKey.of(entry);
      SplitBlockFilterBuilder.set(bits, 0, key.hash());
    }

    /** 0 for the most specific. */
    int rank() {
      return rank;
    }

    /** False when by its match mode the entry does not reach the key. */
    boolean reaches() {
      return reaches;
    }

    HistoryKey key() {
      return key;
    }

    /** False when a filter that has these words has never seen the key. */
    boolean mayBeIn(LongBuffer words) {
      if (words.limit() == 0) {
        return false;
      }
      int line = SplitBlockFilter.firstWord(key.hash(), words.limit());
      for (int lane = 0; lane < bits.length; lane++) {
        if ((words.get(line + lane) & bits[lane]) != bits[lane]) {
          return false;
        }
      }
      return true;
    }

    /** The entry with a sign and a line. */
    ListEntry entry(boolean exception, int line) {
      return entry.with(exception, line);
    }
  }

  private final List<Probe> all = new ArrayList<>();
  private final List<List<Probe>> byForm = new ArrayList<>();

  private Probes() {
    for (int i = 0; i < HistoryKey.FORMS; i++) {
      byForm.add(new ArrayList<>());
    }
  }

  /** The entries that could cover a key, most specific first. */
  static Probes of(ListKey key) {
    Probes probes = new Probes();
    switch (key) {
      case IpAddress ip -> {
        for (int length = IpPrefix.host(ip).length(); length >= 0; length--) {
          probes.add(new ListEntry.Network(IpPrefix.around(ip, length), false, 0), true);
        }
      }
      case DomainName name -> {
        for (int label = 0; name.labels() - label >= 2; label++) {
          for (NameMatch match : NameMatch.values()) {
            probes.add(
                new ListEntry.Domain(name.from(label), match, false, 0), match.covers(label == 0));
          }
        }
      }
      case MailAddress address -> probes.add(new ListEntry.Address(address, false, 0), true);
      case WebUrl url ->
          url.expressions().forEach(one -> probes.add(new ListEntry.Url(one, false, 0), true));
      case Fingerprint print -> probes.add(new ListEntry.Hash(print, false, 0), true);
      case Likeness ignored -> {}
    }
    return probes;
  }

  private void add(ListEntry entry, boolean reaches) {
    Probe probe = new Probe(all.size(), entry, reaches);
    all.add(probe);
    byForm.get(probe.key().form()).add(probe);
  }

  /** All, most specific first. */
  List<Probe> all() {
    return all;
  }

  /** Those whose key has this form. */
  List<Probe> ofForm(int form) {
    return byForm.get(form);
  }
}
