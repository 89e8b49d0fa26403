package io.bloomgate.gateway.report;

import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.blocklists.sessions.SessionSearch.Count;
import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.gateway.report.GatewayReport.GoodSender;
import io.bloomgate.gateway.report.GatewayReport.Refusals;
import io.bloomgate.gateway.report.GatewayReport.ReportTime;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Counts the sessions that a list named: what was refused, and what was accepted in spite of it.
 * Filled once by {@link Reports}, from one scan of the store; one thread.
 */
final class ReportScan {

  /** Lists with a name of their own in a report; the others are one row. */
  static final int MAX_LISTS = 6;

  static final String OTHER_LISTS = "other lists";

  /** Rows of a table at most. */
  static final int MAX_ROWS = 10;

  static final int MAX_GOOD_SENDERS = 20;

  /** An accepted sender with one list. */
  private record Hit(String domain, String network, String list, String what) {

    /** The domain; where none is known, the network tells senders apart. */
    String sender() {
      return domain.equals(NO_SENDER) || domain.equals(HIDDEN) ? domain + network : domain;
    }
  }

  private static final String NO_SENDER = "<>";
  private static final String HIDDEN = "*";

  /** The listing did not count. */
  static final String PARDONED = "pardoned";

  private final ReportTime time;
  private final Privacy privacy;
  private final Map<String, long[]> byList = new HashMap<>();
  private final Map<String, Long> letThrough = new HashMap<>();
  private final TopCounts<String> networks = new TopCounts<>();
  private final TopCounts<String> domains = new TopCounts<>();
  private final TopCounts<String> goodSenders = new TopCounts<>();
  private final TopCounts<Hit> hits = new TopCounts<>();

  /**
   * Nothing is counted yet.
   *
   * @param privacy of now: rows of before may say more
   */
  ReportScan(ReportTime time, Privacy privacy) {
    this.time = time;
    this.privacy = privacy;
  }

  void add(Evidence session) {
    Evidence.Decision decision = session.decision();
    boolean accepted =
        !session.isForTrap()
            && (decision.outcome() == Outcome.DELIVERED || decision.outcome() == Outcome.UNKNOWN);
    boolean would = decision.mode() == Mode.OBSERVE && Verdict.refuses(decision.verdict());
    String network = ClientNetwork.site(session.client()).toString();
    if (decision.outcome() == Outcome.REFUSED || would) {
      refused(session, network, decision.deciding(), decision.outcome() != Outcome.REFUSED);
    } else if (session.refusedToo()) {
      // The answer on the message has the listing that an exempt recipient does not see.
      refused(
          session,
          network,
          decision.listings().stream().filter(Evidence.Listing::waived).findFirst(),
          false);
    }
    if (accepted) {
      List<Hit> found =
          decision.listings().stream()
              .filter(listing -> listing.action() != Action.TRUST && !listing.waived())
              .map(listing ->
                  new Hit(
                      domain(session),
                      network,
                      listing.list(),
                      what(listing, decision.mode() == Mode.OBSERVE)))
              .distinct()
              .toList();
      found.forEach(hit -> hits.add(hit, session.times()));
      found.stream()
          .map(Hit::sender)
          .distinct()
          .forEach(sender -> goodSenders.add(sender, session.times()));
    }
  }

  private void refused(
      Evidence session, String network, Optional<Evidence.Listing> by, boolean observed) {
    String list = by.map(Evidence.Listing::list).orElse("");
    if (list.isEmpty()) {
      return; // a listing that failed to be read: no list refused it
    }
    long[] periods = byList.computeIfAbsent(list, _ -> new long[time.periods().size()]);
    periods[time.period(session.at())] += session.times();
    if (observed) {
      letThrough.merge(list, (long) session.times(), Long::sum);
    }
    networks.add(network, session.times());
    if (session.from() != null) {
      domains.add(domain(session), session.times());
    }
  }

  private String domain(Evidence session) {
    String from = session.from();
    if (from == null || from.isEmpty()) {
      return NO_SENDER;
    }
    String domain = session.senderDomain();
    return domain.isEmpty() || privacy == Privacy.NO_ADDRESSES ? HIDDEN : domain;
  }

