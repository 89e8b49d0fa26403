package io.bloomgate.gateway.score;

import io.bloomgate.blocklists.decision.AllowRules;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.impact.PastSession;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.ClientNetwork;
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
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Counts the listings of each feed. Filled by {@link FeedScores} from one scan of the listed
 * sessions, and where accepted mail was listed from a second scan of accepted mail; one thread.
 */
final class ScoreScan {

  /** Accepted senders that are remembered of a feed, about 150 octets each; more do not count. */
  static final int MAX_SENDERS = 10_000;

  /** Allow entries that are counted of a feed, about 100 octets each; more do not count. */
  static final int MAX_LATER = 10_000;

  /** A network as one holder usually has it, with the domain of the envelope sender. */
  record Sender(IpPrefix network, String domain) {}

  /** The counts of one feed. Sessions, where nothing else is said. */
  static final class Tally {

    /** The number of the hits that another feed has too, by its name. */
    final Map<String, Long> shared = new TreeMap<>();

    /** Distinct senders of accepted mail: a network with a domain. */
    final Set<Sender> senders = new HashSet<>();

    /** Allow entries that came after a hit; at most {@link #MAX_LATER}. */
    final Set<String> laterAllowed = new HashSet<>();

    /** Sessions that the feed listed. */
    long hits;

    /** The number of these that no other feed listed. */
    long alone;

    /**
     * The number of the hits that could have refused and whose mail was accepted; mail to exempt
     * recipients does not count.
     */
    long accepted;

    /** The number of these of known senders; spam that passed says nothing against a list. */
    long known;

    /** The time when the last of the allow entries was made, however many there are. */
    @Nullable Instant lastAllowed;

    private void add(Evidence session, Set<String> feeds, boolean isAccepted, boolean isKnown) {
      hits += session.times();
      if (feeds.size() == 1) {
        alone += session.times();
      }
      if (isAccepted) {
        accepted += session.times();
        known += isKnown ? session.times() : 0;
        if (senders.size() < MAX_SENDERS) {
          senders.add(new Sender(ClientNetwork.site(session.client()), session.senderDomain()));
        }
      }
    }

    private void allowed(OperatorEntry entry) {
      if (laterAllowed.size() < MAX_LATER) {
        laterAllowed.add(entry.id());
      }
      if (lastAllowed == null || entry.created().isAfter(lastAllowed)) {
        lastAllowed = entry.created();
      }
    }
  }

  private final Map<String, Tally> feeds = new LinkedHashMap<>();
  private final Map<IpPrefix, Long> acceptedOf = new HashMap<>();
  private final LaterAllowed allowed;
  private final Set<String> exempt;
  private final Predicate<IpAddress> known;

  /**
   * Nothing is counted yet.
   *
   * @param names of the feeds that are counted; other lists are left out
   * @param exempt local parts of recipients that no feed refuses: mail to them says nothing of a
   *     sender, and anybody may send any amount of it
   * @param known says which clients are known senders
   */
  ScoreScan(
      Collection<String> names,
      LaterAllowed allowed,
      Set<String> exempt,
      Predicate<IpAddress> known) {
    this.exempt = exempt;
    this.known = known;
    names.forEach(name -> feeds.put(name, new Tally()));
    this.allowed = allowed;
  }

  /** Counts a listed session. */
  void add(Evidence session) {
    Set<String> listed = new TreeSet<>();
    Set<String> refusable = new HashSet<>();
    for (Evidence.Listing listing : session.decision().listings()) {
      Tally tally = feeds.get(listing.list());
      if (tally != null) {
        listed.add(listing.list());
        // A quoted link, say, or one to an exempt recipient among others does no more than tag,
        // whatever the feed's action.
        if (listing.ofWholeMail()) {
          refusable.add(listing.list());
        }
        allowed.of(session, listing).forEach(tally::allowed);
      }
    }
    if (listed.isEmpty()) {
      return;
    }
    // What mode observe or an exemption let pass says nothing good of the sender, nor does the
    // mail of others that a forwarder brings.
    boolean accepted =
        !session.isForwarded()
            && session.decision().outcome() == Outcome.DELIVERED
            && !session.isForTrap()
            && !Verdict.refuses(session.decision().verdict())
            && !exempt.contains(session.decision().recipientLocalPart())
            && session.decision().listings().stream().noneMatch(Evidence.Listing::waived);
    for (String name : listed) {
      Tally tally = tally(name);
      tally.add(
          session, listed, accepted && refusable.contains(name), known.test(session.client()));
      for (String other : listed) {
        if (!other.equals(name)) {
          tally.shared.merge(other, (long) session.times(), Long::sum);
        }
      }
    }
  }

  /** True when a feed listed accepted mail, so that {@link #addAccepted} is needed. */
  boolean needsAccepted() {
    feeds.values().stream()
        .flatMap(tally -> tally.senders.stream())
        .forEach(sender -> acceptedOf.putIfAbsent(sender.network, 0L));
    return !acceptedOf.isEmpty();
  }

  /** Counts accepted mail of the networks that a feed listed. */
  void addAccepted(PastSession session) {
    Facts.Recipient to = session.facts().recipient();
    if (session.outcome() == PastSession.Outcome.ACCEPTED
        && session.facts().seen().forwarder() == null
        && !session.refused()
        && (to == null || !exempt.contains(to.localPart()))) {
      acceptedOf.computeIfPresent(
          ClientNetwork.site(session.facts().client()), (_, sum) -> sum + session.times());
    }
  }

  Tally tally(String feed) {
    Tally tally = feeds.get(feed);
    if (tally == null) {
      throw new IllegalArgumentException(feed);
    }
    return tally;
  }

  /**
   * Networks of known senders that a feed listed although they sent accepted mail in this number of
   * sessions.
   */
  long goodNetworks(String feed, int sessions) {
    return tally(feed).senders.stream()
        .map(Sender::network)
        .distinct()
        .filter(network -> acceptedOf.getOrDefault(network, 0L) >= sessions)
        .filter(network -> known.test(network.network()))
        .count();
  }

  /**
   * Finds the allow entries that the operator made after a session for the sender of that session:
   * a person said that the listing was wrong. Made and asked by {@link FeedScores} for one answer;
   * one thread.
   */
  static final class LaterAllowed {

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
     * rules are those of {@code AllowRules}): the name of a sender says nothing of the client,
     * since any client that is listed may claim it.
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
}
