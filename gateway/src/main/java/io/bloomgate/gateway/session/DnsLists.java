package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.decision.DnsListing;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.ListKey;
import java.util.List;
import java.util.Set;

/**
 * Lists that are asked by DNS. Asked by {@link DnsQuestions} and {@link ContentQuestions} on
 * session threads.
 */
public interface DnsLists {

  /** No list is set. */
  DnsLists NONE = new DnsLists() {};

  /** The checks of all lists: nobody needs to prepare questions about anything else. */
  default Set<Check> checks() {
    return Set.of();
  }

  /** True when a list would be asked about this. */
  default boolean asks(Check check, ListKey key) {
    return false;
  }

  /**
   * Begins to ask all lists with this check; does not block. Of what a mail carries, a list is
   * asked in the form that it knows, such as the registered name of a host.
   *
   * @param client on whose behalf; one client network gets a share of the questions at a time
   */
  default Pending ask(Check check, ListKey subject, IpAddress client) {
    return List::of;
  }

  /** Questions that were asked. */
  @FunctionalInterface
  interface Pending {

    /**
     * The listings among the answers; waits for each list no longer than its {@code timeout} after
     * the question.
     */
    List<DnsListing> await();
  }
}
