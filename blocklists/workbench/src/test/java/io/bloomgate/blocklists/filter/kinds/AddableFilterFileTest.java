package io.bloomgate.blocklists.filter.kinds;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.file.PagedFileWriter;
import io.bloomgate.blocklists.filter.AddableFilter;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.HashSource;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.filter.RandomHashes;
import io.bloomgate.blocklists.filter.RemovableFilter;
import io.bloomgate.blocklists.filter.RemovableFilter.Removal;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

  /** Every measure in turn, lowered below zero, raised, and left out; and one too many. */
  @ParameterizedTest
  @EnumSource(names = {"COUNTING", "SCALABLE", "SCALABLE_COUNTING", "CUCKOO"})
  void measuresOfNoSuchFilterAreRefused(FilterKind kind) throws Exception {
    PagedFile whole = PagedFile.open(written(kind));
    List<Long> measures = whole.header().measures();
    rewrite(whole, whole.header().entries(), 0.01, measures);
    assertEquals(500, FilterKinds.read(dir.resolve("bad")).filter().shape().entries());
    for (int i = 0; i < measures.size(); i++) {
      for (long value : new long[] {-1, Long.MIN_VALUE, measures.get(i) + 1_000}) {
        List<Long> changed = new ArrayList<>(measures);
        changed.set(i, value);
        if (value < 0 || !mayGrow(kind, i)) {
          refused(whole, 500, 0.01, changed);
        }
      }
    }
    refused(whole, 500, 0.01, measures.subList(0, measures.size() - 1));
    List<Long> more = new ArrayList<>(measures);
    more.add(1L);
    refused(whole, 500, 0.01, more);
    refused(whole, 500, 0.01, List.of());
    refused(whole, -1, 0.01, measures);
    for (double rate : new double[] {0, 1, -0.1, Double.NaN}) {
      refused(whole, 500, rate, measures);
    }
  }

  /** Measures that describe another possible filter when they are larger. */
  private static boolean mayGrow(FilterKind kind, int measure) {
    return switch (kind) {
      // The capacity of the first slice.
      case SCALABLE -> measure == 0;
      // The capacity of the first slice and the removals that kept their hash.
      case SCALABLE_COUNTING -> measure <= 1;
      default -> false;
    };
  }

  @Test
  void aCuckooFileWithAnotherNumberOfFingerprintsIsRefused() throws Exception {
    PagedFile whole = PagedFile.open(written(FilterKind.CUCKOO));
    refused(whole, 499, 0.01, whole.header().measures());
    refused(whole, 501, 0.01, whole.header().measures());
  }

  private void refused(PagedFile whole, long entries, double rate, List<Long> measures)
      throws IOException {
    rewrite(whole, entries, rate, measures);
    assertThrows(
        DamagedFileException.class,
        () -> FilterKinds.read(dir.resolve("bad")),
        () -> "entries " + entries + ", rate " + rate + ", measures " + measures);
  }

  /** The same body under a header that is proven and says something else. */
  private void rewrite(PagedFile whole, long entries, double rate, List<Long> measures)
      throws IOException {
    FileHeader header = whole.header();
    try (PagedFileWriter out = PagedFileWriter.create(dir.resolve("bad"))) {
      for (long at = 0; at < whole.body().byteSize(); at++) {
        out.putByte(whole.body().get(ValueLayout.JAVA_BYTE, at));
      }
      out.commit(
          new FileHeader(
              header.kind(),
              header.keying(),
              entries,
              header.capacity(),
              rate,
              header.expectedRate(),
              measures));
    }
  }
}
