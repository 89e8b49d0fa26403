package io.bloomgate.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.checkout.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
  void longFileIsFound() throws IOException {
    String lines = "\n".repeat(SourceRules.MAX_FILE_LINES);
    assertEquals(
        List.of("the file has more than 400 lines"),
        broken("Long.java", "/** Long. */\nclass Long {" + lines + "}"));
  }

  @Test
  void longMethodIsFound() throws IOException {
    String lines = "\n".repeat(SourceRules.MAX_METHOD_LINES);
    assertEquals(
        List.of("run has more than 70 lines"),
        broken("Slow.java", "/** Slow. */\nclass Slow { void run() {" + lines + "} }"));
  }

  @Test
  void missingCommentsAreFound() throws IOException {
    assertEquals(List.of("Mute does not say what it is"), broken("Mute.java", "record Mute() {}"));
    assertEquals(
        List.of("the package does not say what lives in it"),
        broken("package-info.java", "package mute;"));
  }

  @Test
  void goodFileIsLeftAlone() throws IOException {
    assertEquals(List.of(), broken("Good.java", "/** Good. */\nrecord Good() { void run() {} }"));
  }

  private List<String> broken(String name, String text) throws IOException {
    Path file = Files.writeString(folder.resolve(name), text);
    return SourceRules.broken(List.of(file)).stream()
        .map(line -> line.replaceFirst("^.*?:[0-9]+: ", ""))
        .toList();
  }
}
