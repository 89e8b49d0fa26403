package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.explain.CarriedText;
import io.bloomgate.blocklists.explain.Explainer;
import io.bloomgate.blocklists.explain.Explanation;
import io.bloomgate.blocklists.explain.NoteText;
import io.bloomgate.blocklists.explain.PastExplainer;
import io.bloomgate.blocklists.explain.Question;
import io.bloomgate.blocklists.explain.Undo;
import io.bloomgate.blocklists.operator.NewEntry;
import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.blocklists.sessions.IncidentId;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.blocklists.sessions.SessionJson;
import io.bloomgate.config.control.ControlRequest.Explain;
import io.bloomgate.config.control.ControlRequest.ExplainMail;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.settings.OwnDomains;
import io.bloomgate.gateway.admin.IncidentLift.IncidentCause;
import io.bloomgate.gateway.admin.IncidentListings.IncidentMail;
import io.bloomgate.gateway.admin.ReplySender.RefusedException;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code explain}: what would happen to mail of a subject now, or what happened to the mail whose
 * refusal named an incident id. Called on the threads of control connections.
 */
record ExplainHandler(GatewayControl gateway, FleetHandler fleet) {

  private static final Logger LOG = LoggerFactory.getLogger(ExplainHandler.class);

  private static final String NOT_WHOLE =
      "what decided then cannot be asked again: it was not kept whole (log.privacy, or too long),"
          + " or only that session showed it (signs early_talker, bulk); `now` is about everything"
          + " else";

  /** The value under greylist, in what few sessions have, of a mail that came again. */
  private static final String CAME_AGAIN = "let_in";

  private static final String SUBJECTS =
      "explain takes an IP, a CIDR, a domain, a mail address, a URL or " + IncidentId.FORM;
  private static final String NO_LIST =
      "no list decided this session; `now` says what lists say of such mail";

  private static final String NOT_BY_LIST =
      "what lists say was only noted: the reply names the rule of the protocol or the limit that"
          + " refused the mail, and no allow entry lifts that";

  void explain(Explain request, ReplySender answer) throws RefusedException {
    // No subject looks like an id: a domain has a dot, an address an at sign, IPv6 a colon.
    Instant at = request.at();
    if (IncidentId.canonical(request.subject()).isPresent()) {
      if (at != null) {
        throw RefusedException.usage(
            "an incident has its own time", "leave out --at, or name a subject");
      }
      explainIncident(request.subject(), answer);
      return;
    }
    Question question = new Question(request, ownDomain());
    Parsed<Explanation> result =
        at == null
            ? NoteText.withHeld(explainer().explain(question), gateway.blocklists().feeds())
            : past(at).explain(question);
    answer(result, request.subject() + ": ", SUBJECTS, answer);
  }

  private PastExplainer past(Instant at) throws RefusedException {
    try {
      return switch (gateway.blocklists().explainerAt(at, gateway.mode().effective())) {
        case Parsed.Bad<PastExplainer>(String unknown) ->
            throw RefusedException.no(unknown, "ask for another time");
        case Parsed.Ok<PastExplainer>(PastExplainer explainer, var _) -> explainer;
      };
    } catch (IOException e) {
      throw ReplySender.unreadable("the lists of that time", e, "");
    }
  }

  private static void answer(
      Parsed<Explanation> result, String before, String hint, ReplySender answer)
      throws RefusedException {
    switch (result) {
      case Parsed.Bad<Explanation>(String reason) ->
          throw RefusedException.usage(before + reason, hint);
      case Parsed.Ok<Explanation>(Explanation explanation, var _) -> {
        answer.item(explanation.toJson());
        answer.exit(explanation.refuses() ? ReplySender.NO : ReplySender.OK);
      }
    }
  }

  /** Answers what would happen to a mail that the command line has read. */
  void explainMail(ExplainMail request, ReplySender answer) throws RefusedException {
    Question session = new Question(Question.session(request), ownDomain());
    Parsed<Explanation> result =
        CarriedText.parse(request.keys())
            .then(keys ->
                CarriedText.parseSigns(request.signs())
                    .then(signs -> explainer().explainMail(session, keys, signs)));
    answer(result, "", "`bloomgate help explain` shows the options", answer);
  }

  private void explainIncident(String id, ReplySender answer) throws RefusedException {
    try {
      Evidence found =
          gateway
              .kept()
              .find(id)
              .orElseThrow(() ->
                  RefusedException.no(
                      "no incident " + id + " is known",
                      fleet.hint(id, gateway.kept().whyUnknown())));
      explain(found, answer);
    } catch (IOException e) {
      throw ReplySender.unreadable("the kept sessions", e, "");
    }
  }

  private void explain(Evidence incident, ReplySender answer) {
    IncidentMail asked = IncidentMail.of(incident, ownDomain());
    Explanation now = explainer().explainKept(asked.facts(), asked.senderKnown());
    IncidentListings listings =
        new IncidentListings(incident, gateway.settings(), then(incident, asked), Optional.of(now));
    answer.item(
        json(
            incident, listings, now, verdictNow(incident, asked, now), undo(incident, asked, now)));
    if (!asked.repeats()) {
      answer.note(NOT_WHOLE);
    } else if (incident.decision().verdict().isEmpty()) {
      answer.note(NO_LIST);
    }
    if (incident.decision().outcome() == Outcome.PROTOCOL && refused(incident)) {
      answer.note(NOT_BY_LIST);
    }
    // The question is about that mail: an entry of today leaves the verdict and the exit code.
    answer.exit(incident.decision().isRefusal() ? ReplySender.NO : ReplySender.OK);
  }

