package io.bloomgate.blocklists.sessions;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.decision.ClientName;
import io.bloomgate.blocklists.decision.Content;
import io.bloomgate.blocklists.decision.DnsListing;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Ground.Weakness;
import io.bloomgate.blocklists.decision.HeloKeys;
import io.bloomgate.blocklists.decision.Seen;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.impact.PastSession;
import io.bloomgate.blocklists.impact.PastSession.Missing;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.settings.Action;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes of a kept session one that can be decided on again, from the keys that were kept: lists are
 * asked about them again, also about what of the content was listed. What DNS lists said is taken
 * as it was. Pure; called by the readers of many sessions, and for an incident.
 */
public final class PastMail {

  /** Text between the answer of a DNS list and its zone, in an entry. */
  private static final String OF_ZONE = " from ";

  private PastMail() {}

  static PastSession of(Evidence session) {
    Evidence.Decision decision = session.decision();
    List<Evidence.Listing> listings = decision.listings();
    Facts facts = facts(session);
    Set<Missing> missing = session.missing();
    boolean spared = false;
    List<String> lists = List.of();
    if (!listings.isEmpty()) {
      lists =
          listings.stream()
              .filter(each -> each.counted() && each.action().refuses())
              .map(Evidence.Listing::list)
              .toList();
      spared = listings.stream().anyMatch(each -> each.waived() && each.action().refuses());
      facts = listed(facts, listings);
      boolean byContent =
          decision.deciding().filter(each -> Check.OF_CONTENT.contains(each.check())).isPresent();
      if (byContent && !facts.content().isSeen()) {
        missing = EnumSet.of(Missing.CONTENT);
        missing.addAll(session.missing());
      }
    }
    return new PastSession(
        session.at(),
        decision.id(),
        facts,
        missing,
        session.isForTrap() ? PastSession.Outcome.OTHER : outcome(decision),
        spared || Verdict.refuses(decision.verdict()),
        lists,
        session.more().known(),
        session.times());
  }

  private static PastSession.Outcome outcome(Evidence.Decision decision) {
    return switch (decision.outcome()) {
      case DELIVERED -> PastSession.Outcome.ACCEPTED;
      case REFUSED ->
          decision.verdict().equals("reject")
              ? PastSession.Outcome.REFUSED
              : PastSession.Outcome.PUT_OFF;
      default -> PastSession.Outcome.OTHER;
    };
  }

  /** The envelope alone; the name of the client, and when it spoke, are of that moment. */
  public static Facts envelope(Evidence session) {
    Facts kept = facts(session);
    Seen then = kept.seen();
    return kept.withSeen(
        new Seen(ClientName.UNKNOWN, then.heloAddress(), null, false, then.forwarder()));
  }

  private static Facts facts(Evidence session) {
    Set<Missing> missing = session.missing();
    ClientName name = session.name();
    String helo = missing.contains(Missing.HELO) ? "" : session.helo();
    IpAddress heloAddress = HeloKeys.address(helo).orElse(null);
    MailAddress address = address(session);
    String to = session.decision().to();
    Facts facts =
        new Facts(
            IpPrefix.host(session.client()),
            helo.isEmpty() ? null : HeloKeys.parse(helo).orElse(null),
            address == null ? List.of() : address.askedForms(),
            senderDomain(session, address),
            to.isEmpty() || missing.contains(Missing.RECIPIENT)
                ? null
                : new Facts.Recipient(
                    SessionText.recipientLocalPart(to), SessionText.domain(to), true),
            List.of(),
            heloAddress != null
                    || session.more().early()
                    || name.state() != ClientName.State.UNKNOWN
                ? new Seen(name, heloAddress, null, session.more().early())
                : Seen.NOTHING,
            Content.NONE);
    return session.isForwarded()
        ? facts
            .withSeen(facts.seen().withForwarder(session.client()))
            .forwardedFor(session.judged())
        : facts;
  }

  /** {@code null} for no sender, for {@code <>}, and for what cannot be read as an address. */
  private static @Nullable MailAddress address(Evidence session) {
    String from = session.from();
    return from == null || from.isEmpty() || session.missing().contains(Missing.SENDER)
        ? null
        : MailAddress.orNull(from);
  }

  /** Returns the domain as a session does: of a name that is none, what can be read. */
  private static @Nullable DomainName senderDomain(
      Evidence session, @Nullable MailAddress address) {
    if (address != null) {
      return Facts.domainOf(address);
    }
    String domain = session.missing().contains(Missing.SENDER_DOMAIN) ? "" : session.senderDomain();
    return domain.isEmpty() ? null : DomainName.asked(domain).orElse(null);
  }

  /** Adds what lists said: keys of the content to ask again, and answers of DNS lists. */
  private static Facts listed(Facts facts, List<Evidence.Listing> listings) {
    List<DnsListing> dns = new ArrayList<>();
    List<ContentKey> keys = new ArrayList<>();
    List<Content.Shown> signs = new ArrayList<>();
    for (Evidence.Listing listing : listings) {
      Optional<Content.Shown> sign = listing.shown();
      if (sign.isPresent()) {
        signs.add(sign.get());
      } else if (Check.OF_CONTENT.contains(listing.check())) {
        // A long URL is kept in part, and the entry that lists it in more of it.
        Optional<ContentKey> carried = listing.carried().or(() -> listing.ofEntry().carried());
        carried.ifPresent(keys::add);
        carried
            .flatMap(key -> dns(listing, key.key()).map(answer -> answer.at(key.place())))
            .ifPresent(dns::add);
      } else if (listing.line() == 0) {
        dns(listing, subject(listing.check(), facts)).ifPresent(dns::add);
      }
    }
    Facts answered = dns.isEmpty() ? facts : facts.withDns(dns);
    if (keys.isEmpty() && signs.isEmpty()) {
      return answered;
    }
    boolean exemptAmong =
        listings.stream().anyMatch(listing -> listing.weakness() == Weakness.EXEMPT);
    Content carried = new Content(keys, Action.REJECT, null, signs);
    return answered.withContent(exemptAmong ? carried.atMost(Action.TAG) : carried);
  }

  /** The answer of a DNS list, whose entry is its address and its zone. */
  private static Optional<DnsListing> dns(Evidence.Listing listing, @Nullable ListKey subject) {
    String entry = listing.entry();
    int zone = entry.indexOf(OF_ZONE);
    if (!entry.startsWith("127.") || zone < 0 || subject == null) {
      return Optional.empty();
    }
    return IpAddress.parse(entry.substring(0, zone))
        .toOptional()
        .map(answer ->
            new DnsListing(
                listing.list(),
                listing.check(),
                subject,
                entry.substring(zone + OF_ZONE.length()),
                answer,
                Duration.ZERO,
                Instant.EPOCH));
  }

  private static @Nullable ListKey subject(Check check, Facts facts) {
    return switch (check) {
      case CLIENT_IP -> facts.client();
      case CLIENT_NAME -> facts.seen().name().key();
      case HELO -> facts.helo();
      case SENDER -> facts.sender().isEmpty() ? null : facts.sender().getFirst();
      case SENDER_DOMAIN -> facts.senderDomain();
      default -> null;
    };
  }
}
