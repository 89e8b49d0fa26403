package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.filter.FilterKind;
import java.nio.file.Path;

/** A plan for the filter that is to be made. Immutable. */
public sealed interface FilterPlan {

  /** Nothing was asked for: a split-block filter at the settings' own default rate. */
  record Usual() implements FilterPlan {}

  /** A kind at the usual rate, or at its lowest where that is higher. */
  record OfKind(FilterKind kind) implements FilterPlan {}

  /**
   * A kind at a rate.
   *
   * @param rate ratio of false positives, between 0 and 1
   */
  record Rated(FilterKind kind, double rate) implements FilterPlan {}

  /**
   * A classic filter of a given size.
   *
   * @param bitsPerEntry above 0
   */
  record Sized(double bitsPerEntry) implements FilterPlan {}

  /** Kind, size, rate and seed of another filter, so that both can be merged. */
  record Like(Path model) implements FilterPlan {}
}
