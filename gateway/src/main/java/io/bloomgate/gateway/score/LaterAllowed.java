package io.bloomgate.gateway.score;

import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.blocklists.sessions.KeptListing;
import io.bloomgate.blocklists.sessions.KeptSession;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.Subject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Finds the allow entries that the operator made after a session for the sender of that session: a
 * person said that the listing was wrong. Made and asked by {@link FeedScores} for one answer; one
 * thread.
 */
final class LaterAllowed {

  private static final int V4_BITS = 32;

  /** Of a name that an entry may have. */
  private static final int MIN_LABELS = 2;

  private final Map<Subject, List<OperatorEntry>> bySubject = new HashMap<>();

  /** Of the networks among the subjects. */
  private final Set<Integer> lengths = new TreeSet<>();

  /** Finds among these allow entries. */
  LaterAllowed(List<OperatorEntry> entries) {
    for (OperatorEntry entry : entries) {
      bySubject.computeIfAbsent(entry.subject(), _ -> new ArrayList<>()).add(entry);
      if (entry.subject() instanceof IpPrefix network) {
        lengths.add(network.length());
      }
    }
  }

  /** The entries that are younger than the session and cover its sender. */
  List<OperatorEntry> of(KeptSession session) {
    if (bySubject.isEmpty()) {
      return List.of();
    }
    return keys(session).stream()
        .flatMap(this::covering)
        .map(subject -> bySubject.getOrDefault(subject, List.of()))
        .flatMap(List::stream)
        .filter(entry -> entry.created().isAfter(session.at()))
        .filter(entry -> entry.from() == null || entry.from().contains(session.client()))
        .distinct()
        .toList();
  }

  /** What lists were asked: the client, the sender, and what they listed, such as a HELO. */
  private static Set<ListKey> keys(KeptSession session) {
    Set<ListKey> keys = new LinkedHashSet<>();
    keys.add(session.client());
    Stream.concat(
            Stream.ofNullable(session.from()),
            session.decision().listings().stream().map(KeptListing::subject))
        .flatMap(text -> Subject.parse(text).toOptional().stream())
        .forEach(subject -> keys.addAll(subject.keys()));
    return keys;
  }

  private Stream<Subject> covering(ListKey key) {
    return switch (key) {
      case IpAddress address ->
          lengths.stream()
              .filter(length -> !address.isV4() || length <= V4_BITS)
              .map(length -> IpPrefix.around(address, length));
      case DomainName name ->
          Stream.iterate(0, label -> label <= name.labels() - MIN_LABELS, label -> label + 1)
              .map(name::from);
      case MailAddress address -> Stream.of(address);
    };
  }
}
