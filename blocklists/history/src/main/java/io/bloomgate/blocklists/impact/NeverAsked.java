package io.bloomgate.blocklists.impact;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.format.FeedSink;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.IpAddress;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Counts the entries of a list that is tried which none of its checks ever looks up: they would
 * read as entries that hit nobody. Filled while {@link CandidateLists} reads the list, on that
 * thread.
 */
final class NeverAsked implements FeedSink {

  /** A kind of entries, and the checks that look for such entries, the usual ones first. */
  private enum Kind {
    NETWORK("network", List.of(Check.CLIENT_IP, Check.HELO, Check.URL_HOST)),
    DOMAIN(
        "domain",
        List.of(
            Check.HELO,
            Check.SENDER_DOMAIN,
            Check.CLIENT_NAME,
            Check.FROM_DOMAIN,
            Check.REPLY_TO_DOMAIN,
            Check.URL_HOST)),
    ADDRESS("mail address", List.of(Check.SENDER, Check.FROM)),
    URL("URL", List.of(Check.URL)),
    ASN("AS number", List.of(Check.ASN)),
    HASH("SHA-256 value", List.of(Check.ATTACHMENT, Check.SUBJECT, Check.BODY));

    private final String noun;

    @SuppressWarnings("ImmutableEnumChecker") // List.of
    private final List<Check> checks;

    Kind(String noun, List<Check> checks) {
      this.noun = noun;
      this.checks = checks;
    }

    static Kind of(ListEntry entry) {
      return switch (entry) {
        case ListEntry.Network ignored -> NETWORK;
        case ListEntry.Domain ignored -> DOMAIN;
        case ListEntry.Address ignored -> ADDRESS;
        case ListEntry.Url ignored -> URL;
        case ListEntry.Hash ignored -> HASH;
        case ListEntry.As _, ListEntry.AsnRow _ -> ASN;
      };
    }

    String counted(long count) {
      String many = noun.endsWith("s") ? noun + "es" : noun + "s";
      return count == 1 ? "1 " + noun + " is" : count + " " + many + " are";
    }
  }

  private final Set<Check> asked;
  private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);

  /**
   * @param asked the checks of the list
   */
  NeverAsked(Set<Check> asked) {
    this.asked = asked;
  }

  @Override
  public void entry(ListEntry entry) {
    if (!entry.exception()) {
      counts.merge(Kind.of(entry), 1L, Long::sum);
    }
  }

  @Override
  public void range(IpAddress first, IpAddress last, List<ListEntry.Network> networks) {
    entry(networks.getFirst());
  }

  /** A sentence for each kind of entry that is never looked up. */
  List<String> sentences() {
    return counts.entrySet().stream()
        .filter(count -> Collections.disjoint(asked, count.getKey().checks))
        .map(count -> sentence(count.getKey(), count.getValue()))
        .toList();
  }

  private String sentence(Kind kind, long count) {
    boolean kept = !Check.OF_CONTENT.containsAll(kind.checks);
    return kind.counted(count)
        + " never looked up by "
        + words(asked.stream().sorted().toList())
        + "; --checks "
        + words(kept ? kind.checks.subList(0, 1) : kind.checks)
        + (kept
            ? " asks for them"
            : " asks for them, but kept sessions do not hold what a mail carried, so they are not"
                + " judged");
  }

  private static String words(List<Check> checks) {
    return checks.stream().map(Check::key).collect(Collectors.joining(","));
  }
}
