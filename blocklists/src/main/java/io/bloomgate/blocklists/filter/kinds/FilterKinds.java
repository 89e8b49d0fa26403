package io.bloomgate.blocklists.filter.kinds;

import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.filter.AddableFilter;
import io.bloomgate.blocklists.filter.CascadeFilterBuilder;
import io.bloomgate.blocklists.filter.ClassicSizing;
import io.bloomgate.blocklists.filter.CountingFilter;
import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.blocklists.filter.FilterSizing;
import io.bloomgate.blocklists.filter.HashSource;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.filter.SplitBlockFilter;
import io.bloomgate.blocklists.filter.SplitBlockFilterBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

/**
 * All kinds of filter: builds one from hashes, and reads one from a file. The entry for commands
 * and benchmarks; a gateway, which needs three of the kinds, asks those themselves. Called on the
 * thread that needs the filter; keeps nothing.
 */
public final class FilterKinds {

  private FilterKinds() {}

  /**
   * Builds a filter.
   *
   * @throws FilterBuildException when the kind does not reach the rate (the message names the kinds
   *     that do), or the filter is too large or full
   */
  public static MembershipFilter build(FilterKind kind, FilterRequest request, HashSource hashes)
      throws FilterBuildException {
    checkReach(kind, request.rate());
    return switch (kind) {
      case SPLIT_BLOCK ->
          splitBlock(FilterSizing.splitBlock(request.capacity(), request.rate()), hashes);
      case CLASSIC -> classic(ClassicSizing.byRate(request.capacity(), request.rate()), hashes);
      case COUNTING ->
          AddableFilter.fill(new CountingFilter(request.capacity(), request.rate()), hashes);
      case SCALABLE ->
          AddableFilter.fill(new ScalableFilter(request.capacity(), request.rate()), hashes);
      case SCALABLE_COUNTING ->
          AddableFilter.fill(
              new ScalableCountingFilter(request.capacity(), request.rate()), hashes);
      case CUCKOO ->
          AddableFilter.fill(new CuckooFilter(request.capacity(), request.rate()), hashes);
      case FUSE8, FUSE16 -> new FuseFilterBuilder(kind, request, hashes).build();
      case CASCADE ->
          CascadeFilterBuilder.build(
              request.capacity(), request.rate(), hashes, request.knownGood());
    };
  }

  /**
   * Builds a filter that can be merged with another one ({@link FilterMerge}): of its kind and of
   * its very shape, however many hashes there are. Kinds that do not merge are made for its
   * capacity and rate.
   *
   * @throws FilterBuildException when it is too large or full
   */
  public static MembershipFilter buildLike(MembershipFilter like, HashSource hashes)
      throws FilterBuildException {
    FilterShape shape = like.shape();
    double rate = shape.askedRate();
    if (like instanceof SplitBlockFilter filter) {
      return splitBlock(
          new FilterSizing.Size(filter.span(), shape.capacity(), rate, shape.expectedRate()),
          hashes);
    }
    if (like instanceof ClassicFilter) {
      return classic(
          new ClassicSizing.Size(
              shape.bits(), shape.hashes(), shape.capacity(), rate, shape.expectedRate()),
          hashes);
    }
    return build(shape.kind(), new FilterRequest(shape.capacity(), rate), hashes);
  }

  /**
   * Builds a classic filter by the bits that an entry may cost.
   *
   * @throws FilterBuildException when it is too large
   */
  public static ClassicFilter classicByBitsPerEntry(
      long capacity, double bitsPerEntry, HashSource hashes) throws FilterBuildException {
    return classic(ClassicSizing.byBitsPerEntry(capacity, bitsPerEntry), hashes);
  }

  /** The lowest ratio of false positives that it is sensible to ask of a kind. */
  public static double lowestRate(FilterKind kind) {
    return switch (kind) {
      // 52 bits an entry at 1e-6, where fuse16 takes 18 for 1.5e-5 and classic 29.
      case SPLIT_BLOCK -> 1e-6;
      // Below, equal 64-bit hashes of different keys are a part of the rate (5e-12 at 1e8 keys).
      case CLASSIC -> 1e-10;
      case COUNTING -> 1e-6;
      case SCALABLE -> 1e-6;
      case SCALABLE_COUNTING -> 1e-6;
      // A fingerprint of 8 or 16 bits is equal by chance.
      case FUSE8 -> 1.0 / (1 << Byte.SIZE);
      case FUSE16 -> 1.0 / (1 << Short.SIZE);
      case CUCKOO -> CuckooSizing.LOWEST_RATE;
      case CASCADE -> CascadeFilterBuilder.LOWEST_RATE;
    };
  }

  /** The kinds that reach a rate. */
  public static List<FilterKind> kindsReaching(double rate) {
    List<FilterKind> kinds = new ArrayList<>();
    for (FilterKind kind : FilterKind.values()) {
      if (rate >= lowestRate(kind)) {
        kinds.add(kind);
      }
    }
    return kinds;
  }

  /**
   * Reads a filter of any kind and proves every octet of it.
   *
   * @throws io.bloomgate.blocklists.file.DamagedFileException when it is not what was written, or
   *     no filter
   * @throws IOException when it cannot be read
   */
  public static FilterFile read(Path path) throws IOException {
    return FilterFile.read(path, FilterKinds::body);
  }

  /** The same for a file that is open. */
  public static FilterFile read(PagedFile file) throws IOException {
    return FilterFile.read(file, FilterKinds::body);
  }

  private static MembershipFilter body(FilterKind kind, PagedFile file) throws IOException {
    return switch (kind) {
      case SPLIT_BLOCK, COUNTING, CASCADE -> FilterFile.body(kind, file);
      case CLASSIC -> ClassicFilter.read(file);
      case SCALABLE -> ScalableFilter.read(file);
      case SCALABLE_COUNTING -> ScalableCountingFilter.read(file);
      case CUCKOO -> CuckooFilter.read(file);
      case FUSE8, FUSE16 -> FuseFilter.read(file);
    };
  }

  private static void checkReach(FilterKind kind, double rate) throws FilterBuildException {
    if (rate >= lowestRate(kind)) {
      return;
    }
    String others =
        kindsReaching(rate).stream().map(FilterKind::word).collect(Collectors.joining(", "));
    throw new FilterBuildException(
        "a filter of kind "
            + kind.word()
            + " does not reach a false-positive rate of "
            + rate
            + "; its lowest is "
            + lowestRate(kind)
            + "; "
            + (others.isEmpty() ? "no kind reaches it" : "kinds that reach it: " + others));
  }

  private static SplitBlockFilter splitBlock(FilterSizing.Size size, HashSource hashes)
      throws FilterBuildException {
    FilterSizing.checkMemory(size.octets());
    SplitBlockFilterBuilder builder = new SplitBlockFilterBuilder(size);
    return builder.build(fill(hashes, builder::add));
  }

  private static ClassicFilter classic(ClassicSizing.Size size, HashSource hashes)
      throws FilterBuildException {
    FilterSizing.checkMemory(size.words() * Long.BYTES);
    ClassicFilter.Builder builder = new ClassicFilter.Builder(size);
    return builder.build(fill(hashes, builder::add));
  }

  /** Gives all hashes to a builder; returns how many there were. */
  private static long fill(HashSource hashes, LongConsumer builder) {
    long[] count = {0};
    hashes.forEach(hash -> {
      builder.accept(hash);
      count[0]++;
    });
    return count[0];
  }
}