  /**
   * The verdict of today on the same mail; {@code null} when no list decided it, or what decided
   * was not kept.
   */
  private static @Nullable String verdictNow(
      Evidence incident, IncidentMail asked, Explanation now) {
    boolean known = asked.repeats() && !incident.decision().verdict().isEmpty();
    return known && !(mayBeForExempt(incident) && now.refuses()) ? now.verdict() : null;
  }

  /** A tag by content may be all that one of several recipients left, who was exempt. */
  private static boolean mayBeForExempt(Evidence incident) {
    return incident.recipients() > 1
        && incident.decision().verdict().equals("tag")
        && IncidentListings.decidedBy(
            incident, listing -> Check.OF_CONTENT.contains(listing.check()));
  }

  /** The answer by the lists of that moment; empty when they are not known of then. */
  private Optional<Explanation> then(Evidence incident, IncidentMail asked) {
    try {
      return gateway
          .blocklists()
          .explainerAt(incident.at(), gateway.mode().effective())
          .toOptional()
          .map(past -> past.explainKept(asked.facts(), asked.senderKnown()));
    } catch (IOException e) {
      LOG.warn("the lists of that time cannot be read: {}", Faults.words(e));
      return Optional.empty();
    }
  }

  /** The mail of an incident, as far as it was kept. */
  Facts facts(Evidence incident) {
    return IncidentMail.of(incident, ownDomain()).facts();
  }

  /** The allow entry that {@link #explain} prints first for an incident, as far as it was kept. */
  Optional<NewEntry> remedy(Evidence incident) {
    return incident
        .decision()
        .deciding()
        .flatMap(listing -> explainer().remedy(facts(incident), listing.check()));
  }

  /**
   * The command that lifts what refused it; {@code null} when no list did, whatever lists say now.
   * An operator's block is not lifted by allowing the client: it is removed.
   */
  private @Nullable String undo(Evidence incident, IncidentMail asked, Explanation now) {
    if (IncidentLift.isRefusedByNoList(incident)) {
      return null;
    }
    if (now.undo() != null || asked.repeats() || !refused(incident)) {
      return now.undo();
    }
    return IncidentListings.isBlock(incident)
        ? IncidentListings.block(incident, gateway.operator()).map(Undo::ofBlock).orElse(null)
        : Undo.ofIncident(incident.decision().id());
  }

  private static boolean refused(Evidence incident) {
    return Verdict.refuses(incident.decision().verdict());
  }

  /**
   * The documented members, as they were; {@code now} holds the answer of today and {@code
   * now_verdict} its verdict on the same mail.
   */
  private static JsonObject json(
      Evidence incident,
      IncidentListings listings,
      Explanation now,
      @Nullable String verdictNow,
      @Nullable String undo) {
    Evidence.Decision decision = incident.decision();
    Optional<Evidence.Listing> deciding = decision.deciding();
    Optional<Explanation> undone = undo == null ? Optional.empty() : Optional.of(now);
    Explanation then =
        new Explanation(
            deciding.map(Evidence.Listing::subject).orElseGet(() -> incident.judged().toString()),
            deciding.map(Evidence.Listing::check).orElse(Check.CLIENT_IP),
            decision.verdict().isEmpty() ? null : decision.verdict(),
            decision.stage(),
            decision.mode(),
            decision.generation(),
            false,
            null,
            listings.all(),
            listings.bloom(),
            null,
            null,
            undo,
            undone.map(Explanation::undoWider).orElse(List.of()),
            decision.id(),
            notes(incident, listings, undone),
            List.of());
    return JsonValue.object()
        .putAll(JsonRecords.of(then))
        .put("happened", SessionJson.of(incident))
        .put("now_verdict", verdictNow)
        .put("now", now.toJson())
        .build();
  }

  /** Says why the mail failed where no list refused it, and what the undo lifts. */
  private static List<String> notes(
      Evidence incident, IncidentListings listings, Optional<Explanation> undone) {
    String profile = incident.more().profile();
    return Stream.of(
            IncidentCause.of(incident).map(IncidentCause::sentence).stream(),
            CAME_AGAIN.equals(incident.more().passed().get("greylist"))
                ? Stream.of("greylisting let it in, because it came again after the wait")
                : Stream.<String>empty(),
            profile.isEmpty()
                ? Stream.<String>empty()
                : Stream.of(
                    incident.isForTrap()
                        ? "a recipient has the profile " + profile
                        : NoteText.profile(profile)),
            listings.uncounted().stream(),
            undone.stream().flatMap(answer -> answer.undoNotes().stream()))
        .flatMap(each -> each)
        .toList();
  }

  private Predicate<String> ownDomain() {
    OwnDomains own = OwnDomains.of(gateway.settings().domains());
    return own::contains;
  }

  private Explainer explainer() {
    return gateway
        .blocklists()
        .explainer(
            gateway.mode().effective(),
            gateway.dnsAnswers(),
            (client, sender, recipient) ->
                Optional.of(
                    gateway
                        .greylist()
                        .standing(
                            client,
                            sender,
                            recipient,
                            gateway.settings().greylist(),
                            gateway.now())));
  }
}
