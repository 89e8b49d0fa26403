package io.bloomgate.blocklists.filter.kinds;

import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.filter.ClassicSizing;
import io.bloomgate.blocklists.filter.CountingFilter;
import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterSizing;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.filter.SplitBlockFilter;
import io.bloomgate.blocklists.filter.SplitBlockFilterBuilder;
import java.util.Optional;

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
    if (one.filter() instanceof CountingFilter && other.filter() instanceof CountingFilter) {
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
        Math.sqrt(square(a) + square(b) + square(union)));
  }

  private static double square(FillEstimate estimate) {
    return estimate.deviation() * estimate.deviation();
  }

  private static void checkAlike(FilterFile one, FilterFile other) throws FilterBuildException {
    if (one.filter().shape().kind() != other.filter().shape().kind()) {
      throw different(
          "kind", one.filter().shape().kind().word(), other.filter().shape().kind().word());
    }
    Optional<String> difference = difference(one.keying(), other.keying());
    if (difference.isPresent()) {
      throw different(difference.get());
    }
  }

  private static MembershipFilter joined(
      MembershipFilter one, MembershipFilter other, boolean and, long entries)
      throws FilterBuildException {
    if (one instanceof SplitBlockFilter a && other instanceof SplitBlockFilter b) {
      return splitBlock(a, b, and, entries);
    }
    if (one instanceof ClassicFilter a && other instanceof ClassicFilter b) {
      return classic(a, b, and, entries);
    }
    if (one instanceof CountingFilter a && other instanceof CountingFilter b) {
      checkPlaces(a.array().counters(), b.array().counters(), "number of counters");
      checkPlaces(a.array().hashes(), b.array().hashes(), "number of hashes");
      return a.plus(b);
    }
    throw new FilterBuildException(
        "filters of kind "
            + one.shape().kind().word()
            + " cannot be merged; split-block, classic and counting can");
  }

  private static void checkPlaces(long one, long other, String what) throws FilterBuildException {
    if (one != other) {
      throw different(what, one, other);
    }
  }

  private static SplitBlockFilter splitBlock(
      SplitBlockFilter a, SplitBlockFilter b, boolean and, long entries)
      throws FilterBuildException {
    checkPlaces(a.span(), b.span(), "size in words");
    SplitBlockFilterBuilder builder =
        new SplitBlockFilterBuilder(
            new FilterSizing.Size(
                a.span(),
                capacity(a, b),
                rate(a, b),
                Math.max(a.expectedRate(), b.expectedRate())));
    builder.or(a);
    if (and) {
      builder.and(b);
    } else {
      builder.or(b);
    }
    return builder.build(entries);
  }

  private static ClassicFilter classic(ClassicFilter a, ClassicFilter b, boolean and, long entries)
      throws FilterBuildException {
    checkPlaces(a.shape().bits(), b.shape().bits(), "number of bits");
    checkPlaces(a.shape().hashes(), b.shape().hashes(), "number of hashes");
    ClassicFilter.Builder builder =
        new ClassicFilter.Builder(
            new ClassicSizing.Size(
                a.shape().bits(),
                a.shape().hashes(),
                capacity(a, b),
                rate(a, b),
                Math.max(a.expectedRate(), b.expectedRate())));
    builder.or(a);
    if (and) {
      builder.and(b);
    } else {
      builder.or(b);
    }
    return builder.build(entries);
  }

  /** The rate that is promised holds for the smaller capacity and the higher rate of the two. */
  private static long capacity(MembershipFilter a, MembershipFilter b) {
    return Math.min(a.shape().capacity(), b.shape().capacity());
  }

  private static double rate(MembershipFilter a, MembershipFilter b) {
    return Math.max(a.shape().askedRate(), b.shape().askedRate());
  }

  /**
   * The difference that keeps two files from holding the same keys under the same hashes; no seed
   * is shown.
   */
  private static Optional<String> difference(Keying one, Keying other) {
    if (one.hashVersion() != other.hashVersion()) {
      return Optional.of("hash version: " + one.hashVersion() + " and " + other.hashVersion());
    }
    if (one.normalisationVersion() != other.normalisationVersion()) {
      return Optional.of(
          "key normalisation version: "
              + one.normalisationVersion()
              + " and "
              + other.normalisationVersion());
    }
    return one.equals(other) ? Optional.empty() : Optional.of("seed");
  }

  private static FilterBuildException different(String what, Object one, Object other) {
    return different(what + ": " + one + " and " + other);
  }

  private static FilterBuildException different(String difference) {
    return new FilterBuildException(
        "the filters cannot be joined, as they differ in their "
            + difference
            + "; build the second one like the first (filter build --like)");
  }
}
