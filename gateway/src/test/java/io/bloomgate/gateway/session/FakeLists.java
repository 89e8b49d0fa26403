package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.decision.Lists;
import io.bloomgate.blocklists.generation.ListAnswer;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.index.ListingFixture;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.blocklists.operator.OperatorView;
import io.bloomgate.config.name.ListKey;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Lists that tests change under running sessions: addresses, each in one of the known feeds. */
final class FakeLists {

  private final Map<String, String> feedByAddress = new ConcurrentHashMap<>();
  private final AtomicLong generation = new AtomicLong(1);
  private volatile OperatorView operator = OperatorView.of(Set.of());
  private volatile Lists current = make();

  /** Lists the address in that feed from the next snapshot on. */
  void list(String address, String feed) {
    feedByAddress.put(address, feed);
    generation.incrementAndGet();
    current = make();
  }

  /** The operator allows this from now on. */
  void allow(OperatorEntry entry) {
    operator = OperatorView.of(Set.of(entry));
    current = make();
  }

  /** From now on mail of every sender was accepted before. */
  void knowEverybody() {
    current = current.withKnown((client, senderDomain) -> true);
  }

  Lists current() {
    return current;
  }

  private Lists make() {
    return new Lists(new Snapshot(Map.copyOf(feedByAddress), generation.get()), operator, Map.of());
  }

  private record Snapshot(Map<String, String> feeds, long generation) implements ListSnapshot {
    @Override
    public ListAnswer ask(ListKey key) {
      String feed = feeds.get(key.toString());
      return feed == null
          ? ListAnswer.NotListed.INSTANCE
          : new ListAnswer.Listed("ip", List.of(ListingFixture.of(feed, key, 7)));
    }
  }
}
