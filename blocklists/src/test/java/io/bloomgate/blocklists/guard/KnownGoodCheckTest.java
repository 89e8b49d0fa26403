package io.bloomgate.blocklists.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.blocklists.guard.KnownGoodHits.Hit;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.MailAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which entries hit which good senders, one by one and against a plain search through both. */
class KnownGoodCheckTest {

  private static final long SEED = 20261121;

  private static DomainName name(String text) {
    return DomainName.parse(text).toOptional().orElseThrow();
  }

  private static IpPrefix prefix(String text) {
    return IpPrefix.parse(text).toOptional().orElseThrow();
  }

  private static void add(KnownGoodSet.Builder set, String text, int line) {
    if (text.contains("@")) {
      set.add(MailAddress.parse(text).toOptional().orElseThrow(), "good.list", line);
    } else if (text.matches("[0-9a-f:./]*[:/0-9]")) {
      set.add(prefix(text), "good.list", line);
    } else {
      set.add(name(text), "good.list", line);
    }
  }

  private static KnownGoodSet set(String... subjects) {
    KnownGoodSet.Builder set = new KnownGoodSet.Builder();
    for (int i = 0; i < subjects.length; i++) {
      add(set, subjects[i], i + 1);
    }
    return set.build();
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

  private static KnownGoodHits hits(KnownGoodSet set, String... entries) {
    KnownGoodCheck check = new KnownGoodCheck(set);
    read(check, entries);
    if (check.wantsAnotherReading()) {
      check = check.another();
      read(check, entries);
      assertFalse(check.wantsAnotherReading());
    }
    return check.hits();
  }

  private static void read(KnownGoodCheck check, String... entries) {
    for (int i = 0; i < entries.length; i++) {
      check.take(entry(entries[i], i + 1));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "203.0.113.7,        203.0.113.7,        true",
    "203.0.113.7,        203.0.113.0/24,     true",
    "203.0.113.0/24,     203.0.113.7,        true",
    "203.0.112.0/20,     203.0.113.0/24,     true",
    "203.0.113.7,        203.0.113.8,        false",
    "203.0.113.0/25,     203.0.113.128/25,   false",
    "2001:db8::/32,      2001:db8:7::1,      true",
    "2001:db8::/32,      2001:db9::/32,      false",
    "0.0.0.0/1,          2001:db8::/32,      false",
    "good.example,       good.example,       true",
    "good.example,       .good.example,      true",
    "good.example,       *.good.example,     false",
    "www.good.example,   good.example,       false",
    "www.good.example,   .good.example,      true",
    "www.good.example,   *.good.example,     true",
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
  void anEntryHitsWhatItLists(String subject, String entry, boolean hit) {
    KnownGoodHits hits = hits(set("other.example", subject), "unrelated.example", entry);
    assertEquals(
        hit
            ? List.of(new Hit(entry(entry, 2).text(), 2, set(subject).text(0), "good.list:2"))
            : List.of(),
        hits.sample());
    assertEquals(hit ? 1 : 0, hits.subjects());
    assertEquals(hit ? 1 : 0, hits.entries());
  }

  @Test
  void whatAnExceptionCoversIsNotHitWhereverItStands() {
    KnownGoodSet set = set("203.0.113.7", "203.0.113.0/24", "good.example", "www.good.example");
    KnownGoodHits before = hits(set, "!203.0.113.7", "203.0.113.0/24");
    assertEquals(1, before.subjects(), "the network stays listed in part");
    assertEquals(before.subjects(), hits(set, "203.0.113.0/24", "!203.0.113.7").subjects());
    KnownGoodHits names = hits(set, ".good.example", "good.example", "!good.example");
    assertEquals(1, names.subjects());
    assertEquals(1, names.entries(), "the second entry lists nothing any more");
    assertEquals("www.good.example", names.sample().getFirst().subject());
    assertEquals(KnownGoodHits.NONE, hits(set, "good.example", "!.good.example"));
  }

  @Test
  void countsAreExactAndTheSampleBounded() {
    KnownGoodSet.Builder set = new KnownGoodSet.Builder();
    String[] entries = new String[500];
    for (int i = 0; i < entries.length; i++) {
      set.add(name("n" + i + ".good.example"), "a.list", i);
      entries[i] = "n" + i + ".good.example";
    }
    KnownGoodHits hits = hits(set.build(), entries);
    assertEquals(500, hits.subjects());
    assertEquals(500, hits.entries());
    assertEquals(KnownGoodHits.SAMPLE, hits.sample().size());
  }

  @Test
  void moreThanTheBoundIsCountedAsLeftOut() {
    KnownGoodSet.Builder set = new KnownGoodSet.Builder();
    for (int i = 0; i < KnownGoodSet.MAX_SUBJECTS + 3; i++) {
      set.add(IpPrefix.host(io.bloomgate.config.name.IpAddress.ofV4(0x0b000000 + i)), "a.list", i);
    }
    assertEquals(3, set.omitted());
    assertEquals(1, hits(set.build(), "11.0.0.9").subjects());
  }

  /** Random nested networks and names against a search of all by all. */
  @Test
  void findsWhatAPlainSearchFinds() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int round = 0; round < 200; round++) {
      List<String> subjects = new ArrayList<>();
      List<String> entries = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        subjects.add(text(random, false));
        entries.add(text(random, true));
      }
      Set<String> listed = new HashSet<>();
      long hitting = 0;
      for (String entry : entries) {
        boolean any = false;
        for (String subject : subjects) {
          boolean hit = plain(entry, subject);
          any |= hit;
          if (hit) {
            listed.add(subject);
          }
        }
        hitting += any ? 1 : 0;
      }
      long expected = subjects.stream().filter(listed::contains).count();
      KnownGoodHits hits =
          hits(set(subjects.toArray(String[]::new)), entries.toArray(String[]::new));
      String where = "seed " + SEED + " round " + round + ": " + subjects + " by " + entries;
      assertEquals(expected, hits.subjects(), where);
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