  private static String what(Evidence.Listing listing, boolean observes) {
    if (!listing.counted()) {
      return PARDONED;
    }
    return switch (listing.action()) {
      case OBSERVE -> "observed";
      case TAG -> observes ? "would be tagged" : "tagged";
      case GREYLIST, TEMPFAIL, REJECT -> observes ? "would be refused" : "let through";
      case TRUST -> "trusted";
    };
  }

  /** The refusals by list, the most first; lists beyond {@link #MAX_LISTS} together. */
  List<Refusals> refusals() {
    List<Refusals> all =
        byList.entrySet().stream()
            .map(each ->
                refusals(
                    each.getKey(), each.getValue(), letThrough.getOrDefault(each.getKey(), 0L)))
            .sorted(
                Comparator.comparingLong((Refusals each) -> -each.sessions())
                    .thenComparing(Refusals::list))
            .toList();
    if (all.size() <= MAX_LISTS + 1) {
      return all;
    }
    long[] rest = new long[time.periods().size()];
    List<Refusals> others = all.subList(MAX_LISTS, all.size());
    for (Refusals each : others) {
      Arrays.setAll(rest, i -> rest[i] + each.byPeriod().get(i));
    }
    long observed = others.stream().mapToLong(Refusals::letThrough).sum();
    return Stream.concat(
            all.stream().limit(MAX_LISTS), Stream.of(refusals(OTHER_LISTS, rest, observed)))
        .toList();
  }

  private static Refusals refusals(String list, long[] byPeriod, long letThrough) {
    long sessions = Arrays.stream(byPeriod).sum();
    return new Refusals(list, sessions, letThrough, Arrays.stream(byPeriod).boxed().toList());
  }

  List<Count> networks() {
    return counts(networks);
  }

  List<Count> domains() {
    return counts(domains);
  }

  private static List<Count> counts(TopCounts<String> counted) {
    return counted.top(MAX_ROWS).stream()
        .map(each -> new Count(each.what(), each.times()))
        .toList();
  }

  /** One row a sender, those of the most sessions first. */
  List<GoodSender> goodSenders() {
    Map<String, List<Hit>> bySender =
        hits.top(Integer.MAX_VALUE).stream()
            .map(TopCounts.Counted::what)
            .collect(Collectors.groupingBy(Hit::sender));
    return goodSenders.top(MAX_GOOD_SENDERS).stream()
        .filter(each -> bySender.containsKey(each.what()))
        .map(each -> goodSender(bySender.getOrDefault(each.what(), List.of()), each.times()))
        .toList();
  }

  private static GoodSender goodSender(List<Hit> hits, long sessions) {
    Hit most = hits.getFirst();
    Map<String, String> whats = new LinkedHashMap<>();
    hits.forEach(hit -> whats.putIfAbsent(hit.list(), hit.what()));
    return new GoodSender(
        most.domain(),
        most.network(),
        String.join(", ", whats.keySet()),
        whats.values().stream().distinct().collect(Collectors.joining(", ")),
        sessions,
        hits.stream().map(Hit::network).distinct().count());
  }

  /**
   * Counts things of which there may be millions, in bounded memory: when there are too many, those
   * that were seen least are forgotten. So a thing that is seen often enough to be among the first
   * is counted well, and rare ones are not. One thread.
   */
  static final class TopCounts<K> {

    /** Things that are kept when there are too many; twice as many are too many. */
    private static final int KEPT = 20_000;

    /** A thing and how often it was seen. */
    record Counted<K>(K what, long times) {}

    private final int kept;
    private final Map<K, Long> counts = new HashMap<>();

    TopCounts() {
      this(KEPT);
    }

    /** Makes it with another bound. */
    TopCounts(int kept) {
      this.kept = kept;
    }

    void add(K what, long times) {
      counts.merge(what, times, Long::sum);
      if (counts.size() > 2 * kept) {
        List<Counted<K>> most = top(kept);
        counts.clear();
        most.forEach(each -> counts.put(each.what, each.times));
      }
    }

    /** The most frequent ones; equal ones by their text, so that two runs answer the same. */
    List<Counted<K>> top(int limit) {
      return counts.entrySet().stream()
          .map(each -> new Counted<>(each.getKey(), each.getValue()))
          .sorted(
              Comparator.<Counted<K>>comparingLong(each -> -each.times)
                  .thenComparing(each -> String.valueOf(each.what)))
          .limit(limit)
          .toList();
    }
  }
}
