package io.bloomgate.blocklists.explain;

import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Gather;
import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Lists;
import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.operator.NewEntry;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.blocklists.operator.OperatorRules;
import io.bloomgate.blocklists.operator.OperatorView;
import io.bloomgate.blocklists.operator.TypedSubject;
import io.bloomgate.blocklists.operator.WidthRules;
import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.NamePattern;
import io.bloomgate.config.name.PublicSuffixes;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.name.WebUrl;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The commands that undo a refusal (promise P6), the narrowest first. Each is tried: the decision
 * is made again with the entry of {@link Remedies} in force, and only what lifts the refusal is
 * named. Called by {@link Explainer} and by the commands about incidents; pure but for reading the
 * lists.
 */
public record Undo(Facts keys, Lists lists, Policy policy, Instant now) {

  /**
   * IPv6 hosts change their address inside this network (RFC 8981); rules of decision in
   * gateway/README.md.
   */
  private static final int V6_HOST_NETWORK_BITS = 64;

  /** Begins the notes about the narrowest command. */
  static final String NOTE = "the undo ";

  /** Commands that are named beside the narrowest. */
  private static final int MAX_WIDER = 3;

  /** The beginning of {@link OperatorEntry#author} for an entry of a file. */
  private static final String FILE_AUTHOR = "file:";

  private static final Pattern PLAIN_WORD = Pattern.compile("[A-Za-z0-9@+=:,./_-]+");

  private static final String WHILE_LOOKING = " --expires 7d --reason \"...\"";

  /** Rules for allow entries know neither own domains nor the mail server. */
  private static final WidthRules WIDTHS =
      new WidthRules(List.of(), List.of(), PublicSuffixes::contains);

  /**
   * One way to lift a refusal.
   *
   * @param command as it is typed
   * @param lifts what it lifts, a phrase for people
   * @param ends what refuses now and no longer with it
   * @param still what refuses with it as well
   */
  public record Step(String command, String lifts, List<Ground> ends, List<Ground> still) {
    public Step {
      ends = List.copyOf(ends);
      still = List.copyOf(still);
    }

    /** Says what one command cannot show: that it ends several refusals, or not all of them. */
    List<String> notes() {
      List<String> notes = new ArrayList<>();
      if (ends.size() > 1) {
        notes.add(NOTE + "lifts " + ends.size() + " listings: " + texts(ends));
      }
      if (!still.isEmpty()) {
        notes.add(NOTE + "alone does not let it in; still refuses: " + texts(still));
      }
      return notes;
    }

    private static String texts(List<Ground> grounds) {
      return String.join("; ", grounds.stream().map(GroundText::of).toList());
    }
  }

  /** Returns the network that allowing this client means: the host, for IPv6 its /64. */
  public static IpPrefix clientNetwork(IpAddress client) {
    return client.isV4() ? IpPrefix.host(client) : IpPrefix.around(client, V6_HOST_NETWORK_BITS);
  }

  /** The same for a client that may be a whole network. */
  static IpPrefix around(IpPrefix client) {
    boolean host = client.equals(IpPrefix.host(client.network()));
    return host ? clientNetwork(client.network()) : client;
  }

  /** The command that lets in whom an incident refused, when what was listed is not known. */
  public static String ofIncident(String id) {
    return "bloomgate allow add --incident " + id + WHILE_LOOKING;
  }

  /** The command that removes a block, whatever else it lets pass. */
  public static String ofBlock(OperatorEntry block) {
    return command("bloomgate block remove", block.id(), "");
  }

  /** Quotes a text as one word of a POSIX shell: a local part may hold what a shell would run. */
  static String shellWord(String text) {
    return PLAIN_WORD.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
  }

  /**
   * A command about a subject, options included. A local part may begin like an option: such a
   * subject comes last, after {@code --}.
   *
   * @param verb the command without its arguments
   * @param options each with a space before it; empty for none
   */
  public static String command(String verb, String subject, String options) {
    String word = shellWord(subject);
    return subject.startsWith("-") ? verb + options + " -- " + word : verb + " " + word + options;
  }

