package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code feeds test} says of how far the names of a list reach. */
class FeedsTestNamesTest {

  @TempDir private Path folder;

  /**
   * {@code block add} of the same line means all below the name, so people expect that of a feed.
   */
  @Test
  void namesSayHowTheyMatch() throws Exception {
    Path names = Files.writeString(folder.resolve("names.txt"), "a.example\nb.example\n");
    Path zone =
        Files.writeString(
            folder.resolve("zone.rpz"),
            """
            @ SOA localhost. root.localhost. 1 1h 1h 1w 60
            a.example CNAME .
            *.b.example CNAME .
            """);
    Path addresses = Files.writeString(folder.resolve("addresses.txt"), "203.0.113.7\n");
    String exact = tested(names);
    assertTrue(
        exact.contains(
            "  names      match exactly: not what is below them (`match: suffix` in the settings"
                + " does)\n"),
        exact);
    String suffix = tested(names, "--match", "suffix");
    assertTrue(suffix.contains("  names      match with all below them\n"), suffix);
    String both = tested(zone, "--format", "rpz");
    assertTrue(both.contains("  names      exactly 1, only what is below 1\n"), both);
    assertFalse(tested(addresses).contains("names "), "there is none");
    assertTrue(tested(names, "-o", "json").contains("\"names\":{\"exact\":2,\"suffix\":0,"));
  }

  private static String tested(Path list, String... more) {
    List<String> words = new ArrayList<>(List.of("feeds", "test", list.toString()));
    words.addAll(List.of(more));
    Shell.Result result = Shell.run(words.toArray(String[]::new));
    assertEquals(0, result.exitCode(), result.toString());
    return result.out();
  }
}
