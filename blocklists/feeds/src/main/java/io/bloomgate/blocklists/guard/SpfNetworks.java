package io.bloomgate.blocklists.guard;

import io.bloomgate.config.name.IpPrefix;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The networks that SPF records (RFC 7208) name: {@code ip4} and {@code ip6}, those of {@code
 * include} and {@code redirect} too. What depends on the mail ({@code a}, {@code mx}, {@code ptr},
 * {@code exists}, macros) names no network for everybody, and is left out. One expansion, on one
 * thread: the command {@code feeds update-protected}.
 */
public final class SpfNetworks {

  /** Questions for the records of one provider. */
  private static final int MOST_QUESTIONS = 50;

  /** Addresses of one provider: more are a mistake, or a trick. */
  private static final double MOST_IPV4 = 1L << 23;

  /** The same for IPv6, in networks of /64: sixteen /32. */
  private static final double MOST_IPV6 = 1L << 36;

  /** A smaller network of IPv6 counts as this one. */
  private static final int COUNTED_IPV6 = 64;

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)+\\.?");

  private final TxtRecords dns;
  private final Set<String> asked = new HashSet<>();
  private final List<IpPrefix> found = new ArrayList<>();

  /** Asks for TXT records. */
  @FunctionalInterface
  public interface TxtRecords {
    /**
     * The texts of a name, each as one; none where there are none.
     *
     * @throws IOException when no name server answers
     */
    List<String> of(String name) throws IOException;
  }

  private SpfNetworks(TxtRecords dns) {
    this.dns = dns;
  }

  /**
   * The networks of these records, sorted, none inside another.
   *
   * @throws IOException when a record cannot be read whole; the message says which and why
   */
  public static List<IpPrefix> of(List<String> records, TxtRecords dns) throws IOException {
    SpfNetworks networks = new SpfNetworks(dns);
    for (String record : records) {
      networks.record(record);
    }
    if (networks.found.isEmpty()) {
      throw new IOException(String.join(", ", records) + " names no network");
    }
    List<IpPrefix> widest = widest(networks.found);
    believe(records, widest, true, MOST_IPV4, "IPv4 addresses");
    believe(records, widest, false, MOST_IPV6, "IPv6 networks of /64");
    return widest;
  }

  /** Adds up addresses of IPv4, or networks of /64, of networks of which none is inside another. */
  private static void believe(
      List<String> records, List<IpPrefix> networks, boolean v4, double most, String what)
      throws IOException {
    int bits = v4 ? Integer.SIZE : COUNTED_IPV6;
    double sum =
        networks.stream()
            .filter(network -> network.isV4() == v4)
            .mapToDouble(network -> Math.scalb(1.0, Math.max(0, bits - network.length())))
            .sum();
    if (sum > most) {
      throw new IOException(
          "%s names %.0f %s in all, which is too much to be believed: at most %.0f of one provider"
              .formatted(String.join(", ", records), sum, what, most));
    }
  }

  private void record(String name) throws IOException {
    if (!NAME.matcher(name).matches()) {
      return; // a macro
    }
    if (!asked.add(name.toLowerCase(Locale.ROOT))) {
      return;
    }
    if (asked.size() > MOST_QUESTIONS) {
      throw new IOException("more than " + MOST_QUESTIONS + " records are included");
    }
    List<String> spf =
        dns.of(name).stream()
            .filter(text -> text.equals("v=spf1") || text.startsWith("v=spf1 "))
            .toList();
    // RFC 7208 section 4.5: more than one is an error.
    if (spf.size() != 1) {
      throw new IOException(name + " has " + spf.size() + " SPF records, not one");
    }
    for (String term : spf.getFirst().split(" +", -1)) {
      term(name, term.startsWith("+") ? term.substring(1) : term);
    }
  }

  /** Other qualifiers do not say that mail from there is the provider's. */
  private void term(String name, String term) throws IOException {
    String word = term.toLowerCase(Locale.ROOT);
    if (word.startsWith("include:")) {
      record(term.substring("include:".length()));
    } else if (word.startsWith("redirect=")) {
      record(term.substring("redirect=".length()));
    } else if (word.startsWith("ip4:") || word.startsWith("ip6:")) {
      network(name, term.substring("ip4:".length()));
    }
  }

  private void network(String name, String text) throws IOException {
    IpPrefix network =
        IpPrefix.parse(text)
            .toOptional()
            .orElseThrow(() -> new IOException(name + " has a network that cannot be read"));
    found.add(network);
  }

  private static List<IpPrefix> widest(List<IpPrefix> networks) {
    return networks.stream()
        .distinct()
        .filter(one ->
            networks.stream()
                .noneMatch(other -> other.length() < one.length() && other.contains(one.network())))
        .sorted(Comparator.comparing(IpPrefix::network))
        .toList();
  }
}
