package io.bloomgate.blocklists.generation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.config.name.ListKey;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Single answers that an administrator would look up by hand. */
class AnswerTest {

  @TempDir Path state;

  private final Map<String, List<ListEntry>> feeds = new LinkedHashMap<>();

  private List<String> ask(ListKey key) throws Exception {
    try (SnapshotStore store = new Generations(state.resolve("snapshots")).open()) {
      return Generations.listings(
          store.build(Generations.feeds(feeds), Generations.OPTIONS).ask(key));
    }
  }

  private List<String> ask(String ip) throws Exception {
    return ask(Generations.ip(ip));
  }

  @Test
  void theMostSpecificListingComesFirstThenFeedOrder() throws Exception {
    feeds.put(
        "one",
        List.of(Generations.network("203.0.113.0/24", 1), Generations.network("203.0.0.0/16", 2)));
    feeds.put(
        "two",
        List.of(Generations.network("203.0.113.7", 1), Generations.network("203.0.113.0/24", 9)));
    assertEquals(
        List.of(
            "two 1 203.0.113.7",
            "one 1 203.0.113.0/24",
            "two 9 203.0.113.0/24",
            "one 2 203.0.0.0/16"),
        ask("203.0.113.7"));
  }

  @Test
  void theFirstLineOfARepeatedEntryIsNamed() throws Exception {
    feeds.put(
        "f",
        List.of(
            Generations.network("192.0.2.0/25", 4),
            Generations.network("192.0.2.0/25", 7),
            Generations.network("192.0.2.0/25", 9)));
    assertEquals(List.of("f 4 192.0.2.0/25"), ask("192.0.2.127"));
  }

  @Test
  void anExceptionVoidsItsOwnFeedOnly() throws Exception {
    feeds.put(
        "one",
        List.of(Generations.network("192.0.2.0/24", 1), Generations.except("192.0.2.25", 2)));
    feeds.put("two", List.of(Generations.network("192.0.2.0/24", 1)));
    assertEquals(List.of("two 1 192.0.2.0/24"), ask("192.0.2.25"));
    assertEquals(List.of("one 1 192.0.2.0/24", "two 1 192.0.2.0/24"), ask("192.0.2.26"));
  }

  @Test
  void aVoidedListingIsStillNoFalsePositive() throws Exception {
    feeds.put(
        "one",
        List.of(Generations.network("192.0.2.25", 1), Generations.except("192.0.0.0/16", 2)));
    assertEquals(List.of(), ask("192.0.2.25"));
  }

  @Test
  void namesReachAsFarAsTheirMatchModeSays() throws Exception {
    feeds.put(
        "f",
        List.of(
            Generations.domain("exact.example", NameMatch.EXACT, 1),
            Generations.domain("suffix.example", NameMatch.SUFFIX, 2),
            Generations.domain("below.example", NameMatch.BELOW, 3)));
    assertEquals(List.of("f 1 exact.example"), askName("exact.example"));
    assertEquals(List.of("-"), askName("a.exact.example"));
    assertEquals(List.of("f 2 suffix.example"), askName("suffix.example"));
    assertEquals(List.of("f 2 suffix.example"), askName("x.y.suffix.example"));
    assertEquals(List.of("-"), askName("notsuffix.example"));
    assertEquals(List.of("-"), askName("below.example"));
    assertEquals(List.of("f 3 *.below.example"), askName("a.below.example"));
  }

  private List<String> askName(String name) throws Exception {
    return ask(Generations.name(name));
  }

  @Test
  void everyEdgeOfEveryNetworkIsInside() throws Exception {
    feeds.put(
        "f",
        List.of(
            Generations.network("0.0.0.0/8", 1),
            Generations.network("255.255.255.255", 2),
            Generations.network("198.51.100.64/26", 3),
            Generations.network("198.18.0.0/23", 4),
            Generations.network("2001:db8:0:4::/62", 5),
            Generations.network("2001:db8:8000::/33", 6),
            Generations.network("2001:db8:1::ff00/120", 7)));
    assertEquals(List.of("f 1 0.0.0.0/8"), ask("0.255.255.255"));
    assertEquals(List.of("-"), ask("1.0.0.0"));
    assertEquals(List.of("f 2 255.255.255.255"), ask("255.255.255.255"));
    assertEquals(List.of("f 3 198.51.100.64/26"), ask("198.51.100.127"));
    assertEquals(List.of("-"), ask("198.51.100.128"));
    assertEquals(List.of("f 4 198.18.0.0/23"), ask("198.18.1.255"));
    assertEquals(List.of("-"), ask("198.18.2.0"));
    assertEquals(List.of("f 5 2001:db8:0:4::/62"), ask("2001:db8:0:7:ffff::1"));
    assertEquals(List.of("-"), ask("2001:db8:0:8::"));
    assertEquals(List.of("f 6 2001:db8:8000::/33"), ask("2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"));
    assertEquals(List.of("-"), ask("2001:db8:7fff::1"));
    assertEquals(List.of("f 7 2001:db8:1::ff00/120"), ask("2001:db8:1::ffff"));
  }
}
