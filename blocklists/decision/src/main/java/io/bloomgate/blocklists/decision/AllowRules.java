package io.bloomgate.blocklists.decision;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.decision.Grounds.Pardon;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.blocklists.operator.OperatorView;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.WebUrl;
import io.bloomgate.config.settings.Action;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Fourth step of a decision: the operator's allow entries that hold for a session, and what each of
 * them pardons (rules of decision in gateway/README.md; promise P3).
 *
 * <ul>
 *   <li>A network around the client: every listing of the session, because TCP proves the address.
 *   <li>The confirmed name of the client (scope {@code client_name}): the same, because TCP proves
 *       the address, and DNS that the name is that of the address.
 *   <li>A domain (itself and below) or an address: listings of sender and sender domain.
 *   <li>A name with {@code from}: every listing, when the client is inside that network; with
 *       {@code --scope any}: every listing from any client.
 *   <li>An explicit scope: those checks. {@code helo} on a domain means the name in HELO, on a
 *       network with {@code from} the literal in HELO, and then the listing of HELO only.
 * </ul>
 *
 * <p>A listing of what the mail carries is lifted by an entry of that very thing too: a domain and
 * what is below it, an address, a web address, a fingerprint; never by the entry of another name.
 *
 * <p>A listing of a list of good senders is not lifted: it speaks for the sender, as the entry
 * does.
 *
 * <p>An operator's block is overridden only by an allow of the same kind that is as narrow or
 * narrower: network against network for the client, client name against client name, name against
 * name for the sender, scope helo against scope helo. Adding an entry can only lift grounds, never
 * make one. Pure.
 */
public final class AllowRules {

  private static final Set<Check> ALL = Collections.unmodifiableSet(EnumSet.allOf(Check.class));
  private static final Set<Check> OF_NAMES =
      Collections.unmodifiableSet(EnumSet.of(Check.SENDER, Check.SENDER_DOMAIN));
  private static final Set<Check> OF_HELO = Collections.unmodifiableSet(EnumSet.of(Check.HELO));

  /** An entry that holds for the session, and the checks whose listings it lifts. */
  private record Holding(OperatorEntry entry, Set<Check> checks) {}

  private final Facts facts;
  private final Answers answers;
  private final List<Holding> holding = new ArrayList<>(2);

  private AllowRules(Facts facts, Answers answers) {
    this.facts = facts;
    this.answers = answers;
  }

  /** The allow entries that hold for the session. */
  public static AllowRules of(Facts facts, Answers answers) {
    AllowRules pardons = new AllowRules(facts, answers);
    facts.forEachKey((check, key) -> {
      if (check != Check.HELO) {
        pardons.hold(check, key);
      }
      IpAddress forwarder = facts.seen().forwarder();
      if (check == Check.CLIENT_IP && forwarder != null && facts.isBehindForwarder()) {
        pardons.hold(check, forwarder);
      }
    });
    if (facts.helo() != null) {
      pardons.hold(Check.HELO, facts.helo());
    }
    return pardons;
  }

  /** All of them, those of the client first, each kind narrowest first. */
  public List<OperatorEntry> entries() {
    return holding.stream().map(Holding::entry).toList();
  }

  /** The allow entry that overrides the ground; {@code null} when there is none. */
  @Nullable Pardon lifts(Ground ground) {
    if (!mayBeLifted(ground)) {
      return null;
    }
    for (Holding allow : holding) {
      if (allow.checks.contains(lifted(ground.check()))
          && (!(ground instanceof Ground.Blocked blocked) || beats(allow, blocked))) {
        return new Pardon.Allowed(allow.entry);
      }
    }
    return Check.OF_CONTENT.contains(ground.check()) ? liftsContent(ground) : null;
  }

  /** An allow entry, from any client, of this very thing that a mail carries. */
  public static Optional<OperatorEntry> ofContent(
      ContentKey carried, OperatorView view, Instant now) {
    Facts mail = Facts.of(new Content(List.of(carried)));
    AllowRules rules = new AllowRules(mail, Gather.allows(mail, view, now));
    return rules.coveringContent(carried.key()).stream()
        .filter(allow -> allow.from() == null && isFor(allow, carried.check()))
        .findFirst();
  }

  /** Entries of the thing itself, and those of the host of a URL. */
  private List<OperatorEntry> coveringContent(ListKey key) {
    List<OperatorEntry> allows = new ArrayList<>(covering(key));
    if (key instanceof WebUrl url) {
      allows.addAll(covering(url.host()));
    }
    return allows;
  }

