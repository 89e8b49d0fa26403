package io.bloomgate.blocklists.workbench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.HashSource;
import io.bloomgate.blocklists.filter.kinds.FilterKinds;
import io.bloomgate.blocklists.filter.kinds.FilterRequest;
import io.bloomgate.blocklists.workbench.FilterChange.Verb;
import io.bloomgate.config.name.Parsed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A change of a filter file is a new file with the old name. */
class FilterChangeTest {

  private static final WorkbenchTools TOOLS =
      new WorkbenchTools(() -> new SplittableRandom(1), () -> 0, 1L << 28);

  @TempDir Path folder;
  private Path file = Path.of("");

  @BeforeEach
  void build() throws Exception {
    file = folder.resolve("f");
    FilterFile.write(
        file,
        FilterKinds.build(FilterKind.COUNTING, new FilterRequest(3_000, 0.001), HashSource.NONE),
        new Keying(KeyHash.VERSION, KeyHash.NORMALISATION_VERSION, 0x5eedL, 12));
  }

  private static List<Parsed<String>> keys(int from, int to) {
    return IntStream.range(from, to)
        .<Parsed<String>>mapToObj(i -> Parsed.ok("h" + i + ".example"))
        .toList();
  }

  @Test
  void theFileKeepsItsModeAndLeavesNothingBeside() throws Exception {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    new FilterChange(TOOLS).run(file, Verb.ADD, keys(0, 300), false);
    assertEquals("rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(file), files.toList());
    }
  }
}
