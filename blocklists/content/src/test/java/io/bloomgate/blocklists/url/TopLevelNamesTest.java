package io.bloomgate.blocklists.url;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.thirdparty.publicsuffix.PublicSuffixPatterns;
import com.google.thirdparty.publicsuffix.PublicSuffixTrie;
import io.bloomgate.config.name.DomainName;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The last labels of Guava's list of public suffixes. After an upgrade of Guava the file is made
 * again: run this class with {@code -Dtop-level-names.write=FILE}, FILE being {@code
 * top-level-names.txt} among the resources.
 */
class TopLevelNamesTest {

  /** Fewer would mean that the walk below no longer understands Guava. */
  private static final int LEAST_NAMES = 1_400;

  private static CharSequence field(String name) throws ReflectiveOperationException {
    Field field = PublicSuffixTrie.class.getDeclaredField(name);
    field.setAccessible(true);
    return (CharSequence) field.get(PublicSuffixPatterns.TRIE);
  }

  /** Three characters a node: offset of its label, first child, and rules and children. */
  private static Set<String> names() throws ReflectiveOperationException {
    CharSequence nodes = field("trieData");
    CharSequence labels = field("stringPool");
    Set<String> names = new TreeSet<>();
    int first = nodes.charAt(1);
    for (int child = first; child < first + (nodes.charAt(2) & 0x7ff); child++) {
      int offset = nodes.charAt(3 * child);
      StringBuilder label = new StringBuilder();
      for (int i = 1; i <= labels.charAt(offset); i++) {
        label.append(labels.charAt(offset + i));
      }
      DomainName.parse("x." + label)
          .toOptional()
          .ifPresent(name -> names.add(name.toString().substring(2)));
    }
    return names;
  }

  @Test
  void theFileHoldsTheNamesOfGuava() throws ReflectiveOperationException, IOException {
    Set<String> names = names();
    assertTrue(names.size() > LEAST_NAMES, "names: " + names.size());
    String target = System.getProperty("top-level-names.write");
    if (target != null) {
      Files.writeString(Path.of(target), String.join("\n", names));
    }
    assertEquals(
        names, new TreeSet<>(TopLevelNames.all()), "made of another Guava; see this class");
  }

  @Test
  void anyCaseIsRead() {
    assertTrue(is("com"));
    assertTrue(is("CoM"));
    assertTrue(is("xn--p1ai"));
    assertFalse(is("js"));
    assertFalse(is("c"));
    assertFalse(is(""));
  }

  private static boolean is(String label) {
    return TopLevelNames.contains(label, 0, label.length());
  }
}
