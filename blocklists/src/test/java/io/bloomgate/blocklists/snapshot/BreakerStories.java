package io.bloomgate.blocklists.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.blocklists.index.Listing;
import io.bloomgate.blocklists.key.IpAddress;
import io.bloomgate.blocklists.key.ListKey;
import java.io.IOException;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What the tests of the breaker share: a feed that is poisoned, and good networks that it hits. */
abstract class BreakerStories extends RefreshStories {

  static final Duration DAY = Duration.ofDays(1);
  static final String LOOSE =
      ", guard: {max_turnover: none, max_shrink: 100%, max_growth: 100000%}";

  static IpAddress client(int network, int host) {
    return IpAddress.parse("198.18." + network + "." + host).toOptional().orElseThrow();
  }

  /** One host in each of some networks. */
  static String hosts(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> "198.18." + i + ".9\n")
        .collect(Collectors.joining());
  }

  final RefreshStage begin() throws IOException {
    return stage(url("bad", "/list", LOOSE));
  }

  /** The feed at first, networks 0 to 99 good, and then the feed as given. */
  final RefreshStage poisoned(String before, String after) throws Exception {
    server.serve("/list", before);
    RefreshStage stage = begin();
    stage.refresher.tick();
    stage.pass(Duration.ofMinutes(1));
    for (int i = 0; i < 100; i++) {
      stage.senders.accepted(client(i, 1), "a@partner.example", stage.now);
    }
    next(stage, after);
    return stage;
  }

  final void next(RefreshStage stage, String text) throws Exception {
    stage.pass(HOUR.plusMinutes(10));
    server.serve("/list", text);
    stage.refresher.tick();
    assertEquals("fresh", stage.state("bad"), stage.problem("bad"));
  }

  static Listing listing(RefreshStage stage, ListKey key) {
    if (stage.live.current().ask(key) instanceof ListAnswer.Listed listed) {
      return listed.listings().getFirst();
    }
    throw new AssertionError(key + " is not listed");
  }

  static Listing listing(RefreshStage stage, int network) {
    return listing(stage, new ListKey.Ip(client(network, 9)));
  }

  static void hit(RefreshStage stage, int from, int to) {
    for (int i = from; i < to; i++) {
      stage.breaker.hit(listing(stage, i), client(i, 9), stage.now);
    }
  }

  static boolean observes(RefreshStage stage, int network) {
    return stage.breaker.tripped().holds(listing(stage, network));
  }

  static Listing address(RefreshStage s, String text) {
    return listing(s, new ListKey.Ip(IpAddress.parse(text).toOptional().orElseThrow()));
  }
}
