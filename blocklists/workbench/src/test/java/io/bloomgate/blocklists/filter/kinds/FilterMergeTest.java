package io.bloomgate.blocklists.filter.kinds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.filter.RandomHashes;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Filters joined: all that either held, or a refusal that says what differs. */
@Tag("filters")
class FilterMergeTest {

  private static final Keying KEYING = new Keying(1, 1, 0x5eed_5eedL, 12);

  private static FilterFile file(MembershipFilter filter, Keying keying) {
    return new FilterFile(filter, keying, "");
  }

  private static MembershipFilter build(FilterKind kind, long seed, int capacity)
      throws FilterBuildException {
    return FilterKinds.build(kind, new FilterRequest(capacity, 0.01), RandomHashes.of(seed, 400));
  }

  @ParameterizedTest
  @EnumSource(names = {"SPLIT_BLOCK", "CLASSIC"})
  void theUnionIsWhatOneBuildOfAllWouldBe(FilterKind kind) throws Exception {
    MembershipFilter one = build(kind, 1, 1000);
    MembershipFilter other = FilterKinds.buildLike(one, RandomHashes.of(2, 700));
    MembershipFilter union = FilterMerge.or(file(one, KEYING), file(other, KEYING));
    MembershipFilter whole =
        FilterKinds.buildLike(
            one,
            target -> {
              RandomHashes.of(1, 400).forEach(target);
              RandomHashes.of(2, 700).forEach(target);
            });
    assertEquals(whole.shape(), union.shape());
    new SplittableRandom(3)
        .longs(50_000)
        .forEach(hash -> assertEquals(whole.probe(hash), union.probe(hash)));
  }

  private static String refusal(FilterFile one, FilterFile other) {
    return String.valueOf(
        assertThrows(FilterBuildException.class, () -> FilterMerge.or(one, other)).getMessage());
  }

  @ParameterizedTest
  @CsvSource({"2,1,12,hash version: 1 and 2", "1,3,12,version: 1 and 3", "1,1,13,seed"})
  void otherKeysCannotBeJoined(int hash, int normalisation, long seedLow, String difference)
      throws Exception {
    MembershipFilter filter = build(FilterKind.CLASSIC, 1, 1000);
    Keying other = new Keying(hash, normalisation, KEYING.seedHigh(), seedLow);
    String message = refusal(file(filter, KEYING), file(filter, other));
    assertTrue(message.contains(difference), message);
    assertFalse(message.contains(Long.toString(KEYING.seedHigh())), "the seed is secret");
  }

  @Test
  void otherShapesCannotBeJoined() throws Exception {
    FilterFile classic = file(build(FilterKind.CLASSIC, 1, 1000), KEYING);
    FilterFile larger = file(build(FilterKind.CLASSIC, 1, 1001), KEYING);
    FilterFile lines = file(build(FilterKind.SPLIT_BLOCK, 1, 1000), KEYING);
    FilterFile moreLines = file(build(FilterKind.SPLIT_BLOCK, 1, 1300), KEYING);
    FilterFile cuckoo = file(build(FilterKind.CUCKOO, 1, 1000), KEYING);
    assertTrue(refusal(classic, larger).contains("number of bits: "));
    assertTrue(refusal(lines, moreLines).contains("size in words: "));
    assertTrue(refusal(classic, lines).contains("kind: classic and split-block"));
    assertTrue(refusal(cuckoo, cuckoo).contains("of kind cuckoo cannot be merged"));
  }

  @Test
  void anotherNumberOfHashesIsAnotherShape() throws Exception {
    MembershipFilter ten = FilterKinds.classicByBitsPerEntry(1000, 10, RandomHashes.of(1, 5));
    MembershipFilter two = FilterKinds.classicByBitsPerEntry(5000, 2, RandomHashes.of(1, 5));
    assertEquals(ten.shape().bits(), two.shape().bits());
    assertTrue(refusal(file(ten, KEYING), file(two, KEYING)).contains("number of hashes: 7 and 1"));
  }
}
