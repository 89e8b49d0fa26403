package io.bloomgate.gateway.dns;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import com.google.common.base.Suppliers;
import io.bloomgate.blocklists.decision.DnsListing;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.explain.Explainer;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.settings.DnsList;
import io.bloomgate.config.settings.SecretFile;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.dns.KeptAnswers.Asked;
import io.bloomgate.gateway.session.ContentQuestions;
import io.bloomgate.gateway.session.DnsLists;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks DNS lists, keeps their answers for their time to live, and tests the lists. Made by the
 * composition root and kept over reloads; asked by sessions on their threads and by {@code
 * explain}, ticked by housekeeping. Thread-safe.
 */
public final class DnsListAnswers implements DnsLists {

  /**
   * The time that a question has in all; what comes after a decision's wait serves the next one.
   */
  static final Duration QUESTION_TIME = Duration.ofSeconds(10);

  /** About 10 MB when it is full; the oldest go. */
  static final int MAX_ANSWERS = 50_000;

  private static final Logger LOG = LoggerFactory.getLogger(DnsListAnswers.class);

  private static final DnsAnswer SILENT = new DnsAnswer.Silent(Duration.ZERO);

  private final Predicate<String> enabled;
  private final ThreadFactory threads;
  private final LongSupplier nanoTime;
  private final Resolvers resolvers;
  private final ZoneQuestions questions;
  private final ZoneTest zoneTest;
  private volatile List<InetSocketAddress> servers = List.of();
  private volatile Map<String, DnsZone> zones = Map.of();
  private volatile List<DnsList> lists = List.of();
  private volatile Set<Check> checks = Set.of();
  private volatile BiConsumer<String, String> counter = (list, result) -> {};

  private final KeptAnswers<Question, DnsAnswer> kept;

  private record Question(String zone, ListKey subject) {}

  /**
   * Nothing is asked yet.
   *
   * @param enabled true for the name of a list that the operator did not switch off
   * @param threads virtual ones
   * @param nanoTime a monotonic clock, nanoseconds
   */
  public DnsListAnswers(
      Predicate<String> enabled,
      ThreadFactory threads,
      InstantSource clock,
      LongSupplier nanoTime,
      RandomGenerator random) {
    this.enabled = enabled;
    this.threads = threads;
    this.nanoTime = nanoTime;
    this.resolvers =
        new Resolvers(
            () -> servers.isEmpty() ? Resolvers.ofSystem() : servers,
            QUESTION_TIME,
            task -> threads.newThread(task).start(),
            nanoTime);
    this.questions = new ZoneQuestions(resolvers, clock);
    this.zoneTest = new ZoneTest(questions, random);
    this.kept = new KeptAnswers<>(MAX_ANSWERS, nanoTime);
  }

  /**
   * Counts answers from now on.
   *
   * @param count takes the name of a source and the word for what it answered
   */
  public void countBy(BiConsumer<String, String> count) {
    counter = count;
  }

  /** The name servers of the settings; empty for those of the system. */
  public List<InetSocketAddress> servers() {
    return servers;
  }

  /**
   * Uses these settings from now on; zones that stay keep their answers and their state until their
   * next test, which is due at once.
   */
  public void configure(Settings settings) {
    servers = settings.dns().servers().stream().map(Resolvers::address).toList();
    resolvers.changed();
    List<DnsList> inOrder = List.copyOf(settings.feeds().dnsLists().values());
    Map<String, DnsZone> now = new LinkedHashMap<>();
    inOrder.stream()
        .collect(groupingBy(DnsListAnswers::zoneId, LinkedHashMap::new, toList()))
        .forEach((id, ofZone) -> now.put(id, zone(id, ofZone)));
    kept.forget(question -> !now.containsKey(question.zone()));
    zones = now;
    lists = inOrder;
    Set<Check> ofAll = EnumSet.noneOf(Check.class);
    inOrder.forEach(list -> ofAll.addAll(list.checks()));
    checks = Collections.unmodifiableSet(ofAll);
  }

