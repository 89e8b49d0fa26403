package io.bloomgate.blocklists.filter.kinds;

import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.filter.AddableFilter;
import io.bloomgate.blocklists.filter.ClassicSizing;
import io.bloomgate.blocklists.filter.CounterArray;
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
import io.bloomgate.blocklists.filter.SplitMix;
import io.bloomgate.blocklists.filter.WordBody;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;

/**
 * All kinds of filter: builds one from hashes, and reads one from a file. The entry for commands
 * and benchmarks; a gateway, which needs two of the kinds, asks those themselves. Called on the
 * thread that needs the filter; keeps nothing.
 */
public final class FilterKinds {

  private FilterKinds() {}

  /**
   * Builds a filter; on all cores where the kind allows it and the hashes come in parts.
   *
   * @throws FilterBuildException when the kind does not reach the rate (the message names the kinds
   *     that do), or the filter is too large or full
   */
  public static MembershipFilter build(FilterKind kind, FilterRequest request, HashSource hashes)
      throws FilterBuildException {
    checkReach(kind, request.rate());
    long capacity = request.capacity();
    double rate = request.rate();
    return switch (kind) {
      case SPLIT_BLOCK -> splitBlock(FilterSizing.splitBlock(capacity, rate), hashes);
      case CLASSIC -> ClassicFilter.build(ClassicSizing.byRate(capacity, rate), hashes);
      case COUNTING -> AddableFilter.fill(new CountingFilter(capacity, rate), hashes);
      case SCALABLE -> AddableFilter.fill(new ScalableFilter(capacity, rate), hashes);
      case SCALABLE_COUNTING ->
          AddableFilter.fill(new ScalableCountingFilter(capacity, rate), hashes);
      case CUCKOO -> AddableFilter.fill(new CuckooFilter(capacity, rate), hashes);
      case FUSE8, FUSE16 -> FuseFilter.Builder.build(kind, request, hashes);
      case CASCADE -> CascadeFilter.build(capacity, rate, hashes, request.knownGood());
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
    return switch (like) {
      case SplitBlockFilter filter -> splitBlock(size(filter), hashes);
      case ClassicFilter _ ->
          ClassicFilter.build(
              new ClassicSizing.Size(
                  shape.bits(),
                  shape.hashes(),
                  shape.capacity(),
                  shape.askedRate(),
                  shape.expectedRate()),
              hashes);
      default ->
          build(shape.kind(), new FilterRequest(shape.capacity(), shape.askedRate()), hashes);
    };
  }

  /**
   * Builds a classic filter by the bits that an entry may cost.
   *
   * @throws FilterBuildException when it is too large
   */
  public static ClassicFilter classicByBitsPerEntry(
      long capacity, double bitsPerEntry, HashSource hashes) throws FilterBuildException {
    return ClassicFilter.build(ClassicSizing.byBitsPerEntry(capacity, bitsPerEntry), hashes);
  }

  /** The lowest ratio of false positives that it is sensible to ask of a kind. */
  public static double lowestRate(FilterKind kind) {
    return switch (kind) {
      // 52 bits an entry at 1e-6, where fuse16 takes 18 for 1.5e-5 and classic 29.
      case SPLIT_BLOCK -> 1e-6;
      // Below, equal 64-bit hashes of different keys are a part of the rate (5e-12 at 1e8 keys).
      case CLASSIC -> 1e-10;
      case COUNTING, SCALABLE, SCALABLE_COUNTING -> 1e-6;
      case FUSE8, FUSE16 -> FuseFilter.Builder.rate(kind);
      case CUCKOO -> CuckooTable.LOWEST_RATE;
      case CASCADE -> CascadeFilter.LOWEST_RATE;
    };
  }

  /** The kinds that reach a rate. */
  public static List<FilterKind> kindsReaching(double rate) {
    return Arrays.stream(FilterKind.values()).filter(kind -> rate >= lowestRate(kind)).toList();
  }

  /**
   * Reads a filter of any kind into the heap and proves every octet of it.
   *
   * @throws io.bloomgate.blocklists.file.DamagedFileException when it is not what was written, or
   *     no filter
   * @throws IOException when it cannot be read
   */
  public static FilterFile read(Path path) throws IOException {
    return read(PagedFile.open(path));
  }

  /** The same for a file that is open. */
  public static FilterFile read(PagedFile file) throws IOException {
    MembershipFilter filter = body(FilterFile.kind(file), file, false);
    return new FilterFile(filter, file.header().keying(), file.digest());
  }

  private static MembershipFilter body(FilterKind kind, PagedFile file, boolean mapped)
      throws IOException {
    return switch (kind) {
      case SPLIT_BLOCK, COUNTING -> FilterFile.body(kind, file);
      case CASCADE -> CascadeFilter.read(file, mapped);
      case CLASSIC -> ClassicFilter.read(file, mapped);
      case SCALABLE -> ScalableFilter.read(file, mapped);
      case SCALABLE_COUNTING -> ScalableCountingFilter.read(file);
      case CUCKOO -> CuckooFilter.read(file, mapped);
      case FUSE8, FUSE16 -> FuseFilter.read(kind, file, mapped);
    };
  }

  /**
   * A way to ask a filter where it lies in its mapped file, of which every page is proven first: it
   * needs no heap for the filter, and takes twice the time of a lookup there.
   *
   * @throws io.bloomgate.blocklists.file.DamagedFileException when it is not what was written
   */
  public static LongPredicate mapped(PagedFile file) throws IOException {
    FilterKind kind = FilterFile.kind(file);
    return switch (kind) {
      case SPLIT_BLOCK -> {
        long span = SplitBlockFilter.span(file);
        yield new Lines(WordBody.body(file, true), Lines.size(span), 0)::mightContain;
      }
      case COUNTING -> {
        CountingFilter.check(file);
        yield counters(WordBody.body(file, true), file.header(), 0);
      }
      case SCALABLE_COUNTING -> {
        List<List<Long>> rows = ScalableCountingFilter.rows(file);
        MemorySegment words = WordBody.body(file, true);
        LongPredicate any = _ -> false;
        long at = 0;
        for (int i = 0; i < rows.size(); i++) {
          int measure = ScalableCountingFilter.TABLE + i * ScalableCountingFilter.ROW;
          any = any.or(counters(words.asSlice(at), file.header(), measure));
          at += CounterArray.words(rows.get(i).getFirst()) * Long.BYTES;
        }
        yield any;
      }
      case CLASSIC, SCALABLE, CUCKOO, FUSE8, FUSE16, CASCADE ->
          body(kind, file, true)::mightContain;
    };
  }

  /** True when all counters of a hash are above zero; their number and tests are measures. */
  private static LongPredicate counters(MemorySegment words, FileHeader header, int measure) {
    long counters = header.measure(measure);
    int hashes = (int) header.measure(measure + 1);
    return hash ->
        Arrays.stream(SplitMix.places(hash, counters, hashes))
            .allMatch(
                at -> (words.get(WordBody.WORD, at >>> 4 << 3) >>> ((at & 15) << 2) & 15) > 0);
  }

  /** A filter that takes further keys; itself, or one that has its bits. */
  public static MembershipFilter open(MembershipFilter filter) {
    return filter instanceof SplitBlockFilter lines ? Lines.of(lines) : filter;
  }

  private static void checkReach(FilterKind kind, double rate) throws FilterBuildException {
    if (rate >= lowestRate(kind)) {
      return;
    }
    String others =
        kindsReaching(rate).stream().map(FilterKind::word).collect(Collectors.joining(", "));
    throw new FilterBuildException(
        "a filter of kind %s does not reach a false-positive rate of %s; its lowest is %s; %s"
            .formatted(
                kind.word(),
                rate,
                lowestRate(kind),
                (others.isEmpty() ? "no kind reaches it" : "kinds that reach it: " + others)));
  }

  /** The size of a filter as its builder wants it. */
  static FilterSizing.Size size(SplitBlockFilter filter) {
    FilterShape shape = filter.shape();
    return new FilterSizing.Size(
        filter.span(), shape.capacity(), shape.askedRate(), shape.expectedRate());
  }

  private static SplitBlockFilter splitBlock(FilterSizing.Size size, HashSource hashes)
      throws FilterBuildException {
    FilterSizing.checkMemory(size.octets());
    SplitBlockFilterBuilder builder = new SplitBlockFilterBuilder(size);
    builder.addAll(hashes.parts());
    return builder.build(hashes.count());
  }
}
