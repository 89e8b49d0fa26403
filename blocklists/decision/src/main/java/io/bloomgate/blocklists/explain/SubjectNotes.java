package io.bloomgate.blocklists.explain;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.decision.Content;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Gather;
import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Grounds;
import io.bloomgate.blocklists.decision.Grounds.Pardoned;
import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.blocklists.entry.ReservedNetworks;
import io.bloomgate.blocklists.generation.ListAnswer;
import io.bloomgate.blocklists.guard.ProtectedSet;
import io.bloomgate.blocklists.index.Listing;
import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.NamePattern;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.name.WebUrl;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Notes of {@code explain} about the subject beside the verdict: what lists say of it where a mail
 * carries it, and why a list that has it says nothing, or none can name it. Pure but for its
 * questions to the lists; called by {@link Explainer}.
 */
final class SubjectNotes {

  private static final Set<Check> NOTED =
      EnumSet.of(Check.FROM, Check.FROM_DOMAIN, Check.REPLY_TO_DOMAIN, Check.URL, Check.URL_HOST);

  private static final String IS_OFF =
      "feed %1$s lists %2$s; it is switched off (`bloomgate feeds enable %1$s`), or not in the"
          + " settings any more, so it does not count";

  private SubjectNotes() {}

  /**
   * A sentence for each listing; none where the question says what the mail carries.
   *
   * @param shown what lists say of the envelope: an entry that is shown there is not shown again
   */
  static List<String> carried(Question.Resolved asked, Grounds shown, Explainer.Context context) {
    if (!asked.keys().content().keys().isEmpty()) {
      return List.of();
    }
    List<ContentKey> carried = carried(asked.subject());
    if (carried.isEmpty()) {
      return List.of();
    }
    Facts mail = Facts.of(new Content(carried));
    Facts keys = mail.withDns(context.dns().about(mail).listings());
    Grounds grounds =
        Gather.verdict(keys, context.lists(), context.policy(), context.now()).grounds();
    List<String> notes = new ArrayList<>();
    grounds.standing().stream()
        .filter(ground -> !(ground instanceof Ground.RuleMet) && !isAmong(shown, ground))
        .map(ground -> where(ground.check()) + ": " + GroundText.of(ground))
        .forEach(notes::add);
    boolean ofLinks =
        grounds.standing().stream()
            .anyMatch(ground -> ground.check() == Check.URL || ground.check() == Check.URL_HOST);
    if (!ofLinks
        && asked.subject() instanceof DomainName name
        && DomainName.parse(name.toString()) instanceof Parsed.Ok
        && hasUrls(context)) {
      notes.add(
          "no entries of single pages there were looked for; for these ask with the URL:"
              + " `bloomgate explain http://"
              + name
              + "/PATH`");
    }
    return notes;
  }

  /** A view of the entries that does not know says that they need all checks. */
  private static boolean hasUrls(Explainer.Context context) {
    Set<Check> ofEntries = context.lists().operator().contentChecks(context.now());
    return context.policy().asked().contentChecks().contains(Check.URL)
        || (ofEntries.contains(Check.URL) && !ofEntries.equals(Check.OF_CONTENT));
  }

  private static boolean isAmong(Grounds shown, Ground ground) {
    return ground instanceof Ground.Found exact
        && shown.standing().stream()
            .anyMatch(other ->
                other instanceof Ground.Found known
                    && known.source().equals(exact.source())
                    && known.entry().equals(exact.entry()));
  }

  private static List<ContentKey> carried(@Nullable Subject subject) {
    List<ContentKey> keys = new ArrayList<>();
    switch (subject) {
      case DomainName name -> {
        link(name.toString(), keys);
        add(Check.FROM_DOMAIN, name.toString(), keys);
        add(Check.REPLY_TO_DOMAIN, name.toString(), keys);
      }
      case IpPrefix network -> {
        if (network.isHost()) {
          String address = network.network().toString();
          link(network.isV4() ? address : "[" + address + "]", keys);
        }
      }
      case MailAddress address -> {
        add(Check.FROM, address.toString(), keys);
        if (address.host() instanceof MailAddress.Host.Name(DomainName domain)) {
          add(Check.FROM_DOMAIN, domain.toString(), keys);
        }
      }
      case NamePattern _, WebUrl _, Fingerprint _, Likeness _, AsNumber _ -> {}
      case null -> {}
    }
    return keys;
  }

  private static void link(String host, List<ContentKey> keys) {
    add(Check.URL, "http://" + host + "/", keys);
    add(Check.URL_HOST, "http://" + host + "/", keys);
  }

  private static void add(Check check, String text, List<ContentKey> keys) {
    ContentKey.parse(check, text, ContentKey.Place.OPEN).ifPresent(keys::add);
  }

  private static String where(Check check) {
    return switch (check) {
      case URL, URL_HOST -> "a link to it in a mail";
      case FROM, FROM_DOMAIN -> "in the field From of a mail";
      case REPLY_TO_DOMAIN -> "in the field Reply-To of a mail";
      case CLIENT_IP, CLIENT_NAME, HELO, SENDER, SENDER_DOMAIN, ASN, ATTACHMENT, SUBJECT, BODY ->
          "in a mail";
    };
  }

