package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.decision.Content;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Ground.Weakness;
import io.bloomgate.blocklists.decision.HeloKeys;
import io.bloomgate.blocklists.explain.Explanation;
import io.bloomgate.blocklists.explain.Explanation.Listed;
import io.bloomgate.blocklists.explain.Explanation.Origin;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.blocklists.sessions.PastMail;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.name.AlikeEntry;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Rule;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.Sign;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The answers of lists about a kept session, as {@code explain} shows them: feeds' entries, answers
 * of DNS lists, signs, rules and entries of the operator. Called by {@link ExplainHandler}; pure
 * but for {@link #block}.
 *
 * @param settings those of now; a list that they no longer name is taken for a feed
 * @param then the answer by the lists of that moment, if they are known
 * @param now the answer by the lists of now
 */
record IncidentListings(
    Evidence session, Settings settings, Optional<Explanation> then, Optional<Explanation> now) {

  private static final Logger LOG = LoggerFactory.getLogger(IncidentListings.class);

  private static final String OPERATOR = "operator";

  /** True when the listing that decided is such a one. */
  static boolean decidedBy(Evidence session, Predicate<Evidence.Listing> such) {
    return session.decision().deciding().filter(such).isPresent();
  }

  static boolean isBlock(Evidence session) {
    return decidedBy(session, listing -> listing.list().equals(OPERATOR));
  }

  /**
   * The block that decided, when the store has one such entry only; of a long text its begin is
   * kept. Those of files are not looked for.
   */
  static Optional<OperatorEntry> block(Evidence session, OperatorLists lists) {
    Evidence.Listing deciding = session.decision().deciding().orElse(null);
    String kept = deciding == null ? "" : deciding.entryBegin();
    if (deciding == null || kept.isEmpty()) {
      return Optional.empty();
    }
    boolean partial = deciding.partial();
    try {
      List<OperatorEntry> found =
          lists.page(ListKind.BLOCK, kept, 0).items().stream()
              .filter(entry -> {
                String subject = entry.subject().toString();
                return partial ? subject.startsWith(kept) : subject.equals(kept);
              })
              .toList();
      return found.size() == 1 ? Optional.of(found.getFirst()) : Optional.empty();
    } catch (OperatorListsException e) {
      LOG.warn("the operator's entries cannot be read: {}", Faults.words(e));
      return Optional.empty();
    }
  }

  /** The listings, as the documented members have them. */
  List<Listed> all() {
    return session.decision().listings().stream().map(this::listed).toList();
  }

  private Listed listed(Evidence.Listing listing) {
    Listed known = known(listing).orElse(null);
    Origin origin = known == null ? null : known.origin();
    Rule rule = listing.partial() ? null : settings.rules().get(listing.list());
    return new Listed(
        listing.list(),
        listing.entry(),
        Explanation.number(listing.line()),
        known == null ? null : known.since(),
        listing.action(),
        listing.check(),
        known == null
            ? null
            : new Origin(
                origin != null && origin.sinceAtLeast(),
                origin == null || origin.until() == null || origin.until().until() == null
                    ? null
                    : origin.until(),
                null),
        listing.action() == Action.TAG && known != null && isForExempt(known)
            ? Weakness.EXEMPT
            : listing.weakness(),
        null,
        rule == null ? null : new Explanation.Rule(rule.needed(), counted(listing)),
        known == null ? listing.alike().map(AlikeEntry::id).orElse(null) : known.id(),
        known == null ? null : known.reason(),
        listing.pardon().isEmpty() ? null : listing.pardon());
  }

  /** The recipient that was kept is exempt, so that content does no more than tag. */
  private static boolean isForExempt(Listed known) {
    return known.rule() == null && known.weakness() == Weakness.EXEMPT;
  }

  /** The entry of a rule names the lists that counted. */
  private static List<String> counted(Evidence.Listing listing) {
    return List.of(listing.entry().split(",", -1));
  }

  /**
   * The listing of an entry that listed the session, with the time since when it is listed. A feed
   * may have dropped the entry and listed it again since, which says nothing of then.
   */
  private Optional<Listed> known(Evidence.Listing listing) {
    return Stream.concat(then.stream(), now.stream())
        .flatMap(answer -> answer.listings().stream())
        .filter(known -> known.feed().equals(listing.list()))
        .filter(known -> known.entry().equals(listing.entry()))
        .filter(known -> known.since() == null || !known.since().isAfter(session.at()))
        .findFirst();
  }

  /**
   * Names what lists had then, of a mail that they had nothing against: empty when the same lists
   * are not known any more.
   */
  List<String> uncounted() {
    Evidence.Decision decision = session.decision();
    return then.stream()
        .filter(_ -> decision.listings().isEmpty())
        .filter(answer -> answer.generation() == decision.generation())
        .flatMap(answer -> answer.uncounted().stream())
        .toList();
  }

  /** An exact listing of a feed is only found after a hit of its filter. */
  Explanation.Bloom bloom() {
    Evidence.Decision decision = session.decision();
    if (!uncounted().isEmpty()) {
      return then.map(Explanation::bloom)
          .filter(Explanation.Bloom::hit)
          .orElse(new Explanation.Bloom("", false, false, List.of())); // of another key
    }
    // One that an allow entry lifted was found in the same way.
    Optional<Evidence.Listing> deciding =
        decision.deciding().or(() -> decision.listings().stream().findFirst());
    boolean confirmed = deciding.filter(this::isConfirmed).isPresent();
    return new Explanation.Bloom(
        Explanation.Bloom.filterOf(deciding.map(Evidence.Listing::subject).orElse("")),
        confirmed,
        confirmed,
        List.of());
  }

  private boolean isConfirmed(Evidence.Listing listing) {
    return settings.rules().containsKey(listing.list())
        ? counted(listing).stream().anyMatch(this::isFeed)
        : isFeed(listing.list());
  }

  private boolean isFeed(String list) {
    return !list.isEmpty()
        && !list.equals(OPERATOR)
        && Sign.named(list).isEmpty()
        && !settings.feeds().dnsLists().containsKey(list);
  }

  /**
   * The mail of an incident as far as it was kept: of a sender that {@code log.privacy} masked, or
   * that was cut, at most the domain; of the content its signs, and the listed keys that were kept
   * whole. Immutable.
   *
   * @param senderKnown true when the sender or its domain was kept, also for the null sender
   * @param repeats true when what decided then is asked again
   */
  record IncidentMail(Facts facts, boolean senderKnown, boolean repeats) {

    /**
     * Takes what was kept.
     *
     * @param ownDomain true for a recipient domain of ours
     */
    static IncidentMail of(Evidence incident, Predicate<String> ownDomain) {
      Facts kept = PastMail.envelope(incident);
      Optional<Evidence.Listing> deciding = incident.decision().deciding();
      // A listed name is kept at greater length, as the subject of the listing.
      Optional<Evidence.Listing> whole = deciding.filter(listing -> !listing.partial());
      Optional<String> helo = listed(whole, Check.HELO).filter(_ -> kept.helo() == null);
      Optional<String> domain =
          listed(whole, Check.SENDER_DOMAIN).filter(_ -> kept.senderDomain() == null);
      Facts facts =
          new Facts(
              kept.network(),
              helo.<ListKey>flatMap(HeloKeys::parse).orElse(kept.helo()),
              kept.sender(),
              domain.flatMap(DomainName::asked).orElse(kept.senderDomain()),
              recipient(kept.recipient(), ownDomain),
              List.of(),
              kept.seen(),
              content(incident.decision()));
      String from = incident.from();
      return new IncidentMail(
          facts,
          from != null
              && (from.isEmpty() || !facts.sender().isEmpty() || facts.senderDomain() != null),
          deciding.filter(listing -> isLost(listing, incident.decision(), facts)).isEmpty());
    }

    private static Optional<String> listed(Optional<Evidence.Listing> deciding, Check check) {
      return deciding.filter(listing -> listing.check() == check).map(Evidence.Listing::subject);
    }

    private static Facts.@Nullable Recipient recipient(
        Facts.@Nullable Recipient to, Predicate<String> ownDomain) {
      return to == null || to.domain().isEmpty() || ownDomain.test(to.domain())
          ? to
          : new Facts.Recipient(to.localPart(), "", false);
    }

    /** The signs, and the keys that were listed: the key that decided comes first. */
    private static Content content(Evidence.Decision decision) {
      List<ContentKey> keys =
          Stream.concat(decision.deciding().stream(), decision.listings().stream())
              .filter(listing -> listing.shown().isEmpty())
              .flatMap(listing -> listing.carried().stream())
              .distinct()
              .toList();
      List<Content.Shown> signs =
          decision.listings().stream().flatMap(listing -> listing.shown().stream()).toList();
      return new Content(keys, signs);
    }

    /** True for what was not kept; of a rule, where any of what it counted was not. */
    private static boolean isLost(
        Evidence.Listing deciding, Evidence.Decision decision, Facts facts) {
      List<String> counted = counted(deciding);
      List<Evidence.Listing> ofRule =
          decision.listings().stream().filter(each -> counted.contains(each.list())).toList();
      return (ofRule.isEmpty() ? List.of(deciding) : ofRule)
          .stream().anyMatch(listing -> isLost(listing, facts));
    }

    /** True for what was not kept, or what only that session showed: early talk, and copies. */
    private static boolean isLost(Evidence.Listing listing, Facts facts) {
      return switch (listing.check()) {
        case CLIENT_IP, CLIENT_NAME, ASN -> listing.list().equals(Sign.EARLY_TALKER.key());
        case HELO -> facts.helo() == null;
        case SENDER -> facts.sender().isEmpty();
        case SENDER_DOMAIN -> facts.senderDomain() == null;
        case URL, URL_HOST, FROM, FROM_DOMAIN, REPLY_TO_DOMAIN, ATTACHMENT, SUBJECT, BODY ->
            listing.shown().isEmpty() && listing.carried().isEmpty();
      };
    }
  }
}
