package io.bloomgate.blocklists.explain;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.decision.AllowRules;
import io.bloomgate.blocklists.decision.ClientName;
import io.bloomgate.blocklists.decision.Content;
import io.bloomgate.blocklists.decision.DnsListing;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Gather;
import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Grounds;
import io.bloomgate.blocklists.decision.Grounds.Pardon;
import io.bloomgate.blocklists.decision.Grounds.Pardoned;
import io.bloomgate.blocklists.decision.Lists;
import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.blocklists.decision.Recipients;
import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.decision.Whereabouts;
import io.bloomgate.blocklists.explain.Explanation.Allow;
import io.bloomgate.blocklists.explain.Explanation.Beside;
import io.bloomgate.blocklists.explain.Explanation.Bloom;
import io.bloomgate.blocklists.explain.Explanation.Carried;
import io.bloomgate.blocklists.explain.Explanation.Listed;
import io.bloomgate.blocklists.explain.Explanation.Origins;
import io.bloomgate.blocklists.explain.Explanation.Range;
import io.bloomgate.blocklists.explain.Explanation.Wider;
import io.bloomgate.blocklists.generation.ListAnswer;
import io.bloomgate.blocklists.generation.Partition;
import io.bloomgate.blocklists.greylist.Greylist;
import io.bloomgate.blocklists.index.AsnAnswer;
import io.bloomgate.blocklists.index.RangeTally;
import io.bloomgate.blocklists.operator.NewEntry;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.blocklists.refresh.ListingOrigin;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.config.settings.Settings.Policy.RejectAt;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Answers {@code explain}: what the decision would be on a subject, and why, by the same steps that
 * sessions take. Called by the gateway's control server, and by the command line offline. Pure but
 * for reading the lists.
 *
 * @param at the time of the lists; {@code null} for now
 */
public record Explainer(Context context, @Nullable Instant at) {

  /**
   * The basis of an answer.
   *
   * @param rejectAt where refusals are spoken
   * @param offline true when the command line asks without a gateway
   */
  public record Context(
      Lists lists,
      Policy policy,
      Mode mode,
      RejectAt rejectAt,
      boolean offline,
      Instant now,
      Origins origins,
      DnsAnswers dns,
      GreylistAnswers greylist) {}

  /** Asks what greylisting knows of a sender; notes no visit. */
  @FunctionalInterface
  public interface GreylistAnswers {
    /** Nothing is known. */
    GreylistAnswers NONE = (client, sender, recipient) -> Optional.empty();

    /**
     * Returns what is known.
     *
     * @param sender domain of the envelope sender; {@code null} for {@code <>} and for a literal
     * @param recipient domain of the recipient
     */
    Optional<Greylist.Standing> about(
        IpAddress client, @Nullable DomainName sender, String recipient);
  }

  /**
   * The answers of DNS about the subject of a question.
   *
   * @param name of the client's address
   * @param listings of DNS lists
   * @param notes which lists gave no answer, sentences for people
   */
  public record DnsReport(ClientName name, List<DnsListing> listings, List<String> notes) {
    public DnsReport {
      listings = List.copyOf(listings);
      notes = List.copyOf(notes);
    }
  }

  /** Asks DNS lists, and for the name of the client; waits for the answers. */
  @FunctionalInterface
  public interface DnsAnswers {
    /** Nothing is asked. */
    DnsAnswers NONE = keys -> new DnsReport(keys.seen().name(), List.of(), List.of());

    DnsReport about(Facts keys);
  }

  /** Answers from these lists and this policy. */
  public Explainer(Context context) {
    this(context, null);
  }

  /** The answer to a question, or what is wrong with it. */
  public Parsed<Explanation> explain(Question question) {
    return question.resolve().map(this::explain);
  }

  /**
   * The answer about a mail, or what is wrong with the question of its session, whose subject does
   * not count.
   */
  public Parsed<Explanation> explainMail(
      Question session, List<ContentKey> keys, List<Content.Shown> signs) {
    return session.resolveMail(new Content(keys, signs)).map(this::explain);
  }

  /** The answer about the mail of a session that was kept. */
  public Explanation explainKept(Facts mail, boolean senderKnown) {
    return explain(Question.Resolved.of(mail, senderKnown));
  }

  /** Each key is asked alone, so that it is clear what lists say of it and not of another one. */
  private List<Carried> carriedKeys(Facts keys) {
    List<Carried> found = new ArrayList<>();
    List<ContentKey> all = keys.content().keys();
    for (int i = 0; i < all.size(); i++) {
      ContentKey key = all.get(i);
      Facts asked =
          keys.carrying(key)
              .withDns(keys.dns().stream().filter(answer -> answer.isAbout(key)).toList());
      Grounds grounds = verdict(asked).grounds();
      Predicate<Ground> isOfKey =
          ground -> !(ground instanceof Ground.RuleMet) && ground.check() == key.check();
      List<Listed> listings = listings(grounds, isOfKey);
      Optional<OperatorEntry> allow =
          lifting(grounds, isOfKey)
              .or(() -> AllowRules.ofContent(key, context.lists().operator(), context.now()));
      if (!listings.isEmpty() || allow.isPresent()) {
        found.add(new Carried(i, listings, Allow.of(allow.orElse(null))));
      }
    }
    return found;
  }

