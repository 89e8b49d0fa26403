package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Sizes of filters that are not built: the table of kinds, and that of rates. */
class FilterSizeCommandTest {

  private static List<String> lines(String... more) {
    Shell.Result result =
        Shell.run(List.of("filter", "size", "--entries", "1000000"), more).exits(0).isSilent();
    return result.out().lines().toList();
  }

  @Test
  void scriptsGetAnObjectAKind() {
    List<String> rows = lines("--memory", "1MiB", "--hashes", "4", "-o", "json");
    assertEquals(11, rows.size());
    assertTrue(
        rows.get(1)
            .startsWith(
                "{\"kind\":\"classic\",\"bits\":8388608,\"octets\":1048576,"
                    + "\"bits_per_entry\":8.39,\"hashes\":4,\"expected_fpp\":0.0206"),
        rows.get(1));
    assertTrue(
        rows.stream()
            .anyMatch(row -> row.equals("{\"kind\":\"fuse16\",\"remark\":\"does not fit\"}")),
        rows::toString);
  }

  @Test
  void theTableMarksTheBestNumberOfTests() {
    List<String> lines = lines("--bits-per-entry", "10", "--table");
    assertTrue(
        lines.stream().anyMatch(line -> line.matches(" 10 +9\\.52 .* \\*0\\.819 .*")),
        lines::toString);
    assertEquals(13 + 3 + 19, lines.size());
    List<String> json = lines("--bits-per-entry", "10", "--table", "-o", "json");
    assertEquals(11 + 19, json.size());
    assertTrue(json.getLast().startsWith("{\"table_bits_per_entry\":20,\"best_hashes\":14,"));
  }

  @Test
  void noRowIsLargerThanTheMemory() {
    Shell.Result result = Shell.run("filter", "size", "--entries", "1", "--memory", "1B").exits(0);
    assertEquals(
        11,
        result.out().lines().filter(line -> line.endsWith("does not fit")).count(),
        result.out());
  }
}
