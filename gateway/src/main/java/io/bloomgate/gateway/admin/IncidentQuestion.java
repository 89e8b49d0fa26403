package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.explain.Question;
import io.bloomgate.blocklists.explain.SenderKeys;
import io.bloomgate.blocklists.impact.PastSession.Missing;
import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.settings.Sign;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The question what would become of an incident's session now, as far as the session was kept: of a
 * sender that {@code log.privacy} masked, or that was cut, at most the domain is asked. Of the
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
   * The keys of the mail's content that were listed, as they were kept: the key that decided comes
   * first.
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
          new Question(client, helo, from, null, to, ownDomain),
          (helo != null || !decidedBy(Check.HELO, incident)) && !isOfMoment(incident));
    }
    Optional<String> domain = domain(incident, from);
    boolean lost =
        decidedBy(Check.SENDER, incident)
            || (decidedBy(Check.SENDER_DOMAIN, incident) && domain.isEmpty())
            || (decidedBy(Check.HELO, incident) && helo == null)
            || isOfMoment(incident);
    Question question =
        domain.isPresent()
            ? new Question(domain.get(), helo, null, client, to, ownDomain)
            : new Question(client, helo, null, null, to, ownDomain);
    return new IncidentQuestion(question, !lost);
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
