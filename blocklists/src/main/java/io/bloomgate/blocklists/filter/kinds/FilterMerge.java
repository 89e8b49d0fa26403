package io.bloomgate.blocklists.filter.kinds;

import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.filter.ClassicSizing;
import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterSizing;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.filter.SplitBlockFilter;
import io.bloomgate.blocklists.filter.SplitBlockFilterBuilder;
import java.util.Optional;

/**
 * Joins two filters into one that holds what either holds, by OR of their bits. Called by commands.
 * Pure.
 */
public final class FilterMerge {

  private FilterMerge() {}

  /**
   * The union of two files' filters. Its entries are the sum of theirs, which is more than the
   * distinct ones when both hold the same key; its expected rate is counted from its bits.
   *
   * @throws FilterBuildException when their kinds, shapes or seeds differ; it names the difference
   */
  public static MembershipFilter or(FilterFile one, FilterFile other) throws FilterBuildException {
    Optional<String> difference = difference(one.keying(), other.keying());
    if (difference.isPresent()) {
      throw different(difference.get());
    }
    return or(one.filter(), other.filter());
  }

  private static MembershipFilter or(MembershipFilter one, MembershipFilter other)
      throws FilterBuildException {
    if (one instanceof SplitBlockFilter a && other instanceof SplitBlockFilter b) {
      return splitBlock(a, b);
    }
    if (one instanceof ClassicFilter a && other instanceof ClassicFilter b) {
      return classic(a, b);
    }
    if (one.shape().kind() != other.shape().kind()) {
      throw different("kind", one.shape().kind().word(), other.shape().kind().word());
    }
    throw new FilterBuildException(
        "filters of kind "
            + one.shape().kind().word()
            + " cannot be merged; split-block and classic can");
  }

  private static SplitBlockFilter splitBlock(SplitBlockFilter a, SplitBlockFilter b)
      throws FilterBuildException {
    if (a.span() != b.span()) {
      throw different("size in words", a.span(), b.span());
    }
    SplitBlockFilterBuilder builder =
        new SplitBlockFilterBuilder(
            new FilterSizing.Size(
                a.span(),
                capacity(a, b),
                rate(a, b),
                Math.max(a.expectedRate(), b.expectedRate())));
    builder.or(a);
    builder.or(b);
    return builder.build(a.shape().entries() + b.shape().entries());
  }

  private static ClassicFilter classic(ClassicFilter a, ClassicFilter b)
      throws FilterBuildException {
    if (a.shape().bits() != b.shape().bits()) {
      throw different("number of bits", a.shape().bits(), b.shape().bits());
    }
    if (a.shape().hashes() != b.shape().hashes()) {
      throw different("number of hashes", a.shape().hashes(), b.shape().hashes());
    }
    ClassicFilter.Builder builder =
        new ClassicFilter.Builder(
            new ClassicSizing.Size(
                a.shape().bits(),
                a.shape().hashes(),
                capacity(a, b),
                rate(a, b),
                Math.max(a.expectedRate(), b.expectedRate())));
    builder.or(a);
    builder.or(b);
    return builder.build(a.shape().entries() + b.shape().entries());
  }

  /** The rate that is promised holds for the smaller capacity and the higher rate of the two. */
  private static long capacity(MembershipFilter a, MembershipFilter b) {
    return Math.min(a.shape().capacity(), b.shape().capacity());
  }

  private static double rate(MembershipFilter a, MembershipFilter b) {
    return Math.max(a.shape().askedRate(), b.shape().askedRate());
  }

  /** What keeps two files from holding the same keys under the same hashes; no seed is shown. */
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
        "the filters cannot be merged, as they differ in their "
            + difference
            + "; build the second one like the first (filter build --like)");
  }
}
