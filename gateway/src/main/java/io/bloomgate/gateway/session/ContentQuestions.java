package io.bloomgate.gateway.session;

import static java.util.Comparator.comparing;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.decision.DnsListing;
import io.bloomgate.blocklists.url.SharedHosts;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.ListKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Holds the questions to DNS lists about what one mail carries: a bounded number of names, each
 * asked once, all before one answer is awaited. Made by {@link ContentStage} for a mail and used by
 * its session's thread; {@code explain} makes one for each question.
 *
 * <p>Of more names than may be asked, a spammer must not know which ones are, and other names must
 * not push his own out: what is the sender's own comes before what is quoted, the first host of
 * each registered name before the second one of any, and the rest is ordered by a secret number.
 */
public final class ContentQuestions {

  /** Names, addresses and files of one mail that DNS lists are asked about. */
  public static final int MAX_NAMES = 20;

  /** Names that are looked at to find these: some are protected, or allowed. */
  private static final int MAX_CONSIDERED = 10 * MAX_NAMES;

  /** An odd number with as many ones as zeros: its products are spread over all bits. */
  private static final long SPREAD = 0x9e3779b97f4a7c15L;

  private final DnsLists lists;
  private final IpAddress client;
  private final long seed;
  private final Set<ListKey> chosen = new LinkedHashSet<>();
  private final Map<Question, DnsLists.Pending> pending = new LinkedHashMap<>();
  private int left;

  private record Question(Check check, ListKey key) {}

  private record Named(String list, Check check, ListKey subject) {}

  /**
   * Nothing is asked yet.
   *
   * @param client on whose behalf
   * @param seed secret
   */
  public ContentQuestions(DnsLists lists, IpAddress client, long seed) {
    this.lists = lists;
    this.client = client;
    this.seed = seed;
  }

  /**
   * The listings of these keys; waits for the answers. Called again when more keys are known, it
   * asks about what is new.
   *
   * @param most names that may have been asked about by the end of this call
   * @param mayCount true for a key whose listing could change the verdict
   */
  public List<DnsListing> answers(List<ContentKey> keys, int most, Predicate<ContentKey> mayCount) {
    List<ContentKey> ordered = ordered(keys);
    choose(ordered, most, mayCount);
    List<ContentKey> asked = ordered.stream().filter(key -> chosen.contains(key.key())).toList();
    asked.forEach(key ->
        pending.computeIfAbsent(
            new Question(key.check(), key.key()),
            question -> lists.ask(question.check(), question.key(), client)));
    List<DnsListing> found = new ArrayList<>();
    Set<Named> named = new HashSet<>();
    for (ContentKey key : asked) {
      DnsLists.Pending answers = pending.get(new Question(key.check(), key.key()));
      for (DnsListing listing : answers == null ? List.<DnsListing>of() : answers.await()) {
        // Of two hosts with one registered name the first is the sender's own, if any is.
        if (named.add(new Named(listing.list(), listing.check(), listing.subject()))) {
          found.add(listing.at(key.place()));
        }
      }
    }
    return found;
  }

  /** Names about which lists would have been asked, had there not been too many. */
  int left() {
    return left;
  }

  private List<ContentKey> ordered(List<ContentKey> keys) {
    List<ContentKey> wanted =
        keys.stream()
            .filter(key -> lists.checks().contains(key.check()))
            .filter(key -> lists.asks(key.check(), key.key()))
            .sorted(comparing(ContentKey::place).thenComparingLong(key -> spread(key.key())))
            .toList();
    Map<ListKey, Set<ListKey>> hostsByName = new HashMap<>();
    Map<ListKey, Integer> rounds = new HashMap<>();
    for (ContentKey key : wanted) {
      Set<ListKey> hosts = hostsByName.computeIfAbsent(name(key.key()), _ -> new HashSet<>());
      if (hosts.add(key.key())) {
        rounds.put(key.key(), hosts.size());
      }
    }
    return wanted.stream()
        .sorted(
            comparing(ContentKey::place).thenComparingInt(key -> rounds.getOrDefault(key.key(), 0)))
        .toList();
  }

  private static ListKey name(ListKey key) {
    return key instanceof DomainName host && !SharedHosts.isShared(host)
        ? SharedHosts.registered(host)
        : key;
  }

  private long spread(ListKey key) {
    return (key.hashCode() ^ seed) * SPREAD;
  }

  private void choose(List<ContentKey> ordered, int most, Predicate<ContentKey> mayCount) {
    Set<ListKey> considered = new HashSet<>();
    left = 0;
    for (ContentKey key : ordered) {
      if (chosen.contains(key.key()) || !considered.add(key.key())) {
        continue;
      }
      if (chosen.size() >= most || considered.size() > MAX_CONSIDERED) {
        left++;
      } else if (mayCount.test(key)) {
        chosen.add(key.key());
      }
    }
  }
}
