package io.bloomgate.blocklists.decision;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.decision.Answers.ListedKey;
import io.bloomgate.blocklists.decision.Grounds.FilterHit;
import io.bloomgate.blocklists.generation.FilterCounters;
import io.bloomgate.blocklists.generation.KeyBatch;
import io.bloomgate.blocklists.generation.ListAnswer;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.index.AsnAnswer;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.blocklists.operator.OperatorView;
import io.bloomgate.blocklists.url.SharedHosts;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.WebUrl;
import io.bloomgate.config.settings.Action;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Asks for everything that a decision needs: the snapshot about every key of the facts, then the
 * operator's block entries, and allow entries only when something was found. Sessions call it at
 * each stage and {@code explain} for each question, on their own threads; what DNS says is in the
 * facts already. Never throws: what cannot be read is in the {@link Answers}.
 *
 * <p>A HELO literal is asked as an address; feeds without {@code helo} among their checks ignore
 * it.
 */
public final class Gather {

  /**
   * The number of times that the operator's entries are read again because they changed meanwhile.
   */
  private static final int MAX_REPEATS = 3;

  private final Facts facts;
  private final ListSnapshot snapshot;
  private final FilterCounters filters;
  private final OperatorView operator;
  private final Instant now;

  private List<ListedKey> listed = List.of();
  private List<FilterHit> falsePositives = List.of();
  private List<Ground.Failed> failed = List.of();
  private Map<ListKey, List<OperatorEntry>> blocks = Map.of();
  private Map<ListKey, List<OperatorEntry>> allows = Map.of();
  private List<AsnAnswer> asn = List.of();
  private boolean known;
  private @Nullable String operatorFailure;

  private Gather(Facts facts, Lists lists, Instant now) {
    this.facts = facts;
    this.snapshot = lists.snapshot();
    this.filters = lists.filters();
    this.operator = lists.operator();
    this.now = now;
  }

  /**
   * Asks for everything that is known about these facts.
   *
   * @param now time of the decision, for entries that expire
   * @param batch the caller's own; what it holds is overwritten
   */
  public static Answers answers(
      Facts facts, Lists lists, Policy policy, Instant now, KeyBatch batch) {
    Gather gather = new Gather(facts, lists, now);
    gather.askLists(batch, policy.asked().asnLists());
    gather.askOperator(lists.known(), policy);
    if (policy.asked().asnRules() && gather.asn.isEmpty() && gather.anythingFound(policy)) {
      gather.askAsn();
    }
    return gather.answers(lists.lastSuccess());
  }

  /** Asks, then decides. */
  public static Verdict verdict(Facts facts, Lists lists, Policy policy, Instant now) {
    return verdict(facts, lists, policy, now, new KeyBatch());
  }

  /**
   * The same for callers that decide often.
   *
   * @param batch the caller's own; what it holds is overwritten
   */
  public static Verdict verdict(
      Facts facts, Lists lists, Policy policy, Instant now, KeyBatch batch) {
    return DecisionEngine.decide(facts, answers(facts, lists, policy, now, batch), policy, now);
  }

  /**
   * The allow entries about these facts alone.
   *
   * @throws RuntimeException when they cannot be read
   */
  public static Answers allows(Facts facts, OperatorView operator, Instant now) {
    Gather gather = new Gather(facts, new Lists(ListSnapshot.EMPTY, operator, Map.of()), now);
    List<ListKey> keys = gather.envelope();
    facts.content().keys().forEach(carried -> keys.add(carried.key()));
    gather.allows = gather.read(ListKind.ALLOW, keys);
    return gather.answers(Map.of());
  }

