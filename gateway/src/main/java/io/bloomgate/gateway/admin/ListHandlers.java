package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.EntryRules;
import io.bloomgate.blocklists.explain.EffectText;
import io.bloomgate.blocklists.explain.EntryEffect;
import io.bloomgate.blocklists.explain.Undo;
import io.bloomgate.blocklists.fleet.SharedLists.Confirmation;
import io.bloomgate.blocklists.operator.AuditRecord;
import io.bloomgate.blocklists.operator.NewEntry;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.blocklists.operator.OperatorLists.Origin;
import io.bloomgate.blocklists.operator.OperatorLists.Stored;
import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.blocklists.operator.OperatorRules.Refusal;
import io.bloomgate.blocklists.operator.TypedSubject;
import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.config.control.ControlRequest.Audit;
import io.bloomgate.config.control.ControlRequest.ListAdd;
import io.bloomgate.config.control.ControlRequest.ListCheck;
import io.bloomgate.config.control.ControlRequest.ListEdit;
import io.bloomgate.config.control.ControlRequest.ListRemove;
import io.bloomgate.config.control.ControlRequest.ListShow;
import io.bloomgate.config.control.ControlRequest.OfList;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.Role;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.notation.Quantities;
import io.bloomgate.gateway.admin.ReplySender.RefusedException;
import io.bloomgate.gateway.admin.TypedEntries.AlikeWarning;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code allow}, {@code block} and their {@code audit}: what is stored is durable and live before
 * the command answers. Called on the threads of control connections.
 */
record ListHandlers(GatewayControl gateway, ExplainHandler explain, FleetHandler fleet) {

  private static final Logger LOG = LoggerFactory.getLogger(ListHandlers.class);

  /** The time that {@code explain} prints for an entry while somebody looks into a refusal. */
  private static final Duration OF_INCIDENT = Duration.ofDays(7);

  void add(ListAdd request, ReplySender answer) throws OperatorListsException, RefusedException {
    TypedEntries typed;
    try {
      String like = request.like();
      Optional<Likeness> text = like == null ? Optional.empty() : Optional.of(likeness(like));
      typed = TypedEntries.of(request, incident(request), text, explain::facts, explain::remedy);
      if (text.isPresent()) {
        AlikeWarning.of(request, text.get(), gateway.kept()).ifPresent(answer::note);
      }
      EntryRules rules = rules();
      for (NewEntry entry : typed.entries()) {
        Optional<Refusal> refusal = rules.check(entry, request.force());
        if (refusal.isPresent()) {
          LOG.info(
              "refused {} {}: {} (asked by {})",
              entry.list().key(),
              entry.subject(),
              refusal.get().message(),
              answer.user());
          throw RefusedException.usage(refusal.get().message(), refusal.get().hint());
        }
      }
      checkRole(request, typed, answer);
    } catch (RefusedException e) {
      throw request.subjects().size() > 1 ? e.and("; nothing was added") : e;
    } catch (IOException e) {
      throw unreadable(e);
    }
    typed.notes().forEach(answer::note);
    store(typed, request, answer);
  }

  /** Refuses what the user's role may not add, or change of what is there. */
  private void checkRole(ListAdd request, TypedEntries typed, ReplySender answer)
      throws OperatorListsException, RefusedException {
    if (answer.role() == Role.SUPPORT) {
      Instant now = gateway.now();
      RoleRefusals.checkAdding(request, now);
      RoleRefusals.checkOthers(
          operator().tryPiece(typed.entries()).stream()
              .flatMap(stored -> stored.before().stream())
              .filter(old -> !old.expiredAt(now))
              .toList(),
          answer);
    }
  }

  private static RefusedException unreadable(IOException e) {
    return ReplySender.unreadable(
        "the kept sessions", e, "; name the client's address or the id of an entry");
  }

  /** Sends a list page by page, so that one of any length takes no memory. */
  void show(ListShow request, ReplySender answer) throws OperatorListsException {
    Instant now = gateway.now();
    Duration unused = request.unused();
    Instant unusedSince = unused == null ? null : now.minus(unused);
    if (unusedSince != null) {
      operator()
          .uses()
          .since()
          .filter(since -> since.isAfter(unusedSince))
          .ifPresent(since ->
              answer.note(
                  "uses are noted since "
                      + since.truncatedTo(ChronoUnit.SECONDS)
                      + ": what was of no use before is not known"));
    }
    EntryRules rules = rules();
    long sent = 0;
    OperatorLists.Page<OperatorEntry> page = new OperatorLists.Page<>(List.of(), 0, false);
    while (!page.end() && sent < request.limit()) {
      page = operator().uses().page(request.list(), request.match(), unusedSince, page.last());
      List<OperatorEntry> wanted = page.items().stream().limit(request.limit() - sent).toList();
      answer.items(
          wanted.stream()
              .map(entry -> EntryJson.listed(entry, now, needsForce(entry, rules)))
              .toList());
      sent += wanted.size();
    }
    answer.warn(operator().alarms());
  }

