package io.bloomgate.blocklists.refresh;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.blocklists.senders.FeedHits;
import io.bloomgate.config.name.IpAddress;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What the tests of the breaker share: a feed that is poisoned, and good networks that it hits. */
abstract class BreakerStories extends RefreshStories {

  static final Duration DAY = Duration.ofDays(1);
  static final String LOOSE =
      ", guard: {max_turnover: none, max_shrink: 100%, max_growth: 100000%}";

  static IpAddress client(int network) {
    return IpAddress.parse(host(network)).toOptional().orElseThrow();
  }

  static String host(int network) {
    return "198.18." + network + ".9";
  }

  /** One host in each of some networks. */
  static String hosts(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> host(i) + "\n").collect(Collectors.joining());
  }

  final RefreshStage begin() throws IOException {
    return stage(url("bad", "/list", LOOSE));
  }

  /** Mail of some networks was accepted, today and the days before. */
  static void accept(RefreshStage stage, int from, int to, int days) {
    for (int day = 0; day < days; day++) {
      for (int i = from; i < to; i++) {
        stage.senders.accepted(
            client(i), "a@partner.example", stage.now.minus(DAY.multipliedBy(day)));
      }
    }
  }

  /** The feed at first, networks 0 to 99 good, and then the feed as given. */
  final RefreshStage poisoned(String before, String after) throws Exception {
    server.serve("/list", before);
    RefreshStage stage = begin();
    stage.loop.tick();
    accept(stage, 0, 100, 3);
    next(stage, after);
    return stage;
  }

  final void next(RefreshStage stage, String text) throws Exception {
    stage.pass(HOUR.plusMinutes(10));
    server.serve("/list", text);
    stage.loop.tick();
    assertEquals("fresh", stage.state("bad"), stage.problem("bad"));
  }

  /** How many of these networks are refused. */
  static long listed(RefreshStage stage, int from, int to) {
    return IntStream.range(from, to).filter(i -> stage.listsIp(host(i))).count();
  }

  static FeedHits breaker(RefreshStage stage) {
    return Objects.requireNonNull(stage.show("bad").breaker());
  }

  static List<String> hitNetworks(RefreshStage stage) {
    return breaker(stage).hits().stream().map(FeedHits.Hit::network).limit(100).toList();
  }
}
