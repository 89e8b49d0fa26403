package io.bloomgate.gateway.decision;

import io.bloomgate.blocklists.index.Listing;
import io.bloomgate.blocklists.key.ListKey;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Check;

/** What a verdict stands on. Immutable. */
public sealed interface Ground {

  /** What was compared. */
  Check check();

  /** The key that was asked. */
  ListKey subject();

  /** A ground that was confirmed exactly; the only kind that may refuse mail for good. */
  sealed interface Exact extends Ground {
    /**
     * The feed's name, or {@code operator} for the operator's own block list: what a reply names.
     */
    String source();

    /** The canonical text of the entry. */
    String entry();
  }

  /**
   * A feed's listing.
   *
   * @param action what the feed asks for after ageing
   */
  record Listed(Check check, ListKey subject, Listing listing, Action action) implements Exact {
    @Override
    public String source() {
      return listing.feed();
    }

    @Override
    public String entry() {
      return listing.entry().text();
    }
  }

  /** An entry of the operator's block list. */
  record Blocked(Check check, ListKey subject, OperatorEntry block) implements Exact {
    @Override
    public String source() {
      return "operator";
    }

    @Override
    public String entry() {
      return block.subject().toString();
    }
  }

  /** A check that could not be carried out; {@code detail} is for the log only. */
  record Failed(Check check, ListKey subject, String detail) implements Ground {}
}
