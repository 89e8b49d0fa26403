package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.decision.Ground.Weakness;
import io.bloomgate.blocklists.explain.Explanation;
import io.bloomgate.blocklists.explain.Explanation.Listed;
import io.bloomgate.blocklists.explain.Explanation.Origin;
import io.bloomgate.blocklists.explain.Question;
import io.bloomgate.blocklists.explain.SenderKeys;
import io.bloomgate.blocklists.impact.PastSession.Missing;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.config.control.ControlRequest.Explain;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.name.AlikeEntry;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
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
   * The question what would become of an incident's session now, as far as the session was kept: of
   * a sender that {@code log.privacy} masked, or that was cut, at most the domain is asked. Of the
   * content of its mail the listed keys are asked, as far as they were kept whole. Immutable.
   *
   * @param repeats true when what decided then is asked again
   */
  record IncidentQuestion(Question question, boolean repeats) {

    /**
     * The question to ask.
     *
     * @param ownDomain true for a recipient domain of ours
     */
    static IncidentQuestion of(Evidence incident, Predicate<String> ownDomain) {
      IncidentQuestion envelope = ofEnvelope(incident, ownDomain);
      List<ContentKey> keys = carried(incident);
      boolean lost =
          IncidentListings.decidedBy(
              incident,
              listing ->
                  Check.OF_CONTENT.contains(listing.check())
                      && (Sign.ofContent(listing.list()).isPresent()
                          || listing.carried().filter(keys::contains).isEmpty()));
      Question question = envelope.question.withCarried(keys);
      return new IncidentQuestion(
          incident.isForwarded() ? question.forwardedBy(incident.client()) : question,
          envelope.repeats && !lost);
    }

    /**
     * The keys of the mail's content that were listed, as they were kept: the key that decided
     * comes first.
     */
    static List<ContentKey> carried(Evidence incident) {
      Evidence.Decision decision = incident.decision();
      return Stream.concat(decision.deciding().stream(), decision.listings().stream())
          .flatMap(listing -> listing.carried().stream())
          .distinct()
          .toList();
    }

    private static IncidentQuestion ofEnvelope(Evidence incident, Predicate<String> ownDomain) {
      String client = incident.judged().toString();
      String helo = helo(incident);
      String first = incident.decision().to();
      String to = first.isEmpty() || incident.missing().contains(Missing.RECIPIENT) ? null : first;
      String from = incident.from();
      if (from == null || from.isEmpty() || isAddress(incident, from)) {
        return new IncidentQuestion(
            new Question(new Explain(client, helo, from, null, to), ownDomain),
            (helo != null || !decidedBy(Check.HELO, incident)) && !isOfMoment(incident));
      }
      Optional<String> domain = domain(incident, from);
      boolean lost =
          decidedBy(Check.SENDER, incident)
              || (decidedBy(Check.SENDER_DOMAIN, incident) && domain.isEmpty())
              || (decidedBy(Check.HELO, incident) && helo == null)
              || isOfMoment(incident);
      Explain asked =
          domain.isPresent()
              ? new Explain(domain.get(), helo, null, client, to)
              : new Explain(client, helo, null, null, to);
      return new IncidentQuestion(new Question(asked, ownDomain), !lost);
    }

    private static boolean decidedBy(Check check, Evidence incident) {
      return IncidentListings.decidedBy(incident, listing -> listing.check() == check);
    }

    /** Nothing that was kept says when the client spoke. */
    private static boolean isOfMoment(Evidence incident) {
      return IncidentListings.decidedBy(
          incident, listing -> listing.list().equals(Sign.EARLY_TALKER.key()));
    }

    private static boolean isAddress(Evidence incident, String from) {
      return !incident.missing().contains(Missing.SENDER)
          && !incident.missing().contains(Missing.SENDER_DOMAIN)
          && SenderKeys.parse(from).isPresent();
    }

    /** A listed name is kept at greater length, as the subject of the incident. */
    private static @Nullable String helo(Evidence incident) {
      if (!incident.missing().contains(Missing.HELO)) {
        return incident.helo().isEmpty() ? null : incident.helo();
      }
      return decidedBy(Check.HELO, incident) ? subject(incident).orElse(null) : null;
    }

    /** The domain of the sender as it was kept, or else the listed one. */
    private static Optional<String> domain(Evidence incident, String from) {
      Optional<String> behindAt =
          Optional.of(from.substring(from.lastIndexOf('@') + 1))
              .filter(behind -> !incident.missing().contains(Missing.SENDER_DOMAIN))
              .filter(IncidentQuestion::isDomain);
      return behindAt.isEmpty() && decidedBy(Check.SENDER_DOMAIN, incident)
          ? subject(incident).filter(IncidentQuestion::isDomain)
          : behindAt;
    }

    private static Optional<String> subject(Evidence incident) {
      return incident
          .decision()
          .deciding()
          .filter(listing -> !listing.partial())
          .map(Evidence.Listing::subject);
    }

    private static boolean isDomain(String name) {
      return DomainName.asked(name).isPresent();
    }
  }
}
