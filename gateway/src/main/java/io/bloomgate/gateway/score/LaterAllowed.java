package io.bloomgate.gateway.score;

import io.bloomgate.blocklists.decision.AllowRules;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.NamePattern;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.name.WebUrl;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the allow entries that the operator made after a session for the sender of that session: a
 * person said that the listing was wrong. Made and asked by {@link FeedScores} for one answer; one
 * thread.
 */
final class LaterAllowed {

  private static final Set<Check> ALL = Set.of(Check.values());

  /** The checks whose listings a name lifts that is allowed for every client. */
  private static final Set<Check> OF_NAMES = Set.of(Check.SENDER, Check.SENDER_DOMAIN);

  private static final int V4_BITS = 32;

  /** The least number of labels of a name that an entry may have. */
  private static final int MIN_LABELS = 2;

  private final Map<Subject, List<OperatorEntry>> bySubject = new HashMap<>();

  /** Entries of patterns with a star, which are compared one by one. */
  private final List<OperatorEntry> patterns;

  /** The lengths of the networks among the subjects. */
  private final Set<Integer> lengths = new TreeSet<>();

  /** Finds among these allow entries. */
  LaterAllowed(List<OperatorEntry> entries) {
    this.patterns =
        entries.stream()
            .filter(entry -> entry.subject() instanceof NamePattern one && one.isChecked())
            .toList();
    for (OperatorEntry entry : entries) {
      bySubject.computeIfAbsent(entry.subject(), _ -> new ArrayList<>()).add(entry);
      if (entry.subject() instanceof IpPrefix network) {
        lengths.add(network.length());
      }
    }
  }

  /**
   * The entries that are younger than the session and would have lifted this listing of it (the
   * rules are those of {@code AllowRules}): the name of a sender says nothing of the client, since
   * any client that is listed may claim it.
   */
  List<OperatorEntry> of(Evidence session, Evidence.Listing listing) {
    if (bySubject.isEmpty()) {
      return List.of();
    }
    Check check = listing.check() == Check.CLIENT_NAME ? Check.CLIENT_IP : listing.check();
    return Stream.of(
            entries(List.of(session.judged())).filter(entry -> lifts(entry, ALL, check)),
            ofClientName(session),
            entries(keys(session.from())).filter(entry -> liftsByName(entry, check)),
            ofSubject(listing, check))
        .flatMap(some -> some)
        .filter(entry -> entry.created().isAfter(session.at()))
        .filter(entry -> entry.from() == null || entry.from().contains(session.judged()))
        .distinct()
        .toList();
  }

  private Stream<OperatorEntry> ofClientName(Evidence session) {
    DomainName name = session.name().key();
    return name == null
        ? Stream.empty()
        : entries(List.of(name))
            .filter(entry -> entry.scope().contains(Check.CLIENT_NAME))
            .filter(entry -> entry.holdsFor(Check.CLIENT_NAME, name));
  }

  /** Entries of what HELO said, or of what the mail carried: they lift no other listing. */
  private Stream<OperatorEntry> ofSubject(Evidence.Listing listing, Check check) {
    if (check == Check.HELO) {
      return entries(keys(listing.subject())).filter(entry -> entry.scope().contains(check));
    }
    return listing.carried().stream()
        .flatMap(carried -> entries(List.of(carried.key())))
        .filter(entry -> AllowRules.isFor(entry, check));
  }

  private static boolean liftsByName(OperatorEntry entry, Check check) {
    if (check == Check.HELO && entry.scope().contains(check)) {
      return false; // it is compared with HELO
    }
    if (Check.OF_CONTENT.contains(check) && !entry.scope().isEmpty() && !entry.anyScope()) {
      return false; // it is compared with what the mail carries
    }
    return entry.anyScope() || lifts(entry, entry.from() == null ? OF_NAMES : ALL, check);
  }

  private static boolean lifts(OperatorEntry entry, Set<Check> usual, Check check) {
    return (entry.scope().isEmpty() ? usual : entry.scope()).contains(check);
  }

  private Stream<OperatorEntry> entries(Collection<? extends ListKey> keys) {
    return Stream.concat(
        keys.stream()
            .flatMap(this::covering)
            .flatMap(subject -> bySubject.getOrDefault(subject, List.of()).stream()),
        patterns.stream().filter(entry -> keys.stream().anyMatch(entry.subject()::covers)));
  }

  private static Collection<? extends ListKey> keys(@Nullable String text) {
    return text == null
        ? List.of()
        : Subject.parse(text).toOptional().map(Subject::keys).orElse(List.of());
  }

  private Stream<Subject> covering(ListKey key) {
    return switch (key) {
      case IpAddress address ->
          lengths.stream()
              .filter(length -> !address.isV4() || length <= V4_BITS)
              .map(length -> IpPrefix.around(address, length));
      case DomainName name ->
          Stream.concat(
              Stream.iterate(0, label -> label <= name.labels() - MIN_LABELS, label -> label + 1)
                  .map(name::from),
              Stream.iterate(1, label -> label < name.labels(), label -> label + 1)
                  .map(name::labelOffset)
                  .map(offset -> NamePattern.below(name.toString().substring(offset))));
      case MailAddress address -> Stream.of(address);
      case WebUrl url -> Stream.concat(url.expressions().stream(), covering(url.host()));
      case Fingerprint print -> Stream.of(print);
      case Likeness likeness -> Stream.of(likeness);
      case AsNumber number -> Stream.of(number);
    };
  }
}
