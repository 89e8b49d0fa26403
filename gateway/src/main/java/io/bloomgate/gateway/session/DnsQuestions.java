package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.decision.DnsListing;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.settings.Check;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What one session has asked DNS lists: about its client from connect on, about its HELO name and
 * its sender as soon as they are known, so that the answers come while the dialog goes on. Used by
 * the session's thread.
 */
final class DnsQuestions {

  private final DnsLists lists;
  private final Map<Check, DnsLists.Pending> pending = new EnumMap<>(Check.class);

  DnsQuestions(DnsLists lists) {
    this.lists = lists;
  }

  /** True when there is nobody to ask. */
  boolean isIdle() {
    return lists.isEmpty();
  }

  /** Another client, HELO name or sender: what was asked about the one before does not count. */
  void forget(Check check) {
    pending.remove(check);
  }

  /** Begins to ask; does not block. */
  void ask(Check check, ListKey subject, IpAddress client) {
    pending.put(check, lists.ask(check, subject, client));
  }

  /** The listings among all answers; waits for answers that are not there yet. */
  List<DnsListing> listings() {
    if (pending.isEmpty()) {
      return List.of();
    }
    List<DnsListing> listings = new ArrayList<>();
    pending.values().forEach(asked -> listings.addAll(asked.await()));
    return listings;
  }
}