  /** The same; a star that a sender chose does not become a pattern. */
  public static String command(String verb, Subject subject, String options) {
    return command(
        verb, subject instanceof MailAddress ? subject.written() : subject.toString(), options);
  }

  /** The same about something that a mail carries, where an option names it. */
  private static String command(
      String verb, Subject subject, Set<Check> scope, String scopeOption, String options) {
    Optional<String> option = TypedSubject.option(subject, scope);
    if (option.isEmpty()) {
      return command(verb, subject, scopeOption + options);
    }
    String word = shellWord(subject.toString());
    return verb + " " + option.get() + (word.startsWith("-") ? "=" : " ") + word + options;
  }

  /**
   * The commands against what decides now, narrowest first; none for a check that failed, which no
   * entry helps, and where none is known to help.
   */
  List<Step> steps(Ground deciding) {
    if (deciding instanceof Ground.Failed) {
      return List.of();
    }
    List<Step> steps = new ArrayList<>();
    if (deciding instanceof Ground.Blocked blocked && isOfKeyAlone(blocked)) {
      steps.add(unblock(blocked.block()));
    }
    lifting(deciding.check(), deciding.subject()).stream().map(this::step).forEach(steps::add);
    if (deciding instanceof Ground.Blocked blocked && !isOfKeyAlone(blocked)) {
      steps.add(Math.min(1, steps.size()), unblock(blocked.block()));
    }
    return steps.subList(0, Math.min(steps.size(), 1 + MAX_WIDER));
  }

  /**
   * The narrowest allow entry against a listing of this check: of those that lift what refuses now,
   * and where nothing does, of all.
   */
  Optional<NewEntry> narrowest(Check check) {
    return lifting(check, null).stream().findFirst();
  }

  /** The entries that let the mail pass; where no single one does, those against this check. */
  private List<NewEntry> lifting(Check check, @Nullable ListKey listed) {
    Set<Check> standing =
        with(List.of(), Set.of()).grounds().standing().stream()
            .map(Ground::check)
            .collect(Collectors.toUnmodifiableSet());
    List<NewEntry> possible =
        Remedies.of(check, listed, keys, standing).stream()
            .filter(entry -> !isRefused(entry, true))
            .toList();
    List<NewEntry> whole = new ArrayList<>();
    List<NewEntry> part = new ArrayList<>();
    for (NewEntry entry : possible) {
      Verdict after = with(entry);
      if (after instanceof Verdict.Accept) {
        whole.add(entry);
      }
      if (after.grounds().standing().stream().noneMatch(ground -> ground.check() == check)) {
        part.add(entry);
      }
    }
    return whole.isEmpty() ? part : whole;
  }

  private Verdict with(NewEntry entry) {
    return with(List.of(entry.entry("", "", now)), Set.of());
  }

  private Verdict with(List<OperatorEntry> added, Set<String> removed) {
    Lists asked = lists.withOperator(lists.operator().with(added, removed));
    return Gather.verdict(keys, asked, policy, now);
  }

  /** The step with what it ends and what it leaves. */
  private Step step(String command, String lifts, Verdict after) {
    List<Ground> before = refusing(with(List.of(), Set.of()));
    List<Ground> still = refusing(after);
    return new Step(command, lifts, EntryEffect.less(before, still), still);
  }

  private static List<Ground> refusing(Verdict verdict) {
    return verdict.grounds().standing().stream()
        .filter(ground -> ground.strength().refuses())
        .toList();
  }

  private static boolean isRefused(NewEntry entry, boolean force) {
    return OperatorRules.check(entry, WIDTHS, OperatorView.EMPTY, Instant.EPOCH, force).isPresent();
  }

  private Step step(NewEntry allow) {
    StringBuilder scope = new StringBuilder();
    allow.scope().forEach(check -> scope.append(" --scope ").append(check.key()));
    StringBuilder options = new StringBuilder();
    if (allow.from() != null) {
      options.append(" --from ").append(allow.from());
    }
    options.append(isRefused(allow, false) ? " --force" : "").append(WHILE_LOOKING);
    String verb = "bloomgate allow add";
    String command =
        isOfClient(allow)
            ? command(verb, allow.subject(), scope + options.toString())
            : command(verb, allow.subject(), allow.scope(), scope.toString(), options.toString());
    return step(command, lifts(allow), with(allow));
  }

