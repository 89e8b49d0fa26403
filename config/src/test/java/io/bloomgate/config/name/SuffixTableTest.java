package io.bloomgate.config.name;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.thirdparty.publicsuffix.PublicSuffixPatterns;
import com.google.thirdparty.publicsuffix.PublicSuffixTrie;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The table of public suffixes against Guava's own list. After an upgrade of Guava the file is made
 * again: run this class with {@code -Dpublic-suffixes.write=FILE}, FILE being {@code
 * public-suffixes.hashes} among the resources.
 */
class SuffixTableTest {

  private static final long SEED = 0x5aff_1ce5L;
  private static final int NAMES = 100_000;

  /** Fewer would mean that the walk below no longer understands Guava. */
  private static final int LEAST_RULES = 8_000;

  /** Rules of Guava's list, those for one label left out: no entry has one. */
  private static final class Rules {
    private final List<DomainName> exact = new ArrayList<>();

    /** A name below each {@code *.x}. */
    private final List<DomainName> belowWildcards = new ArrayList<>();

    private final CharSequence nodes;
    private final CharSequence labels;

    Rules() throws ReflectiveOperationException {
      nodes = field("trieData");
      labels = field("stringPool");
      below(0, "");
    }

    private static CharSequence field(String name) throws ReflectiveOperationException {
      Field field = PublicSuffixTrie.class.getDeclaredField(name);
      field.setAccessible(true);
      return (CharSequence) field.get(PublicSuffixPatterns.TRIE);
    }

    /** Three characters a node: offset of its label, first child, and rules and children. */
    private void below(int node, String name) {
      int rules = nodes.charAt(3 * node + 2);
      if ((rules >>> 14 & 3) != 0) {
        DomainName.parse(name)
            .toOptional()
            .filter(n -> name.equals(n.toString()))
            .ifPresent(exact::add);
      }
      if ((rules >>> 12 & 3) != 0) {
        String child = "any." + name;
        DomainName.parse(child)
            .toOptional()
            .filter(n -> child.equals(n.toString()))
            .ifPresent(belowWildcards::add);
      }
      int first = nodes.charAt(3 * node + 1);
      for (int child = first; child < first + (rules & 0x7ff); child++) {
        String label = label(nodes.charAt(3 * child));
        below(child, name.isEmpty() ? label : label + "." + name);
      }
    }

    private String label(int offset) {
      StringBuilder label = new StringBuilder();
      for (int i = 1; i <= labels.charAt(offset); i++) {
        label.append(labels.charAt(offset + i));
      }
      return label.toString();
    }

    int[] hashes() {
      return IntStream.concat(
              exact.stream().mapToInt(SuffixTable::exact),
              belowWildcards.stream().mapToInt(SuffixTable::wildcard))
          .sorted()
          .distinct()
          .toArray();
    }
  }

  @Test
  void theFileHoldsTheRulesOfGuava() throws ReflectiveOperationException, IOException {
    Rules rules = new Rules();
    assertTrue(rules.exact.size() > LEAST_RULES, "rules: " + rules.exact.size());
    rules.exact.forEach(name -> assertTrue(PublicSuffixes.isListed(name), name.toString()));
    int[] hashes = rules.hashes();
    String target = System.getProperty("public-suffixes.write");
    if (target != null) {
      ByteBuffer octets = ByteBuffer.allocate(hashes.length * Integer.BYTES);
      octets.asIntBuffer().put(hashes);
      Files.write(Path.of(target), octets.array());
    }
    assertArrayEquals(hashes, SuffixTable.stored(), "made of another Guava; see this class");
  }

  @Test
  void answersAsGuavaDoes() throws ReflectiveOperationException {
    Rules rules = new Rules();
    List<DomainName> all =
        Stream.of(rules.exact, rules.belowWildcards).flatMap(List::stream).toList();
    SplittableRandom random = new SplittableRandom(SEED);
    int suffixes = 0;
    for (int i = 0; i < NAMES; i++) {
      DomainName name = near(all.get(random.nextInt(all.size())), random);
      boolean expected = PublicSuffixes.isListed(name);
      suffixes += expected ? 1 : 0;
      assertEquals(expected, PublicSuffixes.contains(name), "seed " + SEED + ": " + name);
    }
    assertTrue(suffixes > NAMES / 10 && suffixes < NAMES, "suffixes: " + suffixes);
  }

  /** The name itself, its parent, or a name below or beside it. */
  private static DomainName near(DomainName name, SplittableRandom random) {
    String text = name.toString();
    String other =
        switch (random.nextInt(5)) {
          case 0 -> "www." + text;
          case 1 -> "x" + text;
          case 2 -> text.substring(text.indexOf('.') + 1);
          case 3 -> Integer.toString(random.nextInt(100), 36) + text.substring(text.indexOf('.'));
          default -> text;
        };
    return DomainName.parse(other).toOptional().orElse(name);
  }

  @Test
  void letsFewOtherNamesThrough() {
    SuffixTable table = SuffixTable.load();
    SplittableRandom random = new SplittableRandom(SEED);
    int through = 0;
    for (int i = 0; i < NAMES; i++) {
      String text = "n" + Integer.toString(random.nextInt(Integer.MAX_VALUE), 36) + ".example";
      through += table.mayContain(DomainName.parse(text).toOptional().orElseThrow()) ? 1 : 0;
    }
    assertTrue(through < NAMES / 10_000, "let through: " + through);
  }
}
