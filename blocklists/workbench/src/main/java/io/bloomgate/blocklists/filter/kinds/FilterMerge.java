package io.bloomgate.blocklists.filter.kinds;

import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.filter.ClassicSizing;
import io.bloomgate.blocklists.filter.CountingFilter;
import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.blocklists.filter.FilterSizing;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.filter.WordBody;
import java.lang.foreign.MemorySegment;

/**
 * Joins two filters into one that holds what either holds, or what both hold, by OR or AND of their
 * bits. Called by commands. Pure.
 */
public final class FilterMerge {

  private FilterMerge() {}

  /**
   * The union of two files' filters. Its entries are the sum of theirs, which is more than the
   * distinct ones when both hold the same key; its expected rate is counted from its bits. Counters
   * are added.
   *
   * @throws FilterBuildException when their kinds, shapes or seeds differ; it names the difference
   */
  public static MembershipFilter or(FilterFile one, FilterFile other) throws FilterBuildException {
    checkAlike(one, other);
    long entries = one.filter().shape().entries() + other.filter().shape().entries();
    if (entries < 0) {
      throw new FilterBuildException("the filters count more entries together than any filter has");
    }
    return joined(one.filter(), other.filter(), false, entries);
  }

  /**
   * The intersection of two files' filters: every key that both hold hits it, and so does one that
   * one of them holds and for which the other has a false positive. Its entries are estimated.
   *
   * @throws FilterBuildException when their kinds, shapes or seeds differ, or they count
   */
  public static MembershipFilter and(FilterFile one, FilterFile other) throws FilterBuildException {
    checkAlike(one, other);
    if (one.filter() instanceof CountingFilter) {
      throw new FilterBuildException(
          "filters of kind counting cannot be intersected, as nothing shows how often a key is in"
              + " both; split-block and classic can");
    }
    long entries = Math.round(overlap(one, other).keys());
    return joined(one.filter(), other.filter(), true, entries);
  }

  /**
   * Estimates how many distinct keys both hold, by the fill of each and of their union.
   *
   * @throws FilterBuildException when their kinds, shapes or seeds differ
   */
  public static FillEstimate overlap(FilterFile one, FilterFile other) throws FilterBuildException {
    FillEstimate union = FillEstimate.of(or(one, other)).orElseThrow();
    FillEstimate a = FillEstimate.of(one.filter()).orElseThrow();
    FillEstimate b = FillEstimate.of(other.filter()).orElseThrow();
    double both = a.keys() + b.keys() - union.keys();
    return new FillEstimate(
        Double.isFinite(union.keys()) ? Math.clamp(both, 0, Math.min(a.keys(), b.keys())) : both,
        Math.hypot(Math.hypot(a.deviation(), b.deviation()), union.deviation()));
  }

  /** Two files hold the same keys under the same hashes; the message shows no seed. */
  private static void checkAlike(FilterFile one, FilterFile other) throws FilterBuildException {
    Keying a = one.keying();
    Keying b = other.keying();
    same("kind", one.filter().shape().kind().word(), other.filter().shape().kind().word());
    same("hash version", a.hashVersion(), b.hashVersion());
    same("key normalisation version", a.normalisationVersion(), b.normalisationVersion());
    if (!a.equals(b)) {
      throw different("seed");
    }
  }

  private static void same(String what, Object one, Object other) throws FilterBuildException {
    if (!one.equals(other)) {
      throw different(what + ": " + one + " and " + other);
    }
  }

  private static FilterBuildException different(String difference) {
    return new FilterBuildException(
        "the filters cannot be joined, as they differ in their "
            + difference
            + "; build the second one like the first (filter build --like)");
  }

  private static MembershipFilter joined(
      MembershipFilter one, MembershipFilter other, boolean and, long entries)
      throws FilterBuildException {
    FilterShape a = one.shape();
    FilterShape b = other.shape();
    // The rate that is promised holds for the smaller capacity and the higher rate of the two.
    long capacity = Math.min(a.capacity(), b.capacity());
    double rate = Math.max(a.askedRate(), b.askedRate());
    double planned = Math.max(a.expectedRate(), b.expectedRate());
    if (FilterKinds.open(one) instanceof Lines lines
        && FilterKinds.open(other) instanceof Lines others) {
      same("size in words", lines.span(), others.span());
      return new Lines(
          joined(lines.words(), others.words(), and),
          new FilterSizing.Size(lines.span(), capacity, rate, planned),
          entries);
    }
    if (one instanceof ClassicFilter bits && other instanceof ClassicFilter others) {
      same("number of bits", a.bits(), b.bits());
      same("number of hashes", a.hashes(), b.hashes());
      return new ClassicFilter(
          joined(bits.words(), others.words(), and),
          new ClassicSizing.Size(a.bits(), a.hashes(), capacity, rate, planned),
          entries);
    }
    if (one instanceof CountingFilter counters && other instanceof CountingFilter others) {
      same("number of counters", counters.array().counters(), others.array().counters());
      same("number of hashes", a.hashes(), b.hashes());
      return counters.plus(others);
    }
    throw new FilterBuildException(
        "filters of kind "
            + a.kind().word()
            + " cannot be merged; split-block, classic and counting can");
  }

  private static MemorySegment joined(MemorySegment one, MemorySegment other, boolean and) {
    long[] words = new long[(int) (one.byteSize() / Long.BYTES)];
    for (int i = 0; i < words.length; i++) {
      long a = one.get(WordBody.WORD, (long) i * Long.BYTES);
      long b = other.get(WordBody.WORD, (long) i * Long.BYTES);
      words[i] = and ? a & b : a | b;
    }
    return MemorySegment.ofArray(words);
  }
}
