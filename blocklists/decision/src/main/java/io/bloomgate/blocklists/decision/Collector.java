package io.bloomgate.blocklists.decision;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.decision.Answers.ListedKey;
import io.bloomgate.blocklists.decision.Ground.Weakness;
import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.index.AsnAnswer;
import io.bloomgate.blocklists.index.Listing;
import io.bloomgate.blocklists.operator.OperatorEntry;
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
import io.bloomgate.config.name.WebUrl;
import io.bloomgate.config.settings.Action;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * First step of a decision: notes what feeds, DNS lists and signs say, with the action that age
 * leaves of it, and the operator's blocks. Pure but for {@link Findings}.
 *
 * <p>An entry of a feed that the policy does not know (removed, disabled) says nothing.
 */
final class Collector {

  private final Facts facts;
  private final Answers answers;
  private final Policy policy;
  private final Instant now;
  private final Findings findings;
  private final Whereabouts whereabouts;

  Collector(Facts facts, Answers answers, Policy policy, Instant now, Findings findings) {
    this.facts = facts;
    this.answers = answers;
    this.policy = policy;
    this.now = now;
    this.findings = findings;
    this.whereabouts = answers.asn().isEmpty() ? Whereabouts.UNKNOWN : whereabouts();
  }

  private Whereabouts whereabouts() {
    Map<AsnAnswer, Weakness> counting = new LinkedHashMap<>();
    for (AsnAnswer answer : answers.asn()) {
      Policy.FeedRule table = policy.feeds().get(answer.feed());
      Weakness ofAge = table == null ? Weakness.EXPIRED : weakness(answer.feed(), table);
      if (ofAge != Weakness.EXPIRED) {
        counting.put(answer, ofAge);
      }
    }
    return new Whereabouts(counting);
  }

  /** Returns whose network the client is in, by the tables that count. */
  Whereabouts whose() {
    return whereabouts;
  }

  /** Notes all of it. */
  void collect() {
    answers.failed().forEach(findings::add);
    answers.falsePositives().forEach(findings::add);
    for (ListedKey one : answers.listed()) {
      for (Listing listing : one.listings()) {
        note(one, listing);
      }
    }
    for (DnsListing listing : facts.dns()) {
      note(listing);
    }
    policy.signs().shownBy(facts).forEach(findings::add);
    if (!answers.blocks().isEmpty()) {
      noteBlocks();
    }
  }

  /** A list that was switched off since it was asked is not in the policy, and does not count. */
  private void note(DnsListing listing) {
    Policy.FeedRule rule = policy.feeds().get(listing.list());
    if (rule != null && rule.checks().contains(listing.check())) {
      Weakness ofPlace = weakness(listing.place());
      Weakness weakness =
          ofPlace == Weakness.NONE && listing.isIndirect(rule.checks())
              ? Weakness.INDIRECT
              : ofPlace;
      findings.add(new Ground.ByDns(listing, weakened(rule.action(), weakness), weakness));
    }
  }

  private void note(ListedKey one, Listing listing) {
    Policy.FeedRule rule = policy.feeds().get(listing.feed());
    IpPrefix whole = one.check() == Check.CLIENT_IP ? facts.network() : null;
    if (rule != null && rule.checks().contains(one.check()) && coversAll(listing.entry(), whole)) {
      Weakness ofAge = weakness(listing.feed(), rule);
      if (one.check() == Check.ASN) {
        Weakness ofTable = whereabouts.ofNumber(listing.entry().subject());
        ofAge = ofTable.compareTo(ofAge) > 0 ? ofTable : ofAge;
      }
      Weakness weakness = ofAge == Weakness.NONE ? weakness(one.place()) : ofAge;
      findings.add(
          new Ground.Listed(
              one.check(), one.key(), listing, weakened(rule.action(), weakness), weakness));
    }
  }

  /** The reason by the place of the key: what is not the sender's own does no more than tag. */
  private static Weakness weakness(ContentKey.Place place) {
    return switch (place) {
      case OPEN -> Weakness.NONE;
      case SCHEMELESS -> Weakness.SCHEMELESS;
      case NESTED -> Weakness.NESTED;
    };
  }

  private static boolean coversAll(ListEntry entry, @Nullable IpPrefix whole) {
    return whole == null
        || !(entry instanceof ListEntry.Network network)
        || network.prefix().length() <= whole.length();
  }

  /**
   * The reason why a listing does not count in full: its age (rules of decision in
   * gateway/README.md).
   */
  private Weakness weakness(String feed, Policy.FeedRule rule) {
    Instant success = answers.lastSuccess().get(feed);
    if (success == null) {
      return Weakness.NONE;
    }
    Duration age = Duration.between(success, now);
    if (isOlder(age, rule.expireAfter())) {
      return Weakness.EXPIRED;
    }
    return isOlder(age, rule.staleAfter()) ? Weakness.STALE : Weakness.NONE;
  }

  private static boolean isOlder(Duration age, @Nullable Duration bound) {
    return bound != null && age.compareTo(bound) > 0;
  }

  private static Action weakened(Action asked, Weakness weakness) {
    return switch (weakness) {
      case NONE -> asked;
      case STALE, SCHEMELESS, NESTED, INDIRECT, EXEMPT, PROFILE, FORWARDED ->
          asked.atMost(Action.TAG);
      case EXPIRED -> Action.OBSERVE;
    };
  }

  // ---- the operator

  /**
   * The operator's own blocks. Without a scope a network blocks connections, a domain the senders
   * at it and below, an address that sender; a scope names the check instead ({@code helo}: the
   * name or the literal of HELO; {@code url_host}, {@code from}: what the mail carries). A web
   * address or a fingerprint blocks mail that carries it. A name with the scope {@code client_name}
   * is compared with the confirmed name of the client alone. With {@code from} a block holds only
   * for clients inside.
   */
  private void noteBlocks() {
    facts.forEachKey((check, key) -> {
      if (check == Check.SENDER_DOMAIN) {
        note(Check.SENDER, key, false, Weakness.NONE);
      }
      boolean natural = check != Check.CLIENT_NAME && check != Check.HELO;
      note(check, key, natural, Weakness.NONE);
    });
    for (ContentKey one : facts.content().keys()) {
      // A host or an address in a mail is blocked by entries that say so.
      boolean ofContentOnly =
          switch (one.key()) {
            case WebUrl _, Fingerprint _, Likeness _, AsNumber _ -> true;
            case IpAddress _, DomainName _, MailAddress _ -> false;
          };
      note(one.check(), one.key(), ofContentOnly, weakness(one.place()));
    }
  }

  /**
   * Finds the blocks of a key that are meant for this check.
   *
   * @param natural an entry without a scope means it
   */
  private void note(Check check, ListKey key, boolean natural, Weakness weakness) {
    for (OperatorEntry block : answers.covering(ListKind.BLOCK, key)) {
      boolean meant = block.scope().isEmpty() ? natural : block.scope().contains(check);
      if (meant && block.holdsFor(check, key) && holdsFor(block, check)) {
        findings.add(new Ground.Blocked(check, key, block, weakness));
      }
    }
  }

  private boolean holdsFor(OperatorEntry block, Check check) {
    if (block.from() != null && !facts.clientWithin(block.from())) {
      return false;
    }
    return check != Check.CLIENT_IP
        || !(block.subject() instanceof IpPrefix prefix)
        || facts.clientWithin(prefix);
  }
}