  private static boolean mayBeLifted(Ground ground) {
    return switch (ground) {
      case Ground.OfList listed -> listed.action() != Action.TRUST;
      case Ground.Blocked _ -> true;
      case Ground.RuleMet _, Ground.Failed _ -> false;
    };
  }

  /**
   * Finds the entry that pardons a listing of the content: one of that very thing, which lifts no
   * other listing.
   */
  private @Nullable Pardon liftsContent(Ground ground) {
    for (OperatorEntry allow : coveringContent(ground.subject())) {
      boolean fromMatches = allow.from() == null || facts.clientWithin(allow.from());
      boolean lifts =
          !(ground instanceof Ground.Blocked blocked) || allow.atLeastAsNarrowAs(blocked.block());
      if (lifts && fromMatches && isFor(allow, ground.check())) {
        return new Pardon.Allowed(allow);
      }
    }
    return null;
  }

  /**
   * True when an entry of something is about a check of the content too. A network without a scope
   * is about clients; the scope of a host is about its URLs too.
   */
  public static boolean isFor(OperatorEntry allow, Check check) {
    if (allow.scope().isEmpty()) {
      return !(allow.subject() instanceof IpPrefix);
    }
    return allow.scope().contains(check)
        || (check == Check.URL && allow.scope().contains(Check.URL_HOST));
  }

  /** A client that is allowed by its address is allowed by its name and AS number too. */
  private static Check lifted(Check check) {
    return check == Check.CLIENT_NAME || check == Check.ASN ? Check.CLIENT_IP : check;
  }

  private static boolean beats(Holding allow, Ground.Blocked blocked) {
    return sameKind(allow, blocked) && allow.entry.atLeastAsNarrowAs(blocked.block());
  }

  private static boolean sameKind(Holding allow, Ground.Blocked blocked) {
    boolean network = allow.entry.subject() instanceof IpPrefix;
    boolean clientName = allow.entry.scope().contains(Check.CLIENT_NAME);
    return switch (blocked.check()) {
      case CLIENT_IP, ASN -> network;
      case CLIENT_NAME -> clientName;
      case HELO -> allow.checks.equals(OF_HELO) && !network;
      case SENDER, SENDER_DOMAIN -> !network && !clientName;
      // Entries about what the mail carries are compared by themselves.
      case FROM, FROM_DOMAIN, REPLY_TO_DOMAIN, URL, URL_HOST, ATTACHMENT, SUBJECT, BODY -> false;
    };
  }

  /** Asks what is allowed of one key of the session. */
  private void hold(Check check, ListKey key) {
    for (OperatorEntry allow : covering(key)) {
      switch (check) {
        case CLIENT_IP -> {
          if (allow.subject() instanceof IpPrefix prefix
              && allow.from() == null
              && facts.clientWithin(prefix)) {
            holding.add(new Holding(allow, allow.scope().isEmpty() ? ALL : allow.scope()));
          }
        }
        case CLIENT_NAME -> {
          if (allow.scope().contains(check) && allow.holdsFor(check, key)) {
            hold(allow, ALL);
          }
        }
        // A name there is claimed even more cheaply than a sender. A network alone means clients;
        // a network with from means the literal in HELO.
        case HELO -> {
          if (allow.scope().contains(check)
              && (key instanceof DomainName || allow.from() != null)) {
            hold(allow, OF_HELO);
          }
        }
        case SENDER -> hold(allow, pardonedBySender(allow));
        default -> hold(allow, withoutHelo(allow, pardonedBySender(allow)));
      }
    }
  }

  private List<OperatorEntry> covering(ListKey key) {
    return answers.covering(ListKind.ALLOW, key);
  }

  private void hold(OperatorEntry allow, Set<Check> checks) {
    boolean fromMatches = allow.from() == null || facts.clientWithin(allow.from());
    if (fromMatches && !checks.isEmpty()) {
      holding.add(new Holding(allow, checks));
    }
  }

  private static Set<Check> pardonedBySender(OperatorEntry allow) {
    if (allow.anyScope()) {
      return ALL;
    }
    if (!allow.scope().isEmpty()) {
      Set<Check> ofEnvelope = new HashSet<>(allow.scope());
      ofEnvelope.removeAll(Check.OF_CONTENT);
      ofEnvelope.remove(Check.CLIENT_NAME);
      return ofEnvelope;
    }
    return allow.from() == null ? OF_NAMES : ALL;
  }

  /** An explicit scope helo of a domain is compared with HELO, not with the sender. */
  private static Set<Check> withoutHelo(OperatorEntry allow, Set<Check> checks) {
    if (!allow.scope().contains(Check.HELO)) {
      return checks;
    }
    Set<Check> rest = new HashSet<>(checks);
    rest.remove(Check.HELO);
    return rest;
  }
}
