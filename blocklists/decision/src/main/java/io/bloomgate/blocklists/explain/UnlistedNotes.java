package io.bloomgate.blocklists.explain;

import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Grounds;
import io.bloomgate.blocklists.decision.Grounds.Pardoned;
import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.blocklists.entry.ReservedNetworks;
import io.bloomgate.blocklists.generation.ListAnswer;
import io.bloomgate.blocklists.guard.ProtectedSet;
import io.bloomgate.blocklists.index.Listing;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.Subject;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Says why a subject counts as not listed for somebody who sees it in a list: the list is not asked
 * about such a subject, or no list may name it. Called by {@link Explainer}; pure but for reading
 * the lists.
 */
final class UnlistedNotes {

  /** Checks whose notes {@link CarriedNotes} makes, because a mail carries their keys. */
  private static final Set<Check> NOTED =
      EnumSet.of(Check.FROM, Check.FROM_DOMAIN, Check.REPLY_TO_DOMAIN, Check.URL, Check.URL_HOST);

  private UnlistedNotes() {}

  /**
   * The sentences; none for a subject that lists are asked about.
   *
   * @param grounds what lists say of the subject
   */
  static List<String> of(@Nullable Subject subject, Grounds grounds, Explainer.Context context) {
    if (subject == null) {
      return List.of();
    }
    Optional<IpPrefix> exempt = within(subject, context.policy().exemptNetworks());
    if (exempt.isPresent()) {
      return List.of(
          "the client is exempt: %s is in policy.exempt_networks, so nothing refuses its mail"
              .formatted(exempt.get()));
    }
    List<String> notes = new ArrayList<>();
    within(subject, context.policy().forwarders())
        .ifPresent(network ->
            notes.add(
                ("the client is a trusted forwarder: %s is in policy.forwarders, so that its mail"
                        + " is judged by the client in its Received field, and tagged at most")
                    .formatted(network)));
    int forwarder = notes.size();
    for (ListKey key : subject.keys()) {
      for (Listing listing : listings(key, context)) {
        Policy.FeedRule rule = context.policy().feeds().get(listing.feed());
        if (rule != null && !isHeard(rule, subject) && !isAmong(grounds, listing)) {
          notes.add(unasked(listing, rule));
        }
      }
    }
    if (notes.size() == forwarder && grounds.standing().isEmpty() && grounds.pardoned().isEmpty()) {
      held(subject, context).forEach(why -> notes.add("no list can name it: " + why));
    }
    return notes;
  }

  /** The network that holds all of these clients. */
  private static Optional<IpPrefix> within(Subject subject, List<IpPrefix> networks) {
    return subject instanceof IpPrefix client
        ? networks.stream()
            .filter(network -> network.length() <= client.length() && network.overlaps(client))
            .findFirst()
        : Optional.empty();
  }

  private static List<Listing> listings(ListKey key, Explainer.Context context) {
    try {
      return context.lists().snapshot().ask(key) instanceof ListAnswer.Listed(var _, var listings)
          ? listings
          : List.of();
    } catch (RuntimeException | InternalError e) {
      return List.of(); // the verdict reports the failure
    }
  }

  private static boolean isHeard(Policy.FeedRule rule, Subject subject) {
    Set<Check> asked =
        switch (subject) {
          case IpPrefix _ -> EnumSet.of(Check.CLIENT_IP, Check.HELO);
          default -> EnumSet.of(Check.HELO, Check.SENDER, Check.SENDER_DOMAIN);
        };
    asked.addAll(NOTED);
    return rule.checks().stream().anyMatch(asked::contains);
  }

  private static boolean isAmong(Grounds grounds, Listing listing) {
    return Stream.concat(
            grounds.standing().stream(), grounds.pardoned().stream().map(Pardoned::ground))
        .anyMatch(
            ground -> ground instanceof Ground.OfList list && list.source().equals(listing.feed()));
  }

  private static String unasked(Listing listing, Policy.FeedRule rule) {
    String checks =
        new TreeSet<>(rule.checks()).stream().map(Check::key).collect(Collectors.joining(", "));
    return "%s lists %s in line %d, but is asked for %s only; its setting `checks` says so"
        .formatted(listing.feed(), listing.entry().text(), listing.entry().line(), checks);
  }

  private static List<String> held(Subject subject, Explainer.Context context) {
    ListEntry entry =
        switch (subject) {
          case IpPrefix prefix when prefix.isHost() -> new ListEntry.Network(prefix, false, 0);
          case DomainName name -> new ListEntry.Domain(name, NameMatch.EXACT, false, 0);
          default -> null;
        };
    if (entry == null) {
      return List.of();
    }
    List<String> why =
        context.policy().protectedSets().stream()
            .filter(set -> set.protects(entry))
            .map(ProtectedSet::reason)
            .distinct()
            .toList();
    return why.isEmpty()
            && entry instanceof ListEntry.Network(IpPrefix prefix, var _, var _)
            && ReservedNetworks.overlap(prefix)
        ? List.of("reserved network; a list with `allow_bogons: true` can")
        : why;
  }
}
