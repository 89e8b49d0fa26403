package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.explain.EffectText;
import io.bloomgate.blocklists.explain.EntryEffect;
import io.bloomgate.blocklists.explain.Undo;
import io.bloomgate.blocklists.operator.NewEntry;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.blocklists.operator.OperatorLists.Origin;
import io.bloomgate.blocklists.operator.OperatorLists.Stored;
import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.blocklists.operator.OperatorRules.Refusal;
import io.bloomgate.config.control.ControlRequest.ListAdd;
import io.bloomgate.config.control.ControlRequest.ListCheck;
import io.bloomgate.config.control.ControlRequest.ListEdit;
import io.bloomgate.config.control.ControlRequest.ListName;
import io.bloomgate.config.control.ControlRequest.ListRemove;
import io.bloomgate.config.control.ControlRequest.ListShow;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.settings.Check;
import io.bloomgate.gateway.incidents.Incident;
import io.bloomgate.gateway.incidents.Incidents;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code allow} and {@code block}: what is stored is durable and live before the command answers.
 * Called on the threads of control connections.
 */
final class ListHandlers {

  private static final Logger LOG = LoggerFactory.getLogger(ListHandlers.class);

  private final GatewayControl gateway;
  private final Incidents incidents;
  private final Function<Incident, Optional<NewEntry>> remedies;

  /**
   * Handlers for these lists.
   *
   * @param remedies the narrowest allow entry against what an incident was refused for
   */
  ListHandlers(
      GatewayControl gateway,
      Incidents incidents,
      Function<Incident, Optional<NewEntry>> remedies) {
    this.gateway = gateway;
    this.incidents = incidents;
    this.remedies = remedies;
  }

  void add(ListAdd request, Caller caller, ReplySender answer) throws IOException {
    List<NewEntry> entries = new ArrayList<>();
    Facts about = null;
    try {
      Optional<Incident> incident = incident(request);
      about = incident.map(IncidentEntry::facts).orElse(null);
      for (Subject subject : subjects(request)) {
        entries.add(entry(request, subject));
      }
      if (incident.isPresent()) {
        entries.add(entry(request, incident.get()));
      }
      if (entries.isEmpty()) {
        throw new UsageException("no subject", "name an IP, CIDR, domain or address");
      }
      Instant now = gateway.now();
      for (NewEntry entry : entries) {
        Optional<Refusal> refusal = gateway.blocklists().check(entry, now, request.force());
        if (refusal.isPresent()) {
          LOG.info("{} (asked by {})", refusal.get().log(), caller.user());
          throw new UsageException(refusal.get().message(), refusal.get().hint());
        }
      }
    } catch (UsageException e) {
      answer.failed(ReplySender.USAGE, e.reason(), e.hint());
      return;
    } catch (IOException e) {
      LOG.error("the incident file cannot be read", e);
      answer.failed(
          ReplySender.NO,
          "the incident file cannot be read",
          "the gateway's log says why; `allow add` takes the client's address as well");
      return;
    }
    for (String note : takenAs(request)) {
      answer.note(note);
    }
    store(entries, new Origin(caller.user(), word(request.list()) + " add"), about, answer);
  }

  /** Sends a list page by page, so that one of any length takes no memory. */
  void show(ListShow request, ReplySender answer) throws IOException {
    Instant now = gateway.now();
    long sent = 0;
    try {
      OperatorLists.Page page = new OperatorLists.Page(List.of(), 0, false);
      while (!page.end() && sent < request.limit()) {
        page =
            gateway
                .blocklists()
                .operator()
                .page(kind(request.list()), request.match(), page.last());
        List<OperatorEntry> wanted = page.entries().stream().limit(request.limit() - sent).toList();
        answer.items(
            wanted.stream()
                .map(entry -> EntryJson.listed(entry, now, needsForce(entry, now)))
                .toList());
        sent += wanted.size();
      }
    } catch (OperatorListsException e) {
      failed(e, answer);
      return;
    }
    for (String alarm : gateway.blocklists().operator().alarms()) {
      answer.note("warning: " + alarm);
    }
    answer.done(ReplySender.OK);
  }

  /** So that what is exported can be imported as it is. */
  private boolean needsForce(OperatorEntry entry, Instant now) {
    return gateway.blocklists().check(NewEntry.of(entry), now, false).isPresent();
  }

  void remove(ListRemove request, Caller caller, ReplySender answer) throws IOException {
    OperatorLists.Changed removed;
    try {
      removed =
          gateway
              .blocklists()
              .operator()
              .remove(
                  kind(request.list()),
                  request.subjects(),
                  new Origin(caller.user(), word(request.list()) + " remove"));
    } catch (OperatorListsException e) {
      failed(e, answer);
      return;
    }
    changed(removed, "removed", answer);
  }

  /** Changes reason and expiry; what is not named stays. */
  void edit(ListEdit request, Caller caller, ReplySender answer) throws IOException {
    OperatorLists.Changed edited;
    try {
      edited =
          gateway
              .blocklists()
              .operator()
              .edit(
                  kind(request.list()),
                  request.subjects(),
                  entry ->
                      entry.with(
                          request.reason() == null ? entry.reason() : request.reason(),
                          request.forEver()
                              ? null
                              : request.expires() == null ? entry.expires() : request.expires()),
                  new Origin(caller.user(), word(request.list()) + " edit"));
    } catch (OperatorListsException e) {
      failed(e, answer);
      return;
    }
    changed(edited, "changed", answer);
  }