  private DnsZone zone(String id, List<DnsList> ofZone) {
    DnsZone old = zones.get(id);
    ZoneHealth health = old == null ? new ZoneHealth(nanoTime.getAsLong()) : old.health();
    health.testSoon(nanoTime.getAsLong());
    return new DnsZone(
        ofZone, health, old == null ? new LookupPlaces(DnsZone.MAX_QUESTIONS) : old.places());
  }

  private static String zoneId(DnsList list) {
    return list.keyFile() == null ? list.zone() : list.zone() + " " + list.keyFile();
  }

  // ---- questions of sessions

  @Override
  public Set<Check> checks() {
    return checks;
  }

  @Override
  public boolean asks(Check check, ListKey key) {
    return lists.stream().anyMatch(list -> ZoneQuestions.asked(list, check, key) != null);
  }

  @Override
  public Pending ask(Check check, ListKey subject, IpAddress client) {
    List<Supplier<List<DnsListing>>> asked = new ArrayList<>();
    for (DnsList list : lists) {
      ListKey form = ZoneQuestions.asked(list, check, subject);
      One one = form == null ? null : ask(list, check, form, client);
      if (one != null) {
        asked.add(Suppliers.memoize(one::await)); // counted once, however many recipients ask
      }
    }
    return () -> asked.stream().flatMap(one -> one.get().stream()).toList();
  }

  /** The question to one list; {@code null} when it is not asked. */
  private @Nullable One ask(DnsList list, Check check, ListKey subject, IpAddress client) {
    DnsZone zone = zones.get(zoneId(list));
    if (zone == null || !zone.health().on() || !enabled.test(list.name())) {
      counter.accept(list.name(), "off");
      return null;
    }
    Asked<DnsAnswer> question =
        kept.ask(
            new Question(zoneId(list), subject),
            () -> zone.places().take(client) ? sent -> send(zone, subject, client, sent) : null);
    if (question == null) {
      counter.accept(list.name(), "no_place");
      return null;
    }
    return new One(this, list, zone, check, subject, client, question);
  }

  private void send(DnsZone zone, ListKey subject, IpAddress client, Asked<DnsAnswer> asked) {
    var _ =
        send(zone, subject)
            .whenComplete((answer, failure) -> {
              zone.places().giveBack(client);
              DnsAnswer given = answer == null ? SILENT : answer;
              if (!(given instanceof DnsAnswer.Silent)) {
                zone.health().heard();
              }
              asked.complete(given, given.keep());
            });
  }

  private CompletableFuture<DnsAnswer> send(DnsZone zone, ListKey subject) {
    try {
      return questions.ask(subject, zone.keyed(), zone.isSum());
    } catch (SecretFile.UnusableException e) {
      return CompletableFuture.completedFuture(
          new DnsAnswer.Refused(String.valueOf(e.getMessage()), Duration.ZERO));
    } catch (RuntimeException e) {
      return CompletableFuture.completedFuture(SILENT);
    }
  }

  /** The questions of one session to one list. */
  private record One(
      DnsListAnswers all,
      DnsList list,
      DnsZone zone,
      Check check,
      ListKey subject,
      IpAddress client,
      Asked<DnsAnswer> asked) {

    /** Waits for the answer, and reports it. */
    List<DnsListing> await() {
      Duration wait = zone.health().isAwaited() ? list.timeout() : Duration.ZERO;
      DnsAnswer answer = asked.await(wait, SILENT);
      Optional<IpAddress> listed =
          answer instanceof DnsAnswer.Codes codes ? codes.first(list) : Optional.empty();
      String result =
          switch (answer) {
            case DnsAnswer.Codes _ -> listed.isEmpty() ? "other_code" : "listed";
            case DnsAnswer.Absent _ -> "not_listed";
            case DnsAnswer.Refused _ -> "error";
            case DnsAnswer.Silent _ -> "no_answer";
          };
      report(result, answer);
      return answer instanceof DnsAnswer.Codes codes && listed.isPresent() && zone.health().on()
          ? List.of(
              new DnsListing(
                  list.name(), check, subject, list.zone(), listed.get(), codes.keep(), codes.at()))
          : List.of();
    }

    /** Counts; and what looks like trouble of the zone brings its test forward. */
    private void report(String result, DnsAnswer answer) {
      all.counter.accept(list.name(), result);
      ZoneHealth health = zone.health();
      long now = all.nanoTime.getAsLong();
      ListKey whom = check == Check.CLIENT_IP ? ClientNetwork.of(client) : subject;
      boolean testNow =
          switch (answer) {
            case DnsAnswer.Refused ignored -> health.refused(now);
            case DnsAnswer.Silent ignored -> health.silent(asked, now);
            // The whole zone's answer: lists of one zone must not hide each other's listings.
            case DnsAnswer.Codes ignored ->
                health.answered(whom, !zone.ofGoodSenders() && zone.lists(answer), now);
            case DnsAnswer.Absent ignored -> health.answered(whom, false, now);
          };
      if (testNow) {
        all.tick();
      }
    }
  }

