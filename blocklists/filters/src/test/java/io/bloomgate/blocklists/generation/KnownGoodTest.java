package io.bloomgate.blocklists.generation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.Subject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A generation with a known-good set: no key of the set hits the filter, and listed keys are found.
 */
class KnownGoodTest {

  /** So high that half of everything hits the plain filter. */
  private static final double HIGH_RATE = 0.5;

  @TempDir Path state;
  private Generations generations;

  @BeforeEach
  void place() {
    generations = new Generations(state.resolve("snapshots"));
  }

  private static Subject subject(String text) {
    return Subject.parse(text).toOptional().orElseThrow();
  }

  private static BuildOptions options(List<Subject> knownGood) {
    return new BuildOptions(
        HIGH_RATE, 1 << 20, 3, good -> knownGood.forEach(one -> good.accept(one, "")), "");
  }

  /** Every kind of entry, 500 of each, none of which covers another's neighbours. */
  private static List<FeedInput> feeds() {
    List<ListEntry> entries = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      entries.add(Generations.domain("bad" + i + ".example", NameMatch.SUFFIX, i));
      entries.add(Generations.network("198.51." + i / 250 + "." + i % 250, i));
      entries.add(Generations.network("100." + i / 250 + "." + i % 250 + ".64/26", i));
      entries.add(Generations.network("2001:db8:" + Integer.toHexString(i) + "::1", i));
      entries.add(
          new ListEntry.Address((MailAddress) subject("a" + i + "@mail.example"), false, i));
    }
    return List.of(Generations.feed("f", entries));
  }

  private static List<Subject> good() {
    return IntStream.range(0, 400)
        .boxed()
        .flatMap(i ->
            Stream.of(
                "www.good" + i + ".example",
                "user" + i + "@partner" + i + ".example",
                "203.0." + i / 250 + "." + i % 250,
                "2001:db8:ffff:" + Integer.toHexString(i) + "::7"))
        .map(KnownGoodTest::subject)
        .toList();
  }

  @Test
  void membersThatNoListNamesAreCountedAndARestartKeepsIt() throws Exception {
    List<Subject> good = good();
    try (SnapshotStore store = generations.open()) {
      ListSnapshot plain = store.build(feeds(), options(List.of()));
      assertEquals(KnownGoodCounts.NONE, plain.manifest().knownGood());
      ListSnapshot asked = store.build(feeds(), options(good));
      assertEquals(new KnownGoodCounts(good.size(), 0), asked.manifest().knownGood());
    }
    try (SnapshotStore store = generations.open()) {
      assertEquals(new KnownGoodCounts(good.size(), 0), store.load().manifest().knownGood());
    }
    assertEquals(List.of(), generations.alarms);
  }

  @Test
  void whatIsListedIsJudgedLikeOthersAndCounted() throws Exception {
    List<Subject> good = new ArrayList<>(good());
    List<String> listed =
        List.of(
            "bad7.example",
            "www.bad8.example",
            "a9@mail.example",
            "someone@bad10.example",
            "198.51.0.11",
            "100.0.13.65");
    good.add(subject("100.0.12.1")); // beside a listed network: they share a key of the filter
    listed.forEach(text -> good.add(subject(text)));
    try (SnapshotStore store = generations.open()) {
      ListSnapshot snapshot = store.build(feeds(), options(good));
      KnownGoodCounts counts = snapshot.manifest().knownGood();
      assertEquals(good.size() - listed.size(), counts.proven());
      assertEquals(listed.size(), counts.listed());
      assertEquals(listed.size(), counts.of("f").subjects());
      assertEquals(listed.size(), counts.of("f").entries());
      assertEquals(KnownGoodHits.NONE, counts.of("other"));
      assertInstanceOf(ListAnswer.Listed.class, snapshot.ask(Generations.name("bad7.example")));
    }
  }
}
