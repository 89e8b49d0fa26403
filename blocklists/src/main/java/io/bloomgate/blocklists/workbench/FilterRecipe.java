package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.blocklists.filter.HashSource;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.filter.kinds.FilterKinds;
import io.bloomgate.blocklists.filter.kinds.FilterRequest;
import java.nio.file.Path;
import java.util.random.RandomGenerator;

/**
 * A recipe for carrying out a plan: known before any list is read, because the seed must be.
 * Immutable.
 *
 * @param keying of the filter to be made
 * @param hash the same, ready for use
 */
record FilterRecipe(FilterKind kind, Keying keying, SubjectHash hash, Maker maker) {

  /** The rate of false positives that the settings have by default. */
  private static final double USUAL_RATE = 0.001;

  /** Makes the filter once everything is read. */
  @FunctionalInterface
  interface Maker {
    MembershipFilter make(HashSource listed, HashSource knownGood) throws FilterBuildException;
  }

  /**
   * The way to a filter with a fresh seed, or with that of a model.
   *
   * @throws OfflineException when the model cannot be read
   */
  static FilterRecipe of(FilterPlan plan, WorkbenchTools means, RandomGenerator randomness)
      throws OfflineException {
    return switch (plan) {
      case FilterPlan.Usual() -> rated(FilterKind.SPLIT_BLOCK, USUAL_RATE, randomness);
      case FilterPlan.OfKind(FilterKind kind) ->
          rated(kind, Math.max(USUAL_RATE, FilterKinds.lowestRate(kind)), randomness);
      case FilterPlan.Rated(FilterKind kind, double rate) -> rated(kind, rate, randomness);
      case FilterPlan.Sized(double bits) ->
          fresh(
              FilterKind.CLASSIC,
              (listed, good) -> FilterKinds.classicByBitsPerEntry(listed.count(), bits, listed),
              randomness);
      case FilterPlan.Like(Path path) -> like(LoadedFilter.read(path, means));
    };
  }

  private static FilterRecipe rated(FilterKind kind, double rate, RandomGenerator randomness) {
    return fresh(kind, (listed, good) -> build(kind, rate, listed, good), randomness);
  }

  private static MembershipFilter build(
      FilterKind kind, double rate, HashSource listed, HashSource knownGood)
      throws FilterBuildException {
    return FilterKinds.build(kind, new FilterRequest(listed.count(), rate, knownGood), listed);
  }

  private static FilterRecipe fresh(FilterKind kind, Maker maker, RandomGenerator randomness) {
    Keying keying =
        new Keying(
            KeyHash.VERSION,
            KeyHash.NORMALISATION_VERSION,
            randomness.nextLong(),
            randomness.nextLong());
    return new FilterRecipe(
        kind, keying, new KeyHash(keying.seedHigh(), keying.seedLow())::subject, maker);
  }

  /** Kinds that are frozen around their entries are never merged: they take kind, rate and seed. */
  private static FilterRecipe like(LoadedFilter model) throws OfflineException {
    FilterShape shape = model.shape();
    Maker maker =
        switch (shape.kind()) {
          case FUSE8, FUSE16, CASCADE ->
              (listed, good) -> build(shape.kind(), shape.askedRate(), listed, good);
          case SPLIT_BLOCK, CLASSIC, COUNTING, SCALABLE, SCALABLE_COUNTING, CUCKOO ->
              (listed, good) -> FilterKinds.buildLike(model.filter(), listed);
        };
    return new FilterRecipe(shape.kind(), model.file().keying(), model.hash(), maker);
  }
}