  /** Returns the first entry that lifted such a ground. */
  private static Optional<OperatorEntry> lifting(Grounds grounds, Predicate<Ground> such) {
    return grounds.pardoned().stream()
        .filter(lifted -> such.test(lifted.ground()))
        .flatMap(lifted ->
            lifted.pardon() instanceof Pardon.Allowed(OperatorEntry entry)
                ? Stream.of(entry)
                : Stream.empty())
        .findFirst();
  }

  private Explanation explain(Question.Resolved asked) {
    DnsReport dns = context.dns().about(asked.keys());
    Facts keys =
        asked.keys().withSeen(asked.keys().seen().withName(dns.name())).withDns(dns.listings());
    boolean turnedAway = isTurnedAway(keys);
    boolean hides = turnedAway && context.mode() != Mode.OBSERVE && !isRefused(keys);
    Facts decided = hides ? keys.atConnect() : keys;
    Verdict listed = verdict(decided);
    Optional<Greylist.Standing> standing = standing(listed, asked);
    Verdict verdict = standing.isPresent() ? answered(listed, standing.get()) : listed;
    Ground deciding = verdict.decidedBy();
    Subject subject = asked.subject();
    RangeTally range = range(subject);
    Recipients.Own own = context.policy().recipients().of(keys.recipient(), context.now());
    List<AsnAnswer> whose = whose(keys);
    List<Undo.Step> undo =
        deciding == null || at != null ? List.of() : undo(decided).steps(deciding);
    return new Explanation(
        subject == null ? Explanation.OF_MAIL : subject.toString(),
        deciding == null ? Explanation.kind(subject) : deciding.check(),
        verdict.key(),
        stage(verdict, deciding, turnedAway),
        context.mode(),
        verdict.grounds().generation(),
        context.offline(),
        at,
        listings(verdict.grounds(), _ -> true),
        range == null ? bloom(asked, deciding) : bloom(range),
        range == null ? null : Range.of(range),
        Allow.of(allow(verdict, decided)),
        undo.isEmpty() ? null : undo.getFirst().command(),
        undo.stream().skip(1).map(step -> new Wider(step.command(), step.lifts())).toList(),
        null,
        Stream.of(
                notes(asked, deciding, undo),
                undo.isEmpty() ? List.<String>of() : undo.getFirst().notes(),
                SubjectNotes.carried(asked, listed.grounds(), context),
                SubjectNotes.switchedOff(asked, context, at != null),
                SubjectNotes.unlisted(subject, listed.grounds(), context),
                NoteText.whose(whose, context.lists().snapshot().manifest()),
                NoteText.profile(own),
                standing.stream().flatMap(known -> NoteText.greylist(known).stream()).toList(),
                NoteText.when(needsRecipient(listed, asked), NoteText.NEEDS_RECIPIENT),
                NoteText.when(hides, NoteText.TURNED_AWAY),
                moved(verdict.grounds()),
                NoteText.rulesNotMet(
                    own == null ? context.policy().rules() : own.policy().rules(),
                    verdict.grounds(),
                    Whereabouts.of(whose)),
                dns.notes())
            .flatMap(List::stream)
            .toList(),
        subject == null ? carriedKeys(asked.keys()) : List.of());
  }

  private Verdict verdict(Facts keys) {
    return Gather.verdict(keys, context.lists(), context.policy(), context.now());
  }

  /** True when the client is refused before it names a sender or a recipient. */
  private boolean isTurnedAway(Facts keys) {
    return context.rejectAt() == RejectAt.CONNECT && isRefused(keys.atConnect());
  }

  private boolean isRefused(Facts keys) {
    Verdict verdict = verdict(keys);
    return verdict instanceof Verdict.Reject || verdict instanceof Verdict.Tempfail;
  }

  /** Asks whose network the client is in, as far as it can be read. */
  private List<AsnAnswer> whose(Facts keys) {
    try {
      return keys.network() == null ? List.of() : context.lists().snapshot().asn(keys.network());
    } catch (RuntimeException | InternalError e) {
      return List.of(); // a verdict that needs it reports the failure
    }
  }

  /** Asks greylisting where a session would; empty when too little of the session is known. */
  private Optional<Greylist.Standing> standing(Verdict listed, Question.Resolved asked) {
    String recipient = asked.recipientDomain();
    return listed instanceof Verdict.Greylist
            && asked.senderKnown()
            && recipient != null
            && asked.keys().isOfHost()
        ? context.greylist().about(asked.keys().client(), asked.keys().senderDomain(), recipient)
        : Optional.empty();
  }

  /** True when all is known that greylisting would be asked for, but for the recipient. */
  private boolean needsRecipient(Verdict listed, Question.Resolved asked) {
    return listed instanceof Verdict.Greylist
        && !context.greylist().equals(GreylistAnswers.NONE)
        && asked.senderKnown()
        && asked.keys().recipient() == null
        && asked.keys().isOfHost();
  }

