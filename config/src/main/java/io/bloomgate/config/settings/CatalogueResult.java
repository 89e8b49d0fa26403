package io.bloomgate.config.settings;

import java.util.List;

/** What became of a catalogue file. Immutable. */
public sealed interface CatalogueResult {

  /** It can be used. */
  record Loaded(Catalogue catalogue) implements CatalogueResult {}

  /** It cannot: everything that is wrong, in the order of the file. */
  record Invalid(List<Problem> problems) implements CatalogueResult {
    public Invalid {
      problems = List.copyOf(problems);
    }
  }
}
