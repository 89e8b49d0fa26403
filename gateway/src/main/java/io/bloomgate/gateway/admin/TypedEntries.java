package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.explain.Undo;
import io.bloomgate.blocklists.operator.NewEntry;
import io.bloomgate.blocklists.sessions.AlikeMails;
import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.config.control.ControlRequest.ListAdd;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.notation.Quantities;
import io.bloomgate.gateway.admin.ReplySender.RefusedException;
import io.bloomgate.gateway.sessions.SessionStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The entries that {@code allow add} or {@code block add} asks for. Immutable.
 *
 * @param about the session of the incident that was named, {@code null} for none
 * @param notes sentences about what was typed
 */
record TypedEntries(List<NewEntry> entries, @Nullable Facts about, List<String> notes) {

  /**
   * Reads a request.
   *
   * @param likeness of the text that was named
   * @param facts the mail of an incident, as far as it was kept
   * @param remedies the narrowest allow entry against what an incident was refused for
   * @throws RefusedException when the request is wrong
   */
  static TypedEntries of(
      ListAdd request,
      Optional<Evidence> incident,
      Optional<Likeness> likeness,
      Function<Evidence, Facts> facts,
      Function<Evidence, Optional<NewEntry>> remedies)
      throws RefusedException {
    List<NewEntry> entries = new ArrayList<>();
    for (Subject subject : subjects(request)) {
      entries.add(entry(request, subject));
    }
    if (incident.isPresent()) {
      entries.add(entry(request, incident.get(), remedies));
    }
    if (likeness.isPresent()) {
      entries.add(entry(request, likeness.get()));
    }
    if (entries.isEmpty()) {
      throw RefusedException.usage("no subject", "name an IP, CIDR, domain, address or URL");
    }
    return new TypedEntries(entries, incident.map(facts).orElse(null), takenAs(request));
  }

  private static List<Subject> subjects(ListAdd request) throws RefusedException {
    List<Subject> subjects = new ArrayList<>();
    for (String text : request.subjects()) {
      subjects.add(subject(text));
    }
    return subjects;
  }

  /**
   * Makes an entry of what was listed, as {@code explain} prints it: a name of the envelope is tied
   * to the client, what the mail carries is not. Options that were typed win. A block is always of
   * the client.
   */
  private static NewEntry entry(
      ListAdd request, Evidence incident, Function<Evidence, Optional<NewEntry>> remedies)
      throws RefusedException {
    Optional<NewEntry> remedy =
        request.list() == ListKind.ALLOW ? remedies.apply(incident) : Optional.empty();
    if (remedy.isEmpty()) {
      return entry(request, Undo.clientNetwork(incident.judged()));
    }
    return asTyped(entry(request, remedy.get().subject()), remedy.get());
  }

  private static NewEntry entry(ListAdd request, Subject subject) throws RefusedException {
    Check scope = request.scope();
    return new NewEntry(
        request.list(),
        subject,
        network(request.fromCidr()),
        scope == null ? Set.of() : Set.of(scope),
        request.anyScope(),
        request.reason(),
        request.expires(),
        request.unused());
  }

  /**
   * The entry that lifts an incident; options that were typed win.
   *
   * @param typed its subject with the options of the command
   * @param remedy as {@code explain} prints it
   */
  private static NewEntry asTyped(NewEntry typed, NewEntry remedy) {
    boolean scoped = typed.anyScope() || !typed.scope().isEmpty();
    return new NewEntry(
        typed.list(),
        typed.subject(),
        typed.from() == null ? remedy.from() : typed.from(),
        scoped ? typed.scope() : remedy.scope(),
        typed.anyScope(),
        typed.reason(),
        typed.expires(),
        typed.unused());
  }

  /**
   * A sentence for each network that was typed with bits beyond its prefix length, and for each
   * pattern that is a domain.
   */
  private static List<String> takenAs(ListAdd request) {
    List<String> typed = new ArrayList<>(request.subjects());
    if (request.fromCidr() != null) {
      typed.add(request.fromCidr());
    }
    List<String> notes = new ArrayList<>();
    for (String text : typed) {
      if (IpPrefix.parse(text) instanceof Parsed.Ok<IpPrefix>(IpPrefix taken, var masked)
          && masked != null) {
        notes.add(text + " is read as " + taken + ", the network around it");
      } else if (Subject.parseEntry(text) instanceof Parsed.Ok<Subject>(DomainName _, var domain)
          && domain != null) {
        notes.add(text + " " + domain);
      }
    }
    return notes;
  }

  private static @Nullable IpPrefix network(@Nullable String text) throws RefusedException {
    if (text == null) {
      return null;
    }
    return switch (IpPrefix.parse(text)) {
      case Parsed.Ok<IpPrefix>(IpPrefix prefix, var ignored) -> prefix;
      case Parsed.Bad<IpPrefix>(String reason) ->
          throw RefusedException.usage("--from " + text + ": " + reason, "name an IP or a CIDR");
    };
  }

  /** A subject as a person types it. */
  static Subject subject(String text) throws RefusedException {
    return switch (Subject.parseEntry(text)) {
      case Parsed.Ok<Subject>(Subject subject, var ignored) -> subject;
      case Parsed.Bad<Subject>(String reason) ->
          throw RefusedException.usage(
              text + ": " + reason,
              "a subject is an IP, a CIDR, a domain, a mail address or a URL");
    };
  }

  /**
   * Warns of other senders whom {@code block add --like} would refuse: a text of which most is a
   * disclaimer is like the texts of other senders with it. Asked by {@link ListHandlers}, on the
   * threads of control connections.
   */
  static final class AlikeWarning {

    /** The number of days whose kept mails are compared. */
    private static final int DAYS = 7;

    private AlikeWarning() {}

    /**
     * Compares the text of a block entry with the kept mails of other sender domains.
     *
     * @return a sentence for an entry that was forced; empty when it hits no such mail, and for an
     *     entry that is tied to one network
     * @throws RefusedException when it does, and was not forced
     * @throws IOException when the kept sessions cannot be read
     */
    static Optional<String> of(ListAdd request, Likeness text, SessionStore sessions)
        throws RefusedException, IOException {
      String id = request.like();
      if (id == null || request.list() != ListKind.BLOCK || request.fromCidr() != null) {
        return Optional.empty();
      }
      AlikeMails alike = sessions.alike(text, id, Duration.ofDays(DAYS));
      if (alike.mails() == 0) {
        return Optional.empty();
      }
      String sentence =
          "the text of session %s is like that of %s of %s of the last %d days: %s"
              .formatted(
                  id,
                  Quantities.count(alike.mails(), "accepted mail", "accepted mails"),
                  Quantities.count(alike.domains(), "other sender domain", "other sender domains"),
                  DAYS,
                  named(alike));
      if (!request.force()) {
        throw RefusedException.usage(
            sentence,
            "most of the text may be a disclaimer or a footer, and the entry refuses all mails with"
                + " it; look at them with `bloomgate sessions list --from DOMAIN`, and repeat it"
                + " with --force when they are copies of one campaign");
      }
      return Optional.of("warning: " + sentence);
    }

    private static String named(AlikeMails alike) {
      String names =
          alike.named().stream()
              .map(domain -> domain.isEmpty() ? "<>" : domain)
              .collect(Collectors.joining(", "));
      return alike.named().size() < alike.domains() ? names + ", ..." : names;
    }
  }
}