  /** The network of an entry may be the client's, or the host of a URL. */
  private boolean isOfClient(NewEntry allow) {
    return keys.network() != null && allow.subject().equals(around(keys.network()));
  }

  private String lifts(NewEntry allow) {
    if (!isOfClient(allow) && !Collections.disjoint(allow.scope(), Check.OF_CONTENT)) {
      return "listings as "
          + allow.scope().iterator().next().key()
          + " of mail that carries "
          + shown(allow.subject(), allow.scope())
          + from(allow);
    }
    String what =
        allow.scope().isEmpty()
            ? "every listing"
            : "listings as " + allow.scope().iterator().next().key();
    if (allow.scope().equals(Set.of(Check.CLIENT_NAME))) {
      return "every listing of mail from clients with the confirmed name " + allow.subject();
    }
    boolean helo = allow.scope().contains(Check.HELO);
    return what
        + switch (allow.subject()) {
          case IpPrefix network ->
              allow.from() == null
                  ? " of mail from " + network
                  : " of HELO [" + network + "] from " + allow.from();
          case DomainName domain ->
              (helo ? " of HELO " : " of senders at ") + domain + " and below" + from(allow);
          case NamePattern pattern -> " of senders at " + pattern + from(allow);
          case MailAddress address -> " of the sender " + address + from(allow);
          case WebUrl url -> " of the URL " + url + from(allow);
          case Fingerprint print -> " of the SHA-256 value " + print + from(allow);
          case Likeness _, AsNumber _ -> " of such a text" + from(allow);
        };
  }

  /** Nobody knows a subject or a text by its hash. */
  private static String shown(Subject subject, Set<Check> scope) {
    return subject instanceof Likeness || scope.equals(Set.of(Check.BODY))
        ? "such a text"
        : isOfText(scope) ? "such a subject" : subject.toString();
  }

  private static boolean isOfText(Set<Check> scope) {
    return scope.equals(Set.of(Check.SUBJECT)) || scope.equals(Set.of(Check.BODY));
  }

  private static String from(NewEntry allow) {
    return allow.from() == null ? ", from any client" : " from " + allow.from();
  }

  /** True when the block covers exactly the subject that was asked about. */
  private boolean isOfKeyAlone(Ground.Blocked blocked) {
    return switch (blocked.block().subject()) {
      case IpPrefix prefix ->
          blocked.check() == Check.CLIENT_IP
              ? prefix.equals(keys.network())
              : blocked.subject() instanceof IpAddress literal
                  && prefix.equals(IpPrefix.host(literal));
      case DomainName domain ->
          blocked.subject() instanceof DomainName name
              && name.equals(domain)
              && (blocked.check() == Check.HELO
                  || blocked.check() == Check.CLIENT_NAME
                  || blocked.isOfContent()
                  || keys.sender().isEmpty());
      case WebUrl url -> url.equals(blocked.subject());
      case NamePattern _ -> false;
      case MailAddress _, Fingerprint _, Likeness _, AsNumber _ -> true;
    };
  }

  /** An entry of a list file is undone in that file. */
  private Step unblock(OperatorEntry block) {
    boolean hash = block.subject() instanceof Likeness || isOfText(block.scope());
    String lifts = "the whole block of " + shown(block.subject(), block.scope());
    Verdict after = with(List.of(), Set.of(block.id()));
    if (block.author().startsWith(FILE_AUTHOR)) {
      return step(
          "take out the line " + block.author().substring(FILE_AUTHOR.length()), lifts, after);
    }
    // The subject would name all its blocks; the id, which is less clear to people, names this one.
    return step(
        !hash && isOnlyOne(block)
            ? command("bloomgate block remove", block.subject(), block.scope(), "", "")
            : ofBlock(block),
        lifts,
        after);
  }

  private boolean isOnlyOne(OperatorEntry block) {
    ListKey key = block.subject().keys().getFirst();
    return lists.operator().covering(ListKind.BLOCK, key, now).stream()
            .filter(entry -> entry.subject().equals(block.subject()))
            .count()
        == 1;
  }
}