  private OperatorLists operator() {
    return gateway.operator();
  }

  private EntryRules rules() {
    return gateway.blocklists().entryRules(gateway.now());
  }

  /**
   * True for an entry that an import refuses without {@code --force}, so that what is exported can
   * be imported as it is.
   */
  private static boolean needsForce(OperatorEntry entry, EntryRules rules) {
    return rules.check(entry.content(), false).isPresent();
  }

  void remove(ListRemove request, ReplySender answer)
      throws OperatorListsException, RefusedException {
    Origin origin = origin(request, "remove", answer);
    if (answer.role() == Role.SUPPORT) {
      // An edit that changes nothing says which entries are meant.
      List<OperatorEntry> meant =
          operator().edit(request.list(), request.subjects(), same -> same, origin).entries();
      RoleRefusals.checkOthers(meant, answer);
    }
    changed(operator().remove(request.list(), request.subjects(), origin), "removed", answer);
  }

  /** Changes reason and expiry; what is not named stays. */
  void edit(ListEdit request, ReplySender answer) throws OperatorListsException {
    Duration unused = request.unused();
    Instant now = gateway.now();
    Set<String> fixed = new TreeSet<>();
    OperatorLists.Changed edited =
        operator()
            .edit(
                request.list(),
                request.subjects(),
                entry -> {
                  NewEntry wanted =
                      entry.with(
                          reason(entry, request),
                          request.forEver()
                              ? null
                              : request.expires() == null ? entry.expires() : request.expires());
                  if (unused != null) {
                    return wanted.endingUnused(unused, now);
                  }
                  if (entry.unused() != null && wanted.unused() == null) {
                    fixed.add(entry.subject() + " had --unused " + Quantities.text(entry.unused()));
                  }
                  return wanted;
                },
                origin(request, "edit", answer));
    fixed.forEach(had -> answer.note(had + ": no use puts off its end any more"));
    changed(edited, "changed", answer);
  }

  private static String reason(NewEntry before, ListEdit request) {
    String given = request.reason();
    return given == null ? before.reason() : TypedSubject.newReason(before, given);
  }

  /** The origin of a change, for the audit. */
  private static Origin origin(OfList request, String verb, ReplySender answer) {
    return new Origin(answer.user(), request.list().key() + " " + verb);
  }

  private void changed(OperatorLists.Changed changed, String how, ReplySender answer) {
    Optional<Confirmation> there =
        changed.entries().isEmpty() ? Optional.empty() : fleet.confirmed();
    for (OperatorEntry entry : changed.entries()) {
      answer.item(FleetHandler.with(there, EntryJson.of(entry).put("change", how)));
    }
    changed.unknown().forEach(unknown -> answer.note("not found: " + unknown));
    for (OperatorEntry entry : changed.inFiles()) {
      answer.note(entry.subject() + " is in " + entry.author() + "; change it there");
    }
    FleetHandler.note(there, answer);
    boolean all = changed.unknown().isEmpty() && changed.inFiles().isEmpty();
    answer.exit(
        all ? ReplySender.OK : changed.entries().isEmpty() ? ReplySender.NO : ReplySender.PARTLY);
  }

  /** The allow or block entries that match this subject. */
  void check(ListCheck request, ReplySender answer) throws RefusedException {
    Subject subject;
    try {
      String like = request.like();
      subject = like == null ? TypedEntries.subject(request.subject()) : likeness(like);
    } catch (IOException e) {
      throw unreadable(e);
    }
    Instant now = gateway.now();
    Set<OperatorEntry> found = new LinkedHashSet<>();
    for (ListKey key : subject.keys()) {
      found.addAll(operator().view().covering(request.list(), key, now));
    }
    EntryRules rules = rules();
    for (OperatorEntry entry : found) {
      answer.item(EntryJson.listed(entry, now, needsForce(entry, rules)));
    }
    answer.exit(found.isEmpty() ? ReplySender.NO : ReplySender.OK);
  }