  // ---- tests of the lists

  /** Called each second, and when a list is under suspicion: tests those for which it is time. */
  public void tick() {
    dueTests().forEach(test -> threads.newThread(test).start());
  }

  /** The tests for which it is time, each given out once; they block. */
  List<Runnable> dueTests() {
    return zones.values().stream()
        .filter(zone -> zone.health().takeTest(nanoTime.getAsLong()))
        .<Runnable>map(zone -> () -> test(zone))
        .toList();
  }

  /** Tests the list of this name and waits for the end; false where the settings have none. */
  public boolean test(String name) {
    Optional<DnsZone> zone =
        lists.stream()
            .filter(list -> list.name().equals(name))
            .flatMap(list -> Stream.ofNullable(zones.get(zoneId(list))))
            .findFirst();
    zone.ifPresent(this::test);
    return zone.isPresent();
  }

  private void test(DnsZone zone) {
    String problem;
    try {
      problem = zoneTest.problem(zone);
    } catch (SecretFile.UnusableException e) {
      problem = String.valueOf(e.getMessage());
    } catch (RuntimeException e) {
      LOG.warn("the DNS list {} was not tested", zone.name(), e);
      return;
    }
    if (zone.health().tested(problem, nanoTime.getAsLong())) {
      if (problem.isEmpty()) {
        LOG.info("the DNS list {} is on again", zone.shown());
      } else {
        LOG.warn("the DNS list {} is off, mail is judged without it: {}", zone.shown(), problem);
      }
    }
  }

  /** The lists of the settings with their state, in file order. */
  public List<State> states() {
    return lists.stream()
        .map(list -> {
          DnsZone zone = zones.get(zoneId(list));
          String problem = zone == null ? "" : zone.health().problem();
          return new State(list, enabled.test(list.name()), problem);
        })
        .toList();
  }

  /**
   * The state of a list.
   *
   * @param problem why it is not asked; empty when it works
   */
  public record State(DnsList list, boolean enabled, String problem) {}

  /** The lists that are off, and why; a sentence each. */
  public List<String> alarms() {
    return zones.values().stream().filter(zone -> !zone.health().on()).map(DnsZone::alarm).toList();
  }

  // ---- explain

  /**
   * Asks the lists about all that is known of a session, its client's name too; waits for the
   * answers.
   */
  public Explainer.DnsReport about(Facts keys) {
    List<DnsListing> listings = new ArrayList<>();
    IpAddress client = keys.client();
    Map<Check, @Nullable ListKey> known = new EnumMap<>(Check.class);
    known.put(Check.CLIENT_IP, keys.isOfHost() ? client : null);
    known.put(Check.HELO, keys.helo());
    known.put(Check.SENDER_DOMAIN, keys.senderDomain());
    known.put(Check.CLIENT_NAME, keys.seen().name().key());
    known.forEach((check, key) -> {
      if (key != null) {
        listings.addAll(ask(check, key, client).await());
      }
    });
    listings.addAll(
        new ContentQuestions(this, client, 0)
            .answers(keys.content().keys(), ContentQuestions.MAX_NAMES, _ -> true));
    return new Explainer.DnsReport(keys.seen().name(), listings, alarms());
  }
}