  private static Verdict answered(Verdict listed, Greylist.Standing standing) {
    return listed instanceof Verdict.Greylist greylist && standing.next().letIn()
        ? greylist.letIn()
        : listed;
  }

  /** The allow entry that {@link #explainKept} prints first; empty where none lifts the check. */
  public Optional<NewEntry> remedy(Facts mail, Check listed) {
    return undo(mail).narrowest(listed);
  }

  private Undo undo(Facts keys) {
    return new Undo(keys, context.lists(), context.policy(), context.now());
  }

  private List<String> notes(
      Question.Resolved asked, @Nullable Ground deciding, List<Undo.Step> undo) {
    if (!(deciding instanceof Ground.Found) || !undo.isEmpty() || at != null) {
      return asked.notes();
    }
    List<String> notes = new ArrayList<>(asked.notes());
    notes.add("no entry lifts this without knowing the client; ask again with --ip");
    return notes;
  }

  /** Says where actions come from that are not those of the settings. */
  private List<String> moved(Grounds grounds) {
    return grounds.standing().stream()
        .flatMap(ground ->
            ground instanceof Ground.OfList listed ? Stream.of(listed.source()) : Stream.empty())
        .distinct()
        .flatMap(list ->
            context.origins().promotion(list).stream()
                .flatMap(known -> NoteText.promoted(list, known).stream()))
        .toList();
  }

  /** The verdict on accepted mail is final when the content is relayed. */
  private static Stage stage(Verdict verdict, @Nullable Ground deciding, boolean turnedAway) {
    return deciding == null || verdict instanceof Verdict.Tag || deciding.isOfContent()
        ? Stage.DATA
        : turnedAway ? Stage.CONNECT : Stage.RCPT;
  }

  private List<Listed> listings(Grounds grounds, Predicate<Ground> such) {
    List<Listed> listings = new ArrayList<>();
    for (Ground ground : grounds.standing()) {
      add(ground, null, such, listings);
    }
    for (Pardoned pardoned : grounds.pardoned()) {
      add(pardoned.ground(), pardoned.pardon(), such, listings);
    }
    return listings;
  }

  private void add(
      Ground ground, @Nullable Pardon pardon, Predicate<Ground> such, List<Listed> to) {
    if (ground instanceof Ground.Found found && such.test(ground)) {
      ListingOrigin origin =
          ground instanceof Ground.Listed listed ? context.origins().of(listed) : null;
      to.add(Listed.of(found, origin, pardon, at != null));
    }
  }

  private @Nullable OperatorEntry allow(Verdict verdict, Facts keys) {
    Optional<OperatorEntry> lifting = lifting(verdict.grounds(), _ -> true);
    if (lifting.isPresent()) {
      return lifting.get();
    }
    if (!(verdict instanceof Verdict.Accept)) {
      return null;
    }
    List<OperatorEntry> speaking =
        AllowRules.of(keys, Gather.allows(keys, context.lists().operator(), context.now()))
            .entries();
    return speaking.isEmpty() ? null : speaking.getFirst();
  }

  /** Counts the listings in a network, as far as it can be read; the verdict reports a failure. */
  private @Nullable RangeTally range(@Nullable Subject subject) {
    if (!(subject instanceof IpPrefix prefix) || prefix.isHost()) {
      return null;
    }
    try {
      return context.lists().snapshot().within(prefix);
    } catch (RuntimeException | InternalError e) {
      return null;
    }
  }

  /** The filter answers for addresses only; for a network the exact index is asked. */
  private static Bloom bloom(RangeTally range) {
    boolean any = range.insideAll() + range.aroundAll() > 0;
    return new Bloom(Partition.IP.word(), any, any);
  }

  /** Returns what the filter said of the key that decided, or else of the subject. */
  private Bloom bloom(Question.Resolved asked, @Nullable Ground deciding) {
    if (deciding instanceof Ground.Listed listed) {
      // The key of an AS number's listing is the client.
      ListKey key =
          listed.check() == Check.ASN
              ? listed.listing().entry().subject().keys().getFirst()
              : listed.subject();
      return new Bloom(Partition.of(key).word(), true, true);
    }
    List<ListKey> keys = asked.subject() == null ? List.of() : asked.subject().keys();
    Bloom other = keys.isEmpty() ? new Bloom("", false, false) : bloom(keys.getFirst());
    return keys.stream().map(this::bloom).filter(Bloom::hit).findFirst().orElse(other);
  }

  private Bloom bloom(ListKey key) {
    String filter = Partition.of(key).word();
    try {
      return switch (context.lists().snapshot().ask(key)) {
        case ListAnswer.NotListed ignored -> new Bloom(filter, false, false);
        case ListAnswer.FalsePositive(String hit) -> new Bloom(hit, true, false);
        case ListAnswer.OutOfReach(String hit, var entries) ->
            new Bloom(hit, true, false, Beside.of(entries));
        case ListAnswer.Listed(String hit, var ignored) -> new Bloom(hit, true, true);
      };
    } catch (RuntimeException | InternalError e) {
      // The verdict has this failure in its evidence already.
      return new Bloom(filter, false, false);
    }
  }
}