  /**
   * True when a listing of this key could change the verdict; otherwise no DNS list needs to be
   * asked about it: the client's network is exempt, the subject is protected, or an allow entry
   * lifts such a listing. Lists may be asked about the registered name of a host, so that counts
   * too.
   */
  public static boolean couldCount(
      Facts facts, Check check, ListKey subject, Lists lists, Policy policy, Instant now) {
    Ground assumed = assumed(facts, check, subject);
    boolean isOfHost = Check.OF_CONTENT.contains(check) && !SharedHosts.isShared(subject);
    ListKey name =
        isOfHost && subject instanceof DomainName host ? SharedHosts.registered(host) : subject;
    try {
      return !Protection.isExempt(facts, policy)
          && Protection.voids(assumed, facts, policy) == null
          && Protection.voids(assumed(facts, check, name), facts, policy) == null
          && AllowRules.of(facts, allows(facts, lists.operator(), now)).lifts(assumed) == null;
    } catch (RuntimeException | InternalError e) {
      // The decision meets the same failure, and on_error decides there.
      return false;
    }
  }

  /**
   * True when an entry of the operator may need the name of the client, which is looked up then.
   */
  public static boolean needsClientName(Facts facts, Lists lists, Policy policy, Instant now) {
    return lists.operator().needsClientName(now) && !Protection.isExempt(facts, policy);
  }

  private static Ground assumed(Facts facts, Check check, ListKey subject) {
    return new Ground.ByDns(
        new DnsListing("", check, subject, "", facts.client(), Duration.ZERO, Instant.EPOCH),
        Action.REJECT);
  }

  private Answers answers(Map<String, Instant> lastSuccess) {
    return new Answers(
        snapshot.generation(),
        listed,
        falsePositives,
        failed,
        lastSuccess,
        blocks,
        allows,
        asn,
        known,
        operatorFailure);
  }

  /**
   * The filters are asked about all keys at once, as many as a batch takes; the exact indexes about
   * those that hit.
   */
  private void askLists(KeyBatch batch, boolean asnLists) {
    facts.fill(batch);
    if (asnLists) {
      askAsn();
      asn.stream()
          .map(AsnAnswer::number)
          .filter(Objects::nonNull)
          .distinct()
          .forEach(number -> batch.add(Check.ASN, number));
    }
    confirm(batch, List.of());
    List<ContentKey> carried = facts.content().keys();
    for (int first = 0; first < carried.size(); first += KeyBatch.MAX_KEYS) {
      List<ContentKey> some =
          carried.subList(first, Math.min(carried.size(), first + KeyBatch.MAX_KEYS));
      batch.clear();
      for (ContentKey one : some) {
        batch.add(one.check(), one.key());
      }
      confirm(batch, some);
    }
  }

  /** Asks whose network all of the client is in. */
  private void askAsn() {
    IpPrefix network = facts.network();
    try {
      asn = network == null ? List.of() : snapshot.asn(network);
    } catch (RuntimeException | InternalError e) {
      failed = with(failed, new Ground.Failed(Check.ASN, facts.client(), Faults.words(e)));
    }
  }

  /**
   * Asks the exact indexes.
   *
   * @param carried the keys of the batch, where they are of the content
   */
  private void confirm(KeyBatch batch, List<ContentKey> carried) {
    long hits = mayList(batch);
    for (int i = 0; hits != 0 && i < batch.size(); i++) {
      if ((hits >>> i & 1) != 0) {
        ask(
            batch.check(i),
            batch.key(i),
            carried.isEmpty() ? ContentKey.Place.OPEN : carried.get(i).place());
      }
    }
  }

  /**
   * Asks the filters about all keys; after a failure every key is asked by itself, and that
   * question reports the failure.
   */
  private long mayList(KeyBatch batch) {
    try {
      return filters.mayList(snapshot, batch);
    } catch (RuntimeException | InternalError e) {
      return -1L;
    }
  }