  /**
   * The sentences; none for a subject that lists are asked about.
   *
   * @param grounds what lists say of the subject
   */
  static List<String> unlisted(
      @Nullable Subject subject, Grounds grounds, Explainer.Context context) {
    if (subject == null) {
      return List.of();
    }
    Optional<IpPrefix> exempt = within(subject, context.policy().exemptNetworks());
    if (exempt.isPresent()) {
      return List.of(
          "the client is exempt: %s is in policy.exempt_networks, so nothing refuses its mail"
              .formatted(exempt.get()));
    }
    List<String> notes = new ArrayList<>();
    within(subject, context.policy().forwarders())
        .ifPresent(network ->
            notes.add(
                ("the client is a trusted forwarder: %s is in policy.forwarders, so that its mail"
                        + " is judged by the client in its Received field, and tagged at most")
                    .formatted(network)));
    int forwarder = notes.size();
    for (ListKey key : subject.keys()) {
      for (Listing listing : listings(key, context)) {
        Policy.FeedRule rule = context.policy().feeds().get(listing.feed());
        if (rule != null && !isHeard(rule, subject) && !isAmong(grounds, listing)) {
          notes.add(unasked(listing, rule));
        }
      }
    }
    if (notes.size() == forwarder && grounds.standing().isEmpty() && grounds.pardoned().isEmpty()) {
      held(subject, context).forEach(why -> notes.add("no list can name it: " + why));
    }
    return notes;
  }

  /**
   * A sentence for each entry of a list that is not asked.
   *
   * @param past true in an answer about the past
   */
  static List<String> switchedOff(
      Question.Resolved asked, Explainer.Context context, boolean past) {
    Set<ListKey> keys = new LinkedHashSet<>();
    asked.keys().forEachKey((_, key) -> keys.add(key));
    Subject subject = asked.subject();
    keys.addAll(subject == null ? List.of() : subject.keys());
    asked.keys().content().keys().forEach(carried -> keys.add(carried.key()));
    return keys.stream()
        .flatMap(key -> listings(key, context).stream())
        .filter(listing -> !context.policy().feeds().containsKey(listing.feed()))
        .map(listing ->
            (past ? Explanation.WAS_OFF : IS_OFF).formatted(listing.feed(), listing.entry().text()))
        .distinct()
        .toList();
  }

  /** The network that holds all of these clients. */
  private static Optional<IpPrefix> within(Subject subject, List<IpPrefix> networks) {
    return subject instanceof IpPrefix client
        ? networks.stream()
            .filter(network -> network.length() <= client.length() && network.overlaps(client))
            .findFirst()
        : Optional.empty();
  }

  private static List<Listing> listings(ListKey key, Explainer.Context context) {
    try {
      return context.lists().snapshot().ask(key) instanceof ListAnswer.Listed(var _, var listings)
          ? listings
          : List.of();
    } catch (RuntimeException | InternalError e) {
      return List.of(); // the verdict reports the failure
    }
  }

  private static boolean isHeard(Policy.FeedRule rule, Subject subject) {
    Set<Check> asked =
        switch (subject) {
          case IpPrefix _ -> EnumSet.of(Check.CLIENT_IP, Check.HELO);
          default -> EnumSet.of(Check.HELO, Check.SENDER, Check.SENDER_DOMAIN);
        };
    asked.addAll(NOTED);
    return rule.checks().stream().anyMatch(asked::contains);
  }

  private static boolean isAmong(Grounds grounds, Listing listing) {
    return Stream.concat(
            grounds.standing().stream(), grounds.pardoned().stream().map(Pardoned::ground))
        .anyMatch(
            ground -> ground instanceof Ground.OfList list && list.source().equals(listing.feed()));
  }

  private static String unasked(Listing listing, Policy.FeedRule rule) {
    String checks =
        new TreeSet<>(rule.checks()).stream().map(Check::key).collect(Collectors.joining(", "));
    return "%s lists %s in line %d, but is asked for %s only; its setting `checks` says so"
        .formatted(listing.feed(), listing.entry().text(), listing.entry().line(), checks);
  }

  private static List<String> held(Subject subject, Explainer.Context context) {
    ListEntry entry =
        switch (subject) {
          case IpPrefix prefix when prefix.isHost() -> new ListEntry.Network(prefix, false, 0);
          case DomainName name -> new ListEntry.Domain(name, NameMatch.EXACT, false, 0);
          default -> null;
        };
    if (entry == null) {
      return List.of();
    }
    List<String> why =
        context.policy().protectedSets().stream()
            .filter(set -> set.protects(entry))
            .map(ProtectedSet::reason)
            .distinct()
            .toList();
    return why.isEmpty()
            && entry instanceof ListEntry.Network(IpPrefix prefix, var _, var _)
            && ReservedNetworks.overlap(prefix)
        ? List.of("reserved network; a list with `allow_bogons: true` can")
        : why;
  }
}