  /** {@code audit}: sends who changed what, page by page, newest first. */
  void audit(Audit request, ReplySender answer) throws OperatorListsException {
    Instant wanted = request.since();
    Instant since = wanted == null ? Instant.EPOCH : wanted;
    long sent = 0;
    OperatorLists.Page<AuditRecord> page =
        new OperatorLists.Page<>(List.of(), Long.MAX_VALUE, false);
    while (!page.end() && sent < request.limit()) {
      page = operator().audit(since, page.last());
      List<AuditRecord> records = page.items().stream().limit(request.limit() - sent).toList();
      records.forEach(answer::item);
      sent += records.size();
    }
  }

  private void store(TypedEntries typed, ListAdd request, ReplySender answer)
      throws OperatorListsException {
    Origin origin = origin(request, "add", answer);
    List<Stored> stored =
        request.forEver()
            ? operator().addForEver(typed.entries(), origin)
            : operator().add(ending(typed.entries(), request), origin);
    Optional<Confirmation> there = fleet.confirmed();
    for (Stored one : stored) {
      answer.item(FleetHandler.with(there, EntryJson.storedOne(one)));
      if (one.before().isPresent()) {
        String kept = kept(one.entry(), request);
        if (!kept.isEmpty()) {
          answer.note(kept);
        }
      }
      EntryEffect effect =
          EntryEffect.of(
              one.entry(),
              gateway.blocklists().lists(),
              gateway.blocklists().policy(),
              gateway.now(),
              typed.about());
      EffectText.of(one.entry(), effect, gateway.mode().effective()).forEach(answer::note);
      EffectText.ofRange(one.entry(), gateway.blocklists().snapshot()).forEach(answer::note);
    }
    EffectText.ofMode(request.list(), gateway.mode().effective()).ifPresent(answer::note);
    FleetHandler.note(there, answer);
  }

  /**
   * Gives new entries that lift an incident an end; typed ends, and entries that exist, keep
   * theirs.
   */
  private List<NewEntry> ending(List<NewEntry> entries, ListAdd request)
      throws OperatorListsException {
    if (request.incident() == null
        || request.list() != ListKind.ALLOW
        || request.expires() != null
        || request.unused() != null) {
      return entries;
    }
    Instant now = gateway.now();
    List<Stored> tried = operator().tryPiece(entries);
    List<NewEntry> ending = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      NewEntry entry = entries.get(i);
      boolean there = tried.get(i).before().filter(old -> !old.expiredAt(now)).isPresent();
      ending.add(there ? entry : entry.with(entry.reason(), now.plus(OF_INCIDENT)));
    }
    return ending;
  }

  /** Says what an existing entry kept because it was not typed; empty when that is nothing. */
  private static String kept(OperatorEntry entry, ListAdd request) {
    boolean end = entry.expires() != null && request.expires() == null && request.unused() == null;
    boolean reason = !entry.reason().isEmpty() && request.reason().isEmpty();
    if (!end && !reason) {
      return "";
    }
    return entry.subject()
        + " keeps its "
        + (end && reason ? "end and its reason" : end ? "end" : "reason")
        + "; `bloomgate "
        + Undo.command(request.list().key() + " edit", entry.subject(), "")
        + "` with --expires or --reason changes them";
  }

  private Optional<Evidence> incident(ListAdd request) throws RefusedException, IOException {
    String id = request.incident();
    if (id == null) {
      return Optional.empty();
    }
    Optional<Evidence> found = gateway.kept().find(id);
    if (found.isEmpty()) {
      throw RefusedException.usage(
          "no incident " + id + " is known",
          fleet.hint(id, "look for its client in the log; " + gateway.kept().whyUnknown()));
    }
    if (request.list() == ListKind.ALLOW) {
      IncidentLift.check(found.get(), explain.remedy(found.get()), operator());
    }
    return found;
  }

  /** The likeness of the text of a session's mail. */
  private Likeness likeness(String id) throws RefusedException, IOException {
    Optional<Likeness> found = gateway.kept().likeness(id);
    if (found.isEmpty()) {
      boolean off = gateway.settings().bulk() == null;
      boolean unknown = gateway.kept().find(id).isEmpty();
      String reason =
          unknown
              ? "no session " + id + " is known"
              : "no likeness of the text of session " + id + " is kept";
      String hint =
          off
              ? "set `content: {bulk: {networks: 20}}`; mails that come from then on have one"
              : unknown
                  ? "`bloomgate top --by campaign` names a session of each campaign"
                  : "texts of 40 words and more have one";
      throw RefusedException.usage(
          off ? "content.bulk is off: " + reason : reason, unknown ? fleet.hint(id, hint) : hint);
    }
    return found.get();
  }
}
