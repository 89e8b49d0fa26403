package io.bloomgate.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.checkout.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Holds the sources of all modules, tests included, to {@link SourceRules}. */
class SourceRulesTest {
  @TempDir Path folder;

  @Test
  void sourcesKeepTheRules() throws IOException {
    List<Path> sources = SourceRules.sources(Checkout.root());
    assertTrue(sources.size() > 50, "sources were not found below " + Checkout.root());
    assertEquals(List.of(), SourceRules.broken(sources));
  }

  @Test
  void whatBreaksARuleIsFoundAndNothingElse() throws IOException {
    String many = "\n".repeat(SourceRules.MAX_FILE_LINES);
    String some = "\n".repeat(SourceRules.MAX_METHOD_LINES);
    assertEquals(
        List.of("the file has more than 400 lines"),
        broken("Long.java", "/** Long. */\nclass Long {" + many + "}"));
    assertEquals(
        List.of("run has more than 70 lines"),
        broken("Slow.java", "/** Slow. */\nclass Slow { void run() {" + some + "} }"));
    assertEquals(List.of("Mute does not say what it is"), broken("Mute.java", "record Mute() {}"));
    assertEquals(
        List.of("the package does not say what lives in it"),
        broken("package-info.java", "package mute;"));
    assertEquals(List.of(), broken("Good.java", "/** Good. */\nrecord Good() { void run() {} }"));
  }

  @Test
  void productCodeOnlyShrinks() throws IOException {
    SortedMap<String, Integer> modules = SourceRules.productLines(Checkout.root());
    int all = modules.values().stream().mapToInt(Integer::intValue).sum();
    String ledger =
        "Lines of product code: %d, at most %d; %s"
            .formatted(all, SourceRules.MAX_PRODUCT_LINES, modules);
    System.out.println(ledger);
    assertTrue(modules.size() > 3, "modules were not found below " + Checkout.root());
    assertTrue(all <= SourceRules.MAX_PRODUCT_LINES, ledger);
  }

  @Test
  void commentsAndBlankLinesAreNoCode() {
    String source =
        """
        /* A licence
         * of two lines. */
        class A { // a name

          /** A link, "quoted. */
          String link = "http://a.example/* no comment */";
          char quote = '"'; /* a
          comment */ int after;
          String text = \"""
              // no comment

              \""";
        }
        """;
    assertEquals(8, SourceRules.codeLines(source));
  }

  @Test
  void testsAndBenchmarksAreNoProduct() throws IOException {
    for (String file :
        List.of(
            "a/src/main/java/A.java",
            "a/b/src/main/java/B.java",
            "a/src/test/java/ATest.java",
            "integration-tests/bench/src/main/java/C.java")) {
      Files.createDirectories(folder.resolve(file).getParent());
      Files.writeString(folder.resolve(file), "class A {\n}\n");
    }
    assertEquals(Map.of("a", 2, "a/b", 2), SourceRules.productLines(folder));
  }

  private List<String> broken(String name, String text) throws IOException {
    Path file = Files.writeString(folder.resolve(name), text);
    return SourceRules.broken(List.of(file)).stream()
        .map(line -> line.replaceFirst("^.*?:[0-9]+: ", ""))
        .toList();
  }
}
