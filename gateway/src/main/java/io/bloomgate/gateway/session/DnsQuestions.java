package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.decision.ClientName;
import io.bloomgate.blocklists.decision.DnsListing;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.gateway.relay.ClientNames;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Holds the questions of one session to DNS: lists, and the name of its client; about its client
 * from connect on, about its HELO name and its sender as soon as they are known, so that the
 * answers come while the dialog goes on. Used by the session's thread.
 */
final class DnsQuestions {

  private final DnsLists lists;
  private final ClientNames names;
  private final Map<Check, DnsLists.Pending> pending = new EnumMap<>(Check.class);

  /** The client's name that is looked up; {@code null} when none is. */
  private @Nullable Supplier<ClientName> name;

  /** The answer, once it was awaited. */
  private ClientName found = ClientName.UNKNOWN;

  DnsQuestions(DnsLists lists, ClientNames names) {
    this.lists = lists;
    this.names = names;
  }

  /** True when there is a list to ask about this. */
  boolean asks(Check check) {
    return lists.checks().contains(check);
  }

  /** Another client, HELO name or sender: what was asked about the one before does not count. */
  void forget(Check check) {
    pending.remove(check);
  }

  /** Begins to ask; does not block. */
  void ask(Check check, ListKey subject, IpAddress client) {
    pending.put(check, lists.ask(check, subject, client));
  }

  /** Another client: nothing that was asked before counts. */
  void forgetAll() {
    pending.clear();
    name = null;
    found = ClientName.UNKNOWN;
  }

  /** Begins to look up the client's name; does not block. */
  void askName(IpAddress client) {
    name = names.lookUp(client);
  }

  /** The facts with all answers; {@code null} when there are none. Waits for what is to come. */
  @Nullable Facts answered(Facts facts) {
    awaitName(facts.client());
    List<DnsListing> listings = listings();
    boolean none = found.equals(ClientName.UNKNOWN) && listings.isEmpty();
    return none ? null : facts.withSeen(facts.seen().withName(found)).withDns(listings);
  }

  /** Lists of names are asked for the name as soon as it is known to be the client's. */
  private void awaitName(IpAddress client) {
    Supplier<ClientName> asked = name;
    if (asked == null) {
      return;
    }
    name = null;
    found = asked.get();
    DomainName key = found.key();
    if (key != null && asks(Check.CLIENT_NAME)) {
      ask(Check.CLIENT_NAME, key, client);
    }
  }

  private List<DnsListing> listings() {
    if (pending.isEmpty()) {
      return List.of();
    }
    List<DnsListing> listings = new ArrayList<>();
    pending.values().forEach(asked -> listings.addAll(asked.await()));
    return listings;
  }
}