  private static void changed(OperatorLists.Changed changed, String how, ReplySender answer)
      throws IOException {
    for (OperatorEntry entry : changed.entries()) {
      answer.item(EntryJson.of(entry).put("change", how).build());
    }
    for (String unknown : changed.unknown()) {
      answer.note("not found: " + unknown);
    }
    for (OperatorEntry entry : changed.inFiles()) {
      answer.note(entry.subject() + " is in " + entry.author() + "; change it there");
    }
    boolean all = changed.unknown().isEmpty() && changed.inFiles().isEmpty();
    answer.done(
        all ? ReplySender.OK : changed.entries().isEmpty() ? ReplySender.NO : ReplySender.PARTLY);
  }

  /** Which entries speak for, or against, this subject. */
  void check(ListCheck request, ReplySender answer) throws IOException {
    Subject subject;
    try {
      subject = subject(request.subject());
    } catch (UsageException e) {
      answer.failed(ReplySender.USAGE, e.reason(), e.hint());
      return;
    }
    Instant now = gateway.now();
    Set<OperatorEntry> found = new LinkedHashSet<>();
    for (ListKey key : subject.keys()) {
      found.addAll(gateway.blocklists().operator().view().covering(kind(request.list()), key, now));
    }
    for (OperatorEntry entry : found) {
      answer.item(EntryJson.listed(entry, now, needsForce(entry, now)));
    }
    answer.done(found.isEmpty() ? ReplySender.NO : ReplySender.OK);
  }

  private void store(
      List<NewEntry> entries, Origin origin, @Nullable Facts about, ReplySender answer)
      throws IOException {
    List<Stored> stored;
    try {
      stored = gateway.blocklists().operator().add(entries, origin);
    } catch (OperatorListsException e) {
      failed(e, answer);
      return;
    }
    for (Stored one : stored) {
      answer.item(EntryJson.stored(one));
      EntryEffect effect =
          EntryEffect.of(
              one.entry(),
              gateway.blocklists().lists(),
              gateway.blocklists().policy(),
              gateway.now(),
              about);
      for (String note : EffectText.of(one.entry(), effect)) {
        answer.note(note);
      }
      for (String note : EffectText.ofRange(one.entry(), gateway.blocklists().snapshot())) {
        answer.note(note);
      }
    }
    answer.done(ReplySender.OK);
  }

  private Optional<Incident> incident(ListAdd request) throws UsageException, IOException {
    String id = request.incident();
    if (id == null) {
      return Optional.empty();
    }
    Optional<Incident> found = incidents.find(id);
    if (found.isEmpty()) {
      throw new UsageException(
          "no incident " + id + " is known",
          "look for its client in the log; incidents are kept for log.retain_incidents");
    }
    return found;
  }

  private static List<Subject> subjects(ListAdd request) throws UsageException {
    List<Subject> subjects = new ArrayList<>();
    for (String text : request.subjects()) {
      subjects.add(subject(text));
    }
    return subjects;
  }

  /**
   * What was listed, tied to the client, as {@code explain} prints it; options that were typed win.
   * A block is always of the client.
   */
  private NewEntry entry(ListAdd request, Incident incident) throws UsageException {
    Optional<NewEntry> remedy =
        request.list() == ListName.ALLOW ? remedies.apply(incident) : Optional.empty();
    if (remedy.isEmpty()) {
      return entry(request, Undo.clientNetwork(incident.client()));
    }
    return IncidentEntry.asTyped(entry(request, remedy.get().subject()), remedy.get());
  }

  private NewEntry entry(ListAdd request, Subject subject) throws UsageException {
    Check scope = request.scope();
    return new NewEntry(
        kind(request.list()),
        subject,
        network(request.fromCidr()),
        scope == null ? Set.of() : Set.of(scope),
        request.anyScope(),
        request.reason(),
        request.expires());
  }

  /** A sentence for each network that was typed with bits beyond its prefix length. */
  private static List<String> takenAs(ListAdd request) {
    List<String> typed = new ArrayList<>(request.subjects());
    if (request.fromCidr() != null) {
      typed.add(request.fromCidr());
    }
    List<String> notes = new ArrayList<>();
    for (String text : typed) {
      if (IpPrefix.parse(text) instanceof Parsed.Ok<IpPrefix>(IpPrefix taken, var masked)
          && masked != null) {
        notes.add(text + " is taken as " + taken + ", the network that it lies in");
      }
    }
    return notes;
  }

  private static @Nullable IpPrefix network(@Nullable String text) throws UsageException {
    if (text == null) {
      return null;
    }
    return switch (IpPrefix.parse(text)) {
      case Parsed.Ok<IpPrefix>(IpPrefix prefix, var ignored) -> prefix;
      case Parsed.Bad<IpPrefix>(String reason) ->
          throw new UsageException("--from " + text + ": " + reason, "name an IP or a CIDR");
    };
  }

  private static Subject subject(String text) throws UsageException {
    return switch (Subject.parse(text)) {
      case Parsed.Ok<Subject>(Subject subject, var ignored) -> subject;
      case Parsed.Bad<Subject>(String reason) ->
          throw new UsageException(
              text + ": " + reason, "a subject is an IP, a CIDR, a domain or a mail address");
    };
  }

  static void failed(OperatorListsException e, ReplySender answer) throws IOException {
    LOG.error("{}", e.getMessage());
    answer.failed(ReplySender.NO, e.userMessage(), e.hint());
  }

  static ListKind kind(ListName name) {
    return switch (name) {
      case ALLOW -> ListKind.ALLOW;
      case BLOCK -> ListKind.BLOCK;
    };
  }

  static String word(ListName name) {
    return name.name().toLowerCase(Locale.ROOT);
  }

  /** The request makes no sense as it was typed. */
  private static final class UsageException extends Exception {
    private static final long serialVersionUID = 1L;
    private final String hint;

    UsageException(String message, String hint) {
      super(message);
      this.hint = hint;
    }

    String reason() {
      return String.valueOf(getMessage());
    }

    String hint() {
      return hint;
    }
  }
}
