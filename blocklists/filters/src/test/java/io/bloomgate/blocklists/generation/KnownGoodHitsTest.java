package io.bloomgate.blocklists.generation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.blocklists.generation.KnownGoodHits.Hit;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.Subject;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which entries hit which good senders, one by one and against a plain search through both. */
class KnownGoodHitsTest {

  private static final long SEED = 20261121;

  @TempDir private Path folder;

  private static DomainName name(String text) {
    return DomainName.parse(text).toOptional().orElseThrow();
  }

  private static IpPrefix prefix(String text) {
    return IpPrefix.parse(text).toOptional().orElseThrow();
  }

  private static Subject subject(String text) {
    return Subject.parse(text).toOptional().orElseThrow();
  }

  /** {@code !} is an exception, {@code *.} below, {@code .} suffix. */
  private static ListEntry entry(String text, int line) {
    boolean exception = text.startsWith("!");
    String bare = exception ? text.substring(1) : text;
    if (bare.contains("@")) {
      return new ListEntry.Address(
          MailAddress.parse(bare).toOptional().orElseThrow(), exception, line);
    }
    if (bare.matches("[0-9a-f:./]*[:/0-9]")) {
      return new ListEntry.Network(prefix(bare), exception, line);
    }
    NameMatch match =
        bare.startsWith("*.")
            ? NameMatch.BELOW
            : bare.startsWith(".") ? NameMatch.SUFFIX : NameMatch.EXACT;
    return new ListEntry.Domain(name(bare.replaceFirst("^\\*?\\.", "")), match, exception, line);
  }

  private KnownGoodHits hits(List<String> subjects, String... entries) throws Exception {
    List<ListEntry> listed = new ArrayList<>();
    for (int i = 0; i < entries.length; i++) {
      listed.add(entry(entries[i], i + 1));
    }
    KnownGood good =
        taker -> {
          for (int i = 0; i < subjects.size(); i++) {
            taker.accept(subject(subjects.get(i)), "good.list:" + (i + 1));
          }
        };
    return new SnapshotBuilder(new SplittableRandom(SEED))
        .aside(
            folder.resolve("asked"),
            () -> Instant.EPOCH,
            List.of(Generations.feed("f", listed)),
            good::in)
        .of("f");
  }

  @ParameterizedTest
  @CsvSource({
    "203.0.112.0/20,     203.0.113.0/24,     true",
    "2001:db8::/32,      2001:db8:7::1,      true",
    "2001:db8::/32,      2001:db9::/32,      false",
    "0.0.0.0/1,          2001:db8::/32,      false",
    "good.example,       .www.good.example,  false",
    "verygood.example,   .good.example,      false",
    "a@good.example,     a@good.example,     true",
    "a@good.example,     b@good.example,     false",
    "a@good.example,     good.example,       true",
    "a+tag@good.example, a@good.example,     true",
    "a@good.example,     a+tag@good.example, false",
    "a@[192.0.2.1],      192.0.2.0/24,       true",
    "good.example,       a@good.example,     false",
  })
  void anEntryHitsWhatItLists(String subject, String entry, boolean hit) throws Exception {
    KnownGoodHits hits = hits(List.of("other.example", subject), "unrelated.example", entry);
    assertEquals(
        hit
            ? List.of(
                new Hit(entry(entry, 2).text(), 2, subject(subject).toString(), "good.list:2"))
            : List.of(),
        hits.sample());
    assertEquals(hit ? 1 : 0, hits.subjects());
    assertEquals(hit ? 1 : 0, hits.entries());
  }

  @Test
  void whatAnExceptionCoversIsNotHitWhereverItIs() throws Exception {
    List<String> set = List.of("203.0.113.7", "203.0.113.0/24", "good.example", "www.good.example");
    KnownGoodHits before = hits(set, "!203.0.113.7", "203.0.113.0/24");
    assertEquals(1, before.subjects(), "the network stays listed in part");
    assertEquals(before.subjects(), hits(set, "203.0.113.0/24", "!203.0.113.7").subjects());
    assertEquals(1, hits(set, "203.0.113.0/24", "!203.0.113.0/25").subjects(), "its second half");
    KnownGoodHits names = hits(set, ".good.example", "good.example", "!good.example");
    assertEquals(1, names.subjects());
    assertEquals(1, names.entries(), "the second entry lists nothing any more");
    assertEquals("www.good.example", names.sample().getFirst().subject());
    assertEquals(KnownGoodHits.NONE, hits(set, "good.example", "!.good.example"));
  }

  @Test
  void theSampleIsBounded() throws Exception {
    List<String> names = IntStream.range(0, 500).mapToObj(i -> "n" + i + ".good.example").toList();
    KnownGoodHits hits = hits(names, names.toArray(String[]::new));
    assertEquals(500, hits.subjects());
    assertEquals(500, hits.entries());
    assertEquals(KnownGoodHits.SAMPLE, hits.sample().size());
    assertEquals("n0.good.example", hits.sample().getFirst().entry());
  }

  /** Random nested networks and names against a search of all by all. */
  @Test
  void findsWhatAPlainSearchFinds() throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int round = 0; round < 20; round++) {
      List<String> subjects = new ArrayList<>();
      Set<String> entries = new LinkedHashSet<>();
      for (int i = 0; i < 12; i++) {
        subjects.add(text(random, false));
        entries.add(text(random, true));
      }
      long listed =
          subjects.stream().filter(one -> entries.stream().anyMatch(e -> plain(e, one))).count();
      long hitting =
          entries.stream().filter(e -> subjects.stream().anyMatch(one -> plain(e, one))).count();
      KnownGoodHits hits = hits(subjects, entries.toArray(String[]::new));
      String where = "seed " + SEED + " round " + round + ": " + subjects + " by " + entries;
      assertEquals(listed, hits.subjects(), where);
      assertEquals(hitting, hits.entries(), where);
      assertTrue(hits.sample().size() <= hitting, where);
    }
  }

  private static String text(SplittableRandom random, boolean entry) {
    if (random.nextBoolean()) {
      int length = 24 + random.nextInt(9);
      return IpPrefix.around(
              io.bloomgate.config.name.IpAddress.ofV4(0xcb007100 | random.nextInt(64)), length)
          .toString();
    }
    String name = "x" + random.nextInt(3) + ".example";
    for (int depth = random.nextInt(3); depth > 0; depth--) {
      name = "y" + random.nextInt(2) + "." + name;
    }
    return entry ? List.of("", ".", "*.").get(random.nextInt(3)) + name : name;
  }

  private static boolean plain(String entry, String subject) {
    boolean networks = Character.isDigit(entry.charAt(0));
    if (networks != Character.isDigit(subject.charAt(0))) {
      return false;
    }
    if (networks) {
      return prefix(entry).overlaps(prefix(subject));
    }
    String name = entry.replaceFirst("^\\*?\\.", "");
    boolean below = subject.endsWith("." + name);
    return entry.startsWith("*.")
        ? below
        : subject.equals(name) || (entry.startsWith(".") && below);
  }
}
