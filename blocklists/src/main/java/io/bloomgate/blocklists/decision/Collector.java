package io.bloomgate.blocklists.decision;

import io.bloomgate.blocklists.decision.Evidence.FilterHit;
import io.bloomgate.blocklists.decision.Ground.Weakness;
import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.generation.KeyBatch;
import io.bloomgate.blocklists.generation.ListAnswer;
import io.bloomgate.blocklists.index.Listing;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Check;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * First step of a decision: asks the snapshot for every key of the session and notes what the feeds
 * say, with the action that age leaves of it. Pure but for {@link Findings}.
 *
 * <p>A HELO literal is asked as an address; feeds without {@code helo} among their checks ignore
 * it. An entry of a feed that the policy does not know (removed, disabled) says nothing.
 */
final class Collector {

  private final Lists lists;
  private final Policy policy;
  private final Instant now;
  private final Findings findings;

  Collector(Lists lists, Policy policy, Instant now, Findings findings) {
    this.lists = lists;
    this.policy = policy;
    this.now = now;
    this.findings = findings;
  }

  /**
   * Asks for all keys of the session: the filters for all of them at once, the exact indexes for
   * those that hit.
   *
   * @param batch for the keys; what it holds is overwritten
   */
  void collect(SessionKeys keys, KeyBatch batch) {
    collectListed(keys, batch);
    collectContent(keys.content(), batch);
    for (DnsListing listing : keys.dns()) {
      note(listing);
    }
    policy.signs().collect(keys, findings);
  }

  /** A list that was switched off since it was asked is not in the policy, and does not count. */
  private void note(DnsListing listing) {
    Policy.FeedRule rule = policy.feeds().get(listing.list());
    if (rule != null && rule.checks().contains(listing.check())) {
      findings.add(new Ground.ByDns(listing, rule.action()));
    }
  }

  private void collectListed(SessionKeys keys, KeyBatch batch) {
    DomainName clientName = keys.seen().name().key();
    keys.fill(batch);
    long hits = mayList(batch);
    if (hits == 0) {
      return;
    }
    int senders = keys.sender().size();
    int next = 0;
    if (keys.client() != null) {
      confirm(Check.CLIENT_IP, batch, next++, hits, keys.client());
    }
    if (clientName != null) {
      confirm(Check.CLIENT_NAME, batch, next++, hits, null);
    }
    if (keys.helo() != null) {
      confirm(Check.HELO, batch, next++, hits, null);
    }
    for (int i = 0; i < senders; i++) {
      confirm(Check.SENDER, batch, next++, hits, null);
    }
    if (keys.senderDomain() != null) {
      confirm(Check.SENDER_DOMAIN, batch, next, hits, null);
    }
  }

  /** As many keys at once as a batch takes. */
  private void collectContent(Content content, KeyBatch batch) {
    for (Content.Found one : content.found()) {
      note(one, weakness(content, one.key()));
    }
    List<ContentKey> keys = content.keys();
    for (int first = 0; first < keys.size(); first += KeyBatch.MAX_KEYS) {
      List<ContentKey> some = keys.subList(first, Math.min(keys.size(), first + KeyBatch.MAX_KEYS));
      batch.clear();
      for (ContentKey one : some) {
        batch.add(one.key());
      }
      long hits = mayList(batch);
      for (int i = 0; hits != 0 && i < some.size(); i++) {
        if ((hits >>> i & 1) != 0) {
          ContentKey one = some.get(i);
          confirm(one.check(), one.key(), null, weakness(content, one));
        }
      }
    }
  }

  /** Of the settings the actions of now count; nobody is asked to come again with the content. */
  private void note(Content.Found one, Weakness weakness) {
    ContentKey key = one.key();
    Policy.FeedRule rule = policy.feeds().get(one.list());
    if (rule != null && rule.checks().contains(key.check()) && rule.action() != Action.GREYLIST) {
      findings.add(new Ground.Kept(one, weakened(rule.action(), weakness), weakness));
    }
  }

  /** Why a listing of such a key does no more than tag. */
  static Weakness weakness(Content content, ContentKey key) {
    Weakness ofPlace = key.place().weakness();
    return ofPlace == Weakness.NONE && content.exemptAmong() ? Weakness.EXEMPT : ofPlace;
  }

  /**
   * After a failure of the filters every key is asked by itself, and that question reports the
   * failure.
   */
  private long mayList(KeyBatch batch) {
    try {
      return lists.snapshot().mayList(batch);
    } catch (RuntimeException | InternalError e) {
      return -1L;
    }
  }

  private void confirm(
      Check check, KeyBatch batch, int number, long hits, @Nullable IpPrefix whole) {
    if ((hits >>> number & 1) != 0) {
      confirm(check, batch.key(number), whole, Weakness.NONE);
    }
  }

  private void confirm(Check check, ListKey key, @Nullable IpPrefix whole, Weakness ofPlace) {
    ListAnswer answer;
    try {
      answer = lists.snapshot().ask(key);
    } catch (RuntimeException | InternalError e) {
      // A mapped page that cannot be read is an InternalError (java.lang.foreign, memory segments).
      findings.add(new Ground.Failed(check, key, Faults.words(e)));
      return;
    }
    switch (answer) {
      case ListAnswer.NotListed ignored -> {}
      case ListAnswer.OutOfReach ignored -> {}
      case ListAnswer.FalsePositive(String filter) -> findings.add(new FilterHit(check, filter));
      case ListAnswer.Listed listed -> {
        for (Listing listing : listed.listings()) {
          note(check, key, listing, whole, ofPlace);
        }
      }
    }
  }

  private void note(
      Check check, ListKey key, Listing listing, @Nullable IpPrefix whole, Weakness ofPlace) {
    Policy.FeedRule rule = policy.feeds().get(listing.feed());
    if (rule != null && rule.checks().contains(check) && coversAll(listing.entry(), whole)) {
      Weakness ofAge = weakness(listing, rule);
      Weakness weakness = ofAge == Weakness.NONE ? ofPlace : ofAge;
      findings.add(
          new Ground.Listed(check, key, listing, weakened(rule.action(), weakness), weakness));
    }
  }

  private static boolean coversAll(ListEntry entry, @Nullable IpPrefix whole) {
    return whole == null
        || !(entry instanceof ListEntry.Network network)
        || network.prefix().length() <= whole.length();
  }

  /** Why a listing does not count in full: its age (contract, section 3, age). */
  private Weakness weakness(Listing listing, Policy.FeedRule rule) {
    Instant success = lists.lastSuccess().get(listing.feed());
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
      case STALE, SCHEMELESS, DEFANGED, NESTED, EXEMPT -> weaker(asked, Action.TAG);
      case EXPIRED -> Action.OBSERVE;
    };
  }

  private static Action weaker(Action a, Action b) {
    return a.compareTo(b) <= 0 ? a : b;
  }
}
