package io.bloomgate.blocklists.refresh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.index.AsnAnswer;
import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A table of AS numbers and a list of them, from a server: fetched, guarded, kept, reopened. */
class AsnFeedTest extends RefreshStories {

  private static String rows(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> "100.64.%d.0\t100.64.%d.255\t%d\tFR\tSAMPLE".formatted(i, i, 64500 + i))
        .collect(Collectors.joining("\n", "", "\n"));
  }

  private RefreshStage stage() throws Exception {
    return stage(
        url("table", "/table", ", format: asn-table"),
        url(
            "drop",
            "/drop",
            ", format: asn-list, action: reject, guard: {max_growth: 1000%, max_turnover: none}"));
  }

  private static List<String> whose(RefreshStage s, String address) {
    IpPrefix host = IpPrefix.parse(address).toOptional().orElseThrow();
    return s.live.current().asn(host).stream().map(AsnAnswer::words).toList();
  }

  private static boolean lists(RefreshStage s, int number) {
    return s.lists(new AsNumber(number));
  }

  @Test
  void aTableIsRefreshedGuardedAndReopenedWithoutTheServer() throws Exception {
    server.serve("/table", rows(0, 100));
    server.serve("/drop", "AS64500\nAS64501\n");
    try (RefreshStage s = stage()) {
      s.loop.tick();
      assertEquals("fresh", s.state("table"), s.problem("table"));
      assertEquals(List.of("AS64507 (FR)"), whose(s, "100.64.7.9"));
      assertEquals(List.of(), whose(s, "100.65.0.1"));
      assertFalse(s.listsIp("100.64.7.9"), "the table lists nothing");
      assertTrue(lists(s, 64500));
      assertFalse(lists(s, 64502));

      server.serve("/table", rows(0, 30));
      s.tickAfter(Duration.ofMinutes(67));
      assertEquals("held", s.state("table"));
      s.assertProblem("table", "shrink: 30 entries, 100 are live");
      assertEquals(List.of("AS64599 (FR)"), whose(s, "100.64.99.1"));

      server.serve("/table", rows(1, 101));
      server.serve("/drop", "AS64502\nAS64501\n");
      s.tickAfter(Duration.ofMinutes(67));
      assertEquals(List.of("AS64600 (FR)"), whose(s, "100.64.100.1"));
      assertEquals(List.of(), whose(s, "100.64.0.1"));
      assertTrue(lists(s, 64502));
      assertFalse(lists(s, 64500));
    }
    server.status("/table", 503, Map.of());
    server.status("/drop", 503, Map.of());
    try (RefreshStage s = stage()) {
      assertEquals(List.of("AS64600 (FR)"), whose(s, "100.64.100.1"));
      assertTrue(lists(s, 64502));
    }
  }

  /** Promise P5: a poisoned list of AS numbers refuses no sender whose mail was accepted. */
  @Test
  void aNumberOfGoodSendersIsHeldBack() throws Exception {
    server.serve("/table", rows(0, 100));
    server.serve("/drop", "AS64500\n");
    try (RefreshStage s = stage()) {
      s.loop.tick();
      for (int day = 0; day < 3; day++) {
        for (int i = 1; i < 100; i++) {
          s.senders.accepted(
              IpAddress.parse("100.64.7." + i).toOptional().orElseThrow(),
              "a@partner.example",
              "",
              s.now.minus(Duration.ofDays(day)));
        }
      }
      server.serve("/drop", "AS64500\nAS64507\nAS64508\n");
      s.tickAfter(Duration.ofMinutes(67));
      assertFalse(lists(s, 64507), s.problem("drop"));
      assertTrue(lists(s, 64508));
      s.assertProblem("drop", "AS64507");
    }
  }
}
