package io.bloomgate.blocklists.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.config.name.DomainName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The exact index of names as a file; what it answers in a generation, the tests there tell. */
class NameIndexTest {

  private static final Keying KEYING = new Keying(KeyHash.VERSION, 1, 3, 4);

  @TempDir Path directory;

  private final EntryTally tally = new EntryTally(1);

  private NameIndex index(List<ListEntry.Domain> entries) throws IOException {
    Path file = directory.resolve("names");
    try (NameIndexBuilder builder =
        NameIndexBuilder.create(tally, Long.MAX_VALUE, KEYING, directory.resolve("names.tmp"))) {
      for (ListEntry.Domain entry : entries) {
        builder.add(0, entry);
      }
      builder.write(file);
    }
    return NameIndex.open(file, List.of("f"));
  }

  private static DomainName name(String text) {
    return DomainName.parse(text).toOptional().orElseThrow();
  }

  private static ListEntry.Domain entry(String text, int line) {
    return new ListEntry.Domain(name(text), NameMatch.EXACT, false, line);
  }

  @Test
  void namesOfEveryLengthThatDifferInOneOctetAreDistinguished() throws Exception {
    List<ListEntry.Domain> entries = new ArrayList<>();
    for (int length = 1; length <= 60; length++) {
      entries.add(entry("a".repeat(length) + ".example", length));
    }
    NameIndex index = index(entries);
    for (ListEntry.Domain listed : entries) {
      String text = listed.name().toString();
      assertEquals(
          "[f " + text + " line " + listed.line() + "]",
          index.covering(listed.name()).standing().toString());
      for (int at = 0; at < text.indexOf('.'); at++) {
        String other = text.substring(0, at) + 'b' + text.substring(at + 1);
        assertFalse(index.covering(name(other)).listed(), other);
      }
    }
  }

  @Test
  void aFirstLookAtManyMissesWhatHasNoBucket() throws Exception {
    List<ListEntry.Domain> entries = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(17);
    for (int i = 0; i < 3000; i++) {
      entries.add(entry("n" + random.nextInt(1 << 30) + ".example", i + 1));
    }
    NameIndex index = index(entries);
    for (int from = 0; from + 64 <= entries.size(); from += 64) {
      assertTrue(index.mayHold(entries.subList(from, from + 64)));
    }
    int seen = 0;
    for (int i = 0; i < 200; i++) {
      seen += index.mayHold(List.of(entries.get(i), entry("x" + i + ".test", 1))) ? 1 : 0;
    }
    assertTrue(seen < 200, "every absent name shares a bucket with a listed one");
    assertFalse(index(List.of()).mayHold(entries));
  }

  @Test
  void theFilterHearsOfListedNamesOnce() throws Exception {
    DomainName both = name("both.example");
    List<ListEntry.Domain> entries =
        List.of(
            entry("one.example", 1),
            entry("one.example", 2),
            new ListEntry.Domain(both, NameMatch.SUFFIX, false, 3),
            new ListEntry.Domain(both, NameMatch.BELOW, true, 4),
            new ListEntry.Domain(name("not.example"), NameMatch.EXACT, true, 5));
    NameIndex index = index(entries);
    List<Long> hashes = new ArrayList<>();
    LongConsumer consumer = hashes::add;
    index.forEachListed(NameIndex.Keys.DOMAIN, consumer);
    KeyHash hash = new KeyHash(KEYING.seedHigh(), KEYING.seedLow());
    List<Long> expected =
        new ArrayList<>(List.of(hash.domain(name("one.example"), 0), hash.domain(both, 0)));
    expected.sort(Long::compareUnsigned);
    assertEquals(expected, hashes);
    assertEquals(2, index.listed(NameIndex.Keys.DOMAIN));
    assertEquals(0, index.listed(NameIndex.Keys.ADDRESS));
    index.forEachListed(NameIndex.Keys.ADDRESS, address -> hashes.add(address));
    assertEquals(2, hashes.size());
  }

  @Test
  void repeatsNeedNoRoom() throws Exception {
    Path temporary = directory.resolve("names.tmp");
    Path file = directory.resolve("names");
    try (NameIndexBuilder builder = NameIndexBuilder.create(tally, 40, KEYING, temporary)) {
      for (int line = 1; line <= 100_000; line++) {
        builder.add(0, entry("n" + line % 5 + ".example", line));
      }
      builder.write(file);
    }
    NameIndex index = NameIndex.open(file, List.of("f"));
    assertEquals(5, tally.of(0, EntryTally.Kind.DOMAIN));
    assertEquals(99_995, tally.of(0, EntryTally.Kind.DUPLICATE));
    assertEquals("[f n0.example line 5]", index.covering(name("n0.example")).standing().toString());
  }

  @Test
  void moreThanThereIsRoomForIsRefused() throws Exception {
    try (NameIndexBuilder builder =
        NameIndexBuilder.create(tally, 16, KEYING, directory.resolve("names.tmp"))) {
      builder.add(0, entry("a.example", 1));
      builder.add(0, entry("b.example", 2));
      assertThrows(TooManyEntriesException.class, () -> builder.add(0, entry("c.example", 3)));
    }
  }
}
