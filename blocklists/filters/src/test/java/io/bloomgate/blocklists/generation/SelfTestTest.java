package io.bloomgate.blocklists.generation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.blocklists.index.EntryVisitor;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.MailAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Random entries of the live lists are found, or there is an alarm. */
class SelfTestTest {

  private static final Instant NOW = Generations.START;
  private static final int HOSTS = 5000;

  @TempDir private Path directory;
  private ListSnapshot whole = ListSnapshot.EMPTY;
  private final List<String> alarms = new ArrayList<>();
  private final SelfTest test = new SelfTest(new SplittableRandom(7), alarms::add);

  @BeforeEach
  void build() throws Exception {
    SplittableRandom random = new SplittableRandom(20261123);
    List<ListEntry> hosts = new ArrayList<>();
    for (int i = 0; i < HOSTS; i++) {
      hosts.add(
          new ListEntry.Network(IpPrefix.host(IpAddress.ofV4(random.nextInt())), false, i + 1));
    }
    Map<String, List<ListEntry>> feeds = new LinkedHashMap<>();
    feeds.put("hosts", hosts);
    feeds.put(
        "mixed",
        List.of(
            Generations.network("203.0.113.0/24", 1),
            Generations.network("2001:db8:bad::/48", 2),
            Generations.except("203.0.113.0/24", 3),
            Generations.domain("spam.example", NameMatch.EXACT, 4),
            Generations.domain("wild.example", NameMatch.BELOW, 5),
            new ListEntry.Address(
                MailAddress.parse("a@spam.example").toOptional().orElseThrow(), false, 6)));
    whole = new Generations(directory).open().build(Generations.feeds(feeds), Generations.OPTIONS);
  }

  /** The lists without what some keys were listed for: in the filter, or in the index. */
  private record Broken(
      ListSnapshot whole, Predicate<ListKey> lostInFilter, Predicate<ListKey> lostInIndex)
      implements ListSnapshot {

    @Override
    public long generation() {
      return whole.generation();
    }

    @Override
    public SnapshotManifest manifest() {
      return whole.manifest();
    }

    @Override
    public void forEachEntry(EntryVisitor visitor) {
      whole.forEachEntry(visitor);
    }

    @Override
    public long mayList(KeyBatch batch) {
      return lostInFilter.test(batch.key(0)) ? 0 : whole.mayList(batch);
    }

    @Override
    public ListAnswer ask(ListKey key) {
      return lostInIndex.test(key) ? new ListAnswer.FalsePositive("ip") : whole.ask(key);
    }
  }

  private static boolean isHigh(ListKey key) {
    return key instanceof IpAddress ip && ip.isV4() && ip.v4Bits() < 0;
  }

  @Test
  void wholeListsNeverMissAnEntry() {
    for (int round = 0; round < 100; round++) {
      test.run(whole, NOW);
    }
    assertEquals(List.of(), alarms);
    assertEquals(100 * (64 + 5), test.checked());
    assertEquals(new SelfTest.Report(NOW, 64 + 5, 0, List.of()), test.last());
  }

  @Test
  void aFilterThatLostBitsIsFoundAndTheEntryIsNamed() {
    test.run(new Broken(whole, SelfTestTest::isHigh, _ -> false), NOW);
    assertTrue(test.missed() > 10 && test.missed() < 60, "about half: " + test.missed());
    assertEquals(5, alarms.size(), "not every one is named");
    assertTrue(
        alarms
            .getFirst()
            .matches("feed hosts: the self-test missed [0-9.]+, line [0-9]+: the filter.*"),
        alarms.getFirst());
    assertEquals(alarms, test.last().alarms());
  }

  @Test
  void anIndexThatLostEntriesIsFoundAndRemembered() throws Exception {
    test.run(new Broken(whole, _ -> false, SelfTestTest::isHigh), NOW);
    assertTrue(alarms.getFirst().contains("the exact index does not find it"), alarms.getFirst());
    long missed = test.last().missed();
    test.run(whole, NOW.plusSeconds(60));
    assertEquals(missed, test.last().missed(), "the same lists: chance found nothing this time");
    assertEquals(5, test.last().alarms().size());
    ListSnapshot next =
        new Generations(directory)
            .open()
            .build(
                List.of(Generations.feed("mixed", List.of(Generations.network("192.0.2.1", 1)))),
                Generations.OPTIONS);
    test.run(next, NOW.plusSeconds(120));
    assertEquals(List.of(), test.last().alarms(), "other lists");
  }

  @Test
  void everyEntryHasTheSameChance() {
    Map<ListKey, Integer> drawn = new LinkedHashMap<>();
    ListSnapshot noting =
        new Broken(whole, _ -> false, key -> drawn.merge(key, 1, Integer::sum) < 0);
    for (int round = 0; round < 64 * 16; round++) {
      test.run(noting, NOW);
    }
    long seldom =
        drawn.entrySet().stream()
            .filter(
                one -> Generations.listings(whole.ask(one.getKey())).toString().contains("hosts"))
            .filter(one -> one.getValue() < 3)
            .count();
    assertTrue(drawn.size() > HOSTS * 0.99, "drawn: " + drawn.size());
    assertTrue(seldom < HOSTS / 50, "13 times on average; seldom: " + seldom);
  }
}
