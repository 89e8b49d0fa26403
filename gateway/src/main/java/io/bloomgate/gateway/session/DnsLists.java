package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.decision.DnsListing;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.ListKey;
import java.util.List;

/** Lists that are asked by DNS. Asked by {@link DnsQuestions} on session threads. */
public interface DnsLists {

  /** No list is set. */
  DnsLists NONE =
      new DnsLists() {
        @Override
        public boolean isEmpty() {
          return true;
        }

        @Override
        public Pending ask(Check check, ListKey subject, IpAddress client) {
          return List::of;
        }
      };

  /** True when no list is set, so that nobody needs to prepare questions. */
  boolean isEmpty();

  /**
   * Begins to ask all lists with this check; does not block.
   *
   * @param client on whose behalf; one client network gets a share of the questions at a time
   */
  Pending ask(Check check, ListKey subject, IpAddress client);

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
