package io.bloomgate.blocklists.filter.kinds;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.filter.AddableFilter;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.HashSource;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.filter.RandomHashes;
import io.bloomgate.blocklists.filter.RemovableFilter;
import io.bloomgate.blocklists.filter.RemovableFilter.Removal;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Filters that change, on disk: they go on where they stopped, and impossible ones are refused. */
@Tag("filters")
class AddableFilterFileTest {

  private static final Keying KEYING = new Keying(1, 1, 11, 12);

  @TempDir Path dir;

  private Path written(FilterKind kind) throws Exception {
    Path path = dir.resolve(kind.word());
    // The kinds that grow come to several slices.
    MembershipFilter empty =
        FilterKinds.build(kind, new FilterRequest(capacity(kind), 0.01), HashSource.NONE);
    FilterFile.write(
        path, AddableFilter.fill((AddableFilter) empty, RandomHashes.of(5, 500)), KEYING);
    return path;
  }

  private static int capacity(FilterKind kind) {
    return kind == FilterKind.COUNTING || kind == FilterKind.CUCKOO ? 500 : 100;
  }

  @ParameterizedTest
  @CsvSource({
    "counting.filter,COUNTING,997",
    "scalable.filter,SCALABLE,664",
    "scalable-counting.filter,SCALABLE_COUNTING,634",
    "cuckoo.filter,CUCKOO,654"
  })
  void keptFilesAnswerAsWhenTheyWereWritten(String name, FilterKind kind, long hits)
      throws Exception {
    Path path = dir.resolve(name);
    try (InputStream stored = AddableFilterFileTest.class.getResourceAsStream(name)) {
      Files.copy(requireNonNull(stored), path);
    }
    FilterFile file = FilterKinds.read(path);
    AddableFilter filter = (AddableFilter) file.filter();
    assertEquals(KEYING, file.keying());
    assertEquals(kind, filter.shape().kind());
    assertEquals(500, filter.shape().entries());
    RandomHashes.of(500, 500).forEach(hash -> assertEquals(1, filter.probe(hash)));
    assertEquals(
        hits, new SplittableRandom(501).longs(100_000).filter(filter::mightContain).count());
    assertTrue(filter.add(1) && filter.mightContain(1));
    if (filter instanceof RemovableFilter removable) {
      assertEquals(Removal.REMOVED, removable.remove(1));
    }
    RandomHashes.of(500, 500).forEach(hash -> assertEquals(1, filter.probe(hash)));
  }

  @ParameterizedTest
  @EnumSource(names = {"COUNTING", "SCALABLE", "SCALABLE_COUNTING", "CUCKOO"})
  void itGoesOnWhereItStopped(FilterKind kind) throws Exception {
    AddableFilter read = (AddableFilter) FilterKinds.read(written(kind)).filter();
    AddableFilter twin =
        AddableFilter.fill(
            (AddableFilter)
                FilterKinds.build(kind, new FilterRequest(capacity(kind), 0.01), HashSource.NONE),
            RandomHashes.of(5, 500));
    SplittableRandom random = new SplittableRandom(6);
    for (int i = 0; i < 2_000; i++) {
      long hash = random.nextLong();
      assertEquals(twin.add(hash), read.add(hash), "hash " + i);
    }
    assertEquals(twin.shape(), read.shape());
    String one = FilterFile.write(dir.resolve("one"), read, KEYING);
    assertEquals(one, FilterFile.write(dir.resolve("two"), twin, KEYING));
  }

  @Test
  void theCountOfKeptRemovalsIsKept() throws Exception {
    ScalableCountingFilter filter =
        AddableFilter.fill(new ScalableCountingFilter(100, 0.3), RandomHashes.of(5, 2_000));
    RandomHashes.of(5, 500).forEach(filter::remove);
    assertTrue(filter.kept() > 0);
    FilterFile.write(dir.resolve("f"), filter, KEYING);
    ScalableCountingFilter read =
        (ScalableCountingFilter) FilterKinds.read(dir.resolve("f")).filter();
    assertEquals(filter.kept(), read.kept());
    assertEquals(filter.slices(), read.slices());
  }
}
