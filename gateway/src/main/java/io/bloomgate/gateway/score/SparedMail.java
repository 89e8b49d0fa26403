package io.bloomgate.gateway.score;

import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.blocklists.sessions.SessionQuery;
import io.bloomgate.blocklists.sessions.SessionSearch;
import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.score.ScoreScan.Sender;
import java.io.IOException;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Mail that only mode observe let pass, by sender, for a look before mode enforce: that of known
 * senders first. Made by {@link FeedScores}; one thread.
 */
final class SparedMail {

  /** Senders that are counted, about 300 octets each; the mail of more is not. */
  static final int MAX_SENDERS = 20_000;

  /** The mail of a sender. */
  private static final class Sum {
    private final Evidence newest;
    private final Set<String> lists = new TreeSet<>();
    private long sessions;

    private Sum(Evidence newest) {
      this.newest = newest;
    }
  }

  /**
   * One sender.
   *
   * @param known mail of the network was accepted before, that no list named
   * @param feeds the lists that would refuse it
   * @param id of the newest session
   */
  record Row(
      String network,
      String senderDomain,
      boolean known,
      long sessions,
      List<String> feeds,
      String id,
      Instant last) {}

  private SparedMail() {}

  /** The senders of a time, known ones first, at most {@code limit}. */
  static List<Row> of(
      SessionSearch search, Instant since, Instant until, Predicate<IpAddress> known, long limit)
      throws IOException {
    Map<Sender, Sum> senders = new HashMap<>();
    search.forEach(
        new SessionQuery(since, until, null, null, null, "would_reject", null, null, null),
        session -> {
          add(session, senders);
          return true;
        });
    return senders.entrySet().stream()
        .map(each -> row(each.getKey(), each.getValue(), known))
        .sorted(
            Comparator.comparing(Row::known)
                .thenComparingLong(Row::sessions)
                .reversed()
                .thenComparing(Row::network)
                .thenComparing(Row::senderDomain))
        .limit(limit)
        .toList();
  }

  private static void add(Evidence session, Map<Sender, Sum> senders) {
    Sender sender = new Sender(ClientNetwork.site(session.client()), session.senderDomain());
    if (session.decision().outcome() != Outcome.DELIVERED
        || (senders.size() >= MAX_SENDERS && !senders.containsKey(sender))) {
      return;
    }
    Sum sum = senders.computeIfAbsent(sender, _ -> new Sum(session));
    sum.sessions += session.times();
    session.decision().deciding().ifPresent(listing -> sum.lists.add(listing.list()));
  }

  private static Row row(Sender sender, Sum sum, Predicate<IpAddress> known) {
    return new Row(
        sender.network().toString(),
        sender.domain(),
        known.test(sum.newest.client()),
        sum.sessions,
        List.copyOf(sum.lists),
        sum.newest.decision().id(),
        sum.newest.at());
  }
}