  private void ask(Check check, ListKey key, ContentKey.Place place) {
    try {
      switch (filters.ask(snapshot, key)) {
        case ListAnswer.NotListed _, ListAnswer.OutOfReach _ -> {}
        case ListAnswer.FalsePositive(String filter) ->
            falsePositives = with(falsePositives, new FilterHit(check, filter));
        case ListAnswer.Listed answer ->
            // Whose network it is, is said of the client: by its address it is allowed or
            // protected.
            listed =
                with(
                    listed,
                    new ListedKey(
                        check,
                        check == Check.ASN ? facts.client() : key,
                        place,
                        answer.listings()));
      }
    } catch (RuntimeException | InternalError e) {
      // A mapped page that cannot be read is an InternalError (java.lang.foreign, memory segments).
      failed = with(failed, new Ground.Failed(check, key, Faults.words(e)));
    }
  }

  /** Most decisions find nothing, and make no list. */
  private static <T> List<T> with(List<T> list, T one) {
    List<T> longer = list.isEmpty() ? new ArrayList<>(4) : list;
    longer.add(one);
    return longer;
  }

  /** Block and allow entries are asked one after the other, and belong to one state of both. */
  private void askOperator(Lists.Known senders, Policy policy) {
    try {
      Object version = operator.version();
      readEntries(senders, policy);
      for (int i = 0; i < MAX_REPEATS && !version.equals(operator.version()); i++) {
        version = operator.version();
        readEntries(senders, policy);
      }
    } catch (RuntimeException | InternalError e) {
      operatorFailure = Faults.words(e);
    }
  }

  private void readEntries(Lists.Known senders, Policy policy) {
    List<ListKey> keys = envelope();
    facts.content().keys().forEach(carried -> keys.add(carried.key()));
    blocks = read(ListKind.BLOCK, keys);
    boolean found = anythingFound(policy);
    allows = found ? read(ListKind.ALLOW, foundKeys()) : Map.of();
    known =
        found
            && policy.asked().knownSenders()
            && facts.isOfHost()
            && senders.isKnown(facts.client(), facts.senderDomain());
  }

  private boolean anythingFound(Policy policy) {
    return !listed.isEmpty()
        || !blocks.isEmpty()
        || !facts.dns().isEmpty()
        || !policy.signs().shownBy(facts).isEmpty();
  }

  private List<ListKey> envelope() {
    List<ListKey> keys = new ArrayList<>();
    boolean named = operator.needsClientName(now);
    facts.forEachKey((check, key) -> {
      if (named || check != Check.CLIENT_NAME) {
        keys.add(key);
      }
    });
    IpAddress forwarder = facts.seen().forwarder();
    if (forwarder != null && facts.isBehindForwarder()) {
      keys.add(forwarder);
    }
    return keys;
  }

  /** The envelope, and what was found: the rest of the content needs no allow entry. */
  private List<ListKey> foundKeys() {
    List<ListKey> keys = envelope();
    listed.forEach(one -> keys.add(one.key()));
    for (Content.Shown sign : facts.content().signs()) {
      if (sign.subject() != null) {
        keys.add(sign.subject());
      }
    }
    facts.dns().forEach(one -> keys.add(one.subject()));
    keys.addAll(blocks.keySet());
    return keys;
  }

  /** Entries about the keys, and allow entries about the hosts of URLs too. */
  private Map<ListKey, List<OperatorEntry>> read(ListKind list, List<ListKey> keys) {
    Map<ListKey, List<OperatorEntry>> found = Map.of();
    for (ListKey key : keys) {
      found = read(list, key, found);
      if (list == ListKind.ALLOW && key instanceof WebUrl url) {
        found = read(list, url.host(), found);
      }
    }
    return found;
  }

  private Map<ListKey, List<OperatorEntry>> read(
      ListKind list, ListKey key, Map<ListKey, List<OperatorEntry>> found) {
    List<OperatorEntry> entries = operator.covering(list, key, now);
    if (entries.isEmpty()) {
      return found;
    }
    Map<ListKey, List<OperatorEntry>> more = found.isEmpty() ? new HashMap<>() : found;
    more.put(key, entries);
    return more;
  }
}
