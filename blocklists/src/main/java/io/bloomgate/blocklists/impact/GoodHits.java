package io.bloomgate.blocklists.impact;

import io.bloomgate.config.name.IpPrefix;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The networks whose mail was accepted and which a new version of a list would refuse, while the
 * live version does not. Immutable.
 *
 * @param networks how many there are
 * @param first of them, the newest first, at most {@link #NAMED}
 */
public record GoodHits(int networks, List<Hit> first) {

  /** Networks that are named. */
  static final int NAMED = 5;

  /** None. */
  public static final GoodHits NONE = new GoodHits(0, List.of());

  /**
   * One network.
   *
   * @param network as one holder usually has it
   * @param domain of the envelope sender; empty for none
   * @param entry that lists the session, canonical
   */
  public record Hit(IpPrefix network, String domain, String entry) {

    private String text() {
      return network + (domain.isEmpty() ? "" : " (" + domain + ")") + " by " + entry;
    }
  }

  public GoodHits {
    first = List.copyOf(first);
  }

  /** The networks with sender domain and entry, for people. */
  public String names() {
    String names = first.stream().map(Hit::text).collect(Collectors.joining(", "));
    int more = networks - first.size();
    return more == 0 ? names : names + ", and " + more + " more";
  }
}
