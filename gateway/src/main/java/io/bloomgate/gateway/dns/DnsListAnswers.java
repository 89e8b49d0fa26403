package io.bloomgate.gateway.dns;

import io.bloomgate.blocklists.decision.DnsListing;
import io.bloomgate.blocklists.decision.SessionKeys;
import io.bloomgate.blocklists.explain.Explainer;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.settings.Check;
import io.bloomgate.config.settings.DnsList;
import io.bloomgate.config.settings.SecretFile;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.log.WarningPace;
import io.bloomgate.gateway.session.DnsLists;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks DNS lists, keeps their answers for their time to live, and tests the lists. Made by the
 * composition root and kept over reloads; asked by sessions on their threads and by {@code explain},
 * ticked by housekeeping. Thread-safe.
 */
public final class DnsListAnswers implements DnsLists {

  /** About 10 MB when it is full; the oldest go. */
  static final int MAX_ANSWERS = 50_000;

  /** Questions at the same time, a quarter of them for one client network; more get no answer. */
  static final int MAX_QUESTIONS = 2_000;

  /** How long a question has in all; what comes after a decision's wait serves the next one. */
  static final Duration QUESTION_TIME = Duration.ofSeconds(10);

  /** RFC 2544: a network in which nobody sends mail, so that no list lists it. */
  private static final int UNUSED_NETWORK = 0xc6120000;

  private static final int UNUSED_BITS = 17;

  private static final IpAddress LISTED_TEST = v4(0x7f000002);
  private static final IpAddress UNLISTED_TEST = v4(0x7f000001);
  private static final String INVALID_TEST = "invalid";

  /** Log lines a minute about one list. */
  private static final int WARNINGS = 2;

  private static final Logger LOG = LoggerFactory.getLogger(DnsListAnswers.class);

  private final ThreadFactory threads;
  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private final RandomGenerator random;
  private final WarningPace warnings;
  private final LookupPlaces places = new LookupPlaces(MAX_QUESTIONS);
  private final Resolvers resolvers;
  private final ZoneQuestions questions;
  private volatile List<InetSocketAddress> servers = List.of();
  private volatile Map<String, Zone> zones = Map.of();
  private volatile List<DnsList> lists = List.of();
  private volatile BiConsumer<String, String> counter = (list, result) -> {};

  /** Guarded by itself; in the order in which questions were asked. */
  private final Map<Question, Asked> known =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Question, Asked> eldest) {
          return size() > MAX_ANSWERS;
        }
      };

  /** A zone with its key; sources with {@code dns_of} share it. */
  private record Zone(
      String name, @Nullable Path keyFile, boolean ofAddresses, String testName, ZoneHealth health) {}

  private record Question(String zone, ListKey subject) {}

  /**
   * Nothing is asked yet.
   *
   * @param threads virtual ones
   * @param nanoTime a monotonic clock, nanoseconds
   */
  public DnsListAnswers(
      ThreadFactory threads, InstantSource clock, LongSupplier nanoTime, RandomGenerator random) {
    this.threads = threads;
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.random = random;
    this.warnings = new WarningPace(nanoTime, WARNINGS);
    this.resolvers =
        new Resolvers(
            () -> servers.isEmpty() ? Resolvers.ofSystem() : servers,
            QUESTION_TIME,
            task -> threads.newThread(task).start(),
            nanoTime);
    this.questions = new ZoneQuestions(resolvers, clock);
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

  /** Uses these settings from now on; zones that stay keep their answers and their state. */
  public void configure(Settings settings) {
    servers = settings.dns().servers().stream().map(DnsListAnswers::address).toList();
    resolvers.changed();
    Map<String, Zone> now = new LinkedHashMap<>();
    for (DnsList list : settings.feeds().dnsLists().values()) {
      now.computeIfAbsent(zoneId(list), id -> zone(id, list, settings));
    }
    synchronized (known) {
      known.keySet().removeIf(question -> !now.containsKey(question.zone()));
    }
    zones = now;
    lists = List.copyOf(settings.feeds().dnsLists().values());
  }

  /** The settings hold addresses only, so nothing is looked up here. */
  private static InetSocketAddress address(Settings.HostPort server) {
    try {
      return new InetSocketAddress(InetAddress.getByName(server.host()), server.port());
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(server.host() + " is not an address", e);
    }
  }

  private Zone zone(String id, DnsList list, Settings settings) {
    boolean ofAddresses =
        settings.feeds().dnsLists().values().stream()
            .filter(each -> zoneId(each).equals(id))
            .anyMatch(each -> each.checks().contains(Check.CLIENT_IP));
    Zone old = zones.get(id);
    ZoneHealth health = old == null ? new ZoneHealth(nanoTime.getAsLong()) : old.health();
    return new Zone(list.zone(), list.keyFile(), ofAddresses, list.testName(), health);
  }

  private static String zoneId(DnsList list) {
    return list.keyFile() == null ? list.zone() : list.zone() + " " + list.keyFile();
  }

  // ---- questions of sessions

  @Override
  public boolean isEmpty() {
    return lists.isEmpty();
  }

  @Override
  public Pending ask(Check check, ListKey subject, IpAddress client) {
    List<One> asked = new ArrayList<>();
    for (DnsList list : lists) {
      if (asks(list, check, subject)) {
        ask(list, check, subject, client, asked);
      }
    }
    return () -> asked.stream().flatMap(one -> one.await().stream()).toList();
  }

  /** A list of names reports an error when it is asked about an address (RFC 5782 section 3). */
  private static boolean asks(DnsList list, Check check, ListKey subject) {
    return list.checks().contains(check)
        && (!(subject instanceof IpAddress) || list.checks().contains(Check.CLIENT_IP));
  }

  private void ask(
      DnsList list, Check check, ListKey subject, IpAddress client, List<One> asked) {
    Zone zone = zones.get(zoneId(list));
    if (zone == null || !zone.health().on()) {
      counter.accept(list.name(), "off");
      return;
    }
    Asked question = question(zoneId(list), zone, subject, client);
    if (question == null) {
      counter.accept(list.name(), "no_place");
    } else {
      asked.add(new One(list, zone, check, subject, client, question));
    }
  }

  /** A question that was asked already and still counts, or a new one; {@code null} without a place. */
  private @Nullable Asked question(String id, Zone zone, ListKey subject, IpAddress client) {
    Question question = new Question(id, subject);
    Asked fresh = new Asked(nanoTime.getAsLong());
    synchronized (known) {
      Asked old = known.get(question);
      if (old != null && old.counts(nanoTime.getAsLong())) {
        return old;
      }
      if (!places.take(client)) {
        return null;
      }
      known.remove(question);
      known.put(question, fresh);
    }
    send(zone, subject)
        .whenComplete((answer, failure) -> {
          places.giveBack(client);
          fresh.complete(
              answer == null ? new DnsAnswer.Silent(Duration.ZERO) : answer, nanoTime.getAsLong());
        });
    return fresh;
  }

  private CompletableFuture<DnsAnswer> send(Zone zone, ListKey subject) {
    try {
      return questions.ask(subject, keyed(zone));
    } catch (SecretFile.UnusableException | RuntimeException e) {
      return CompletableFuture.completedFuture(new DnsAnswer.Silent(Duration.ZERO));
    }
  }

  private static String keyed(Zone zone) throws SecretFile.UnusableException {
    Path file = zone.keyFile();
    if (file == null) {
      return zone.name();
    }
    String key = SecretFile.read(file);
    if (!key.matches("[A-Za-z0-9_-]{1,63}")) {
      throw new SecretFile.UnusableException(file, "a key for DNS is one label: a-z 0-9 - _");
    }
    return key + "." + zone.name();
  }

  /** A question that was sent: without an answer, then with one, then out of date. */
  private static final class Asked {
    private final long beganNanos;
    private final CompletableFuture<DnsAnswer> answer = new CompletableFuture<>();
    private volatile long endNanos;

    Asked(long beganNanos) {
      this.beganNanos = beganNanos;
      this.endNanos = beganNanos;
    }

    boolean counts(long nowNanos) {
      return !answer.isDone() || endNanos - nowNanos > 0;
    }

    void complete(DnsAnswer given, long nowNanos) {
      endNanos = nowNanos + given.keep().toNanos();
      answer.complete(given);
    }

    DnsAnswer await(long endOfWaitNanos, long nowNanos) {
      try {
        return answer.get(Math.max(0, endOfWaitNanos - nowNanos), TimeUnit.NANOSECONDS);
      } catch (TimeoutException | ExecutionException e) {
        return new DnsAnswer.Silent(Duration.ZERO);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return new DnsAnswer.Silent(Duration.ZERO);
      }
    }
  }

  /** What one list was asked by one session. */
  private final class One {
    private final DnsList list;
    private final Zone zone;
    private final Check check;
    private final ListKey subject;
    private final IpAddress client;
    private final Asked asked;
    private @Nullable List<DnsListing> listings;

    One(DnsList list, Zone zone, Check check, ListKey subject, IpAddress client, Asked asked) {
      this.list = list;
      this.zone = zone;
      this.check = check;
      this.subject = subject;
      this.client = client;
      this.asked = asked;
    }

    /** Counted once, however many recipients ask. */
    List<DnsListing> await() {
      List<DnsListing> found = listings;
      if (found == null) {
        long end = asked.beganNanos + list.timeout().toNanos();
        found = read(asked.await(end, nanoTime.getAsLong()));
        listings = found;
      }
      return found;
    }

    private List<DnsListing> read(DnsAnswer answer) {
      return switch (answer) {
        case DnsAnswer.Codes codes -> codes(codes);
        case DnsAnswer.Absent ignored -> {
          report("not_listed", false);
          yield List.of();
        }
        case DnsAnswer.Refused refused -> {
          counter.accept(list.name(), "error");
          if (zone.health().refused(refused.reason(), nanoTime.getAsLong())) {
            warn(zone.name(), refused.reason());
          }
          yield List.of();
        }
        case DnsAnswer.Silent ignored -> {
          counter.accept(list.name(), "no_answer");
          yield List.of();
        }
      };
    }

    private List<DnsListing> codes(DnsAnswer.Codes answer) {
      List<DnsListing> found =
          answer.codes().stream()
              .filter(code -> list.codes().stream().anyMatch(c -> c.contains(code.v4Bits())))
              .map(code ->
                  new DnsListing(
                      list.name(), check, subject, list.zone(), code, answer.keep(), answer.at()))
              .limit(1)
              .toList();
      report(found.isEmpty() ? "other_code" : "listed", !found.isEmpty());
      return zone.health().on() ? found : List.of();
    }

    private void report(String result, boolean listed) {
      counter.accept(list.name(), result);
      if (check == Check.CLIENT_IP
          && zone.health().answered(client, listed, nanoTime.getAsLong())) {
        warn(zone.name(), zone.health().problem());
      }
    }
  }

  // ---- tests of the lists

  /** Called each second: tests the lists for which it is time. */
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

  private void test(Zone zone) {
    String problem;
    try {
      problem = problem(zone, keyed(zone));
    } catch (SecretFile.UnusableException e) {
      problem = String.valueOf(e.getMessage());
    } catch (RuntimeException e) {
      LOG.warn("the DNS list {} was not tested", zone.name(), e);
      return;
    }
    if (zone.health().tested(problem, nanoTime.getAsLong())) {
      if (problem.isEmpty()) {
        LOG.info("the DNS list {} is on again", zone.name());
      } else {
        warn(zone.name(), problem);
      }
    }
  }

  private void warn(String zone, String problem) {
    warnings.say(more ->
        LOG.warn("the DNS list {} is off, mail is judged without it: {}{}", zone, problem, more));
  }

  /** What is wrong with a list; empty for nothing. RFC 5782 section 5. */
  private String problem(Zone zone, String keyed) {
    if (!zone.ofAddresses()) {
      String problem = problemOf(zone.testName(), zone.testName(), keyed, true);
      return problem.isEmpty() ? problemOf(INVALID_TEST, INVALID_TEST, keyed, false) : problem;
    }
    String problem = problemOf(LISTED_TEST, keyed, true);
    if (problem.isEmpty()) {
      problem = problemOf(UNLISTED_TEST, keyed, false);
    }
    IpAddress unused = v4(UNUSED_NETWORK | random.nextInt(1 << UNUSED_BITS));
    return problem.isEmpty() ? problemOf(unused, keyed, false) : problem;
  }

  private String problemOf(IpAddress test, String keyed, boolean listed) {
    return problemOf(ZoneQuestions.labels(test), test.toString(), keyed, listed);
  }

  private String problemOf(String labels, String subject, String keyed, boolean listed) {
    DnsAnswer answer = questions.ask(labels, keyed).join();
    if (answer instanceof DnsAnswer.Silent) {
      answer = questions.ask(labels, keyed).join();
    }
    return switch (answer) {
      case DnsAnswer.Codes ignored ->
          listed ? "" : "it lists the test entry " + subject + ", which no list may list";
      case DnsAnswer.Absent ignored ->
          listed ? "it does not list its test entry " + subject : "";
      case DnsAnswer.Refused refused -> refused.reason();
      case DnsAnswer.Silent ignored -> "it does not answer";
    };
  }

  /** Which lists are off, and why; a sentence each. */
  public List<String> alarms() {
    return zones.values().stream()
        .filter(zone -> !zone.health().on())
        .map(zone ->
            "the DNS list "
                + zone.name()
                + " is off: "
                + zone.health().problem()
                + "; mail is judged without it, and it is tested each minute")
        .toList();
  }

  // ---- explain

  /** What the lists answer about all that is known of a session; waits. */
  public Explainer.DnsReport about(SessionKeys keys) {
    List<DnsListing> listings = new ArrayList<>();
    IpAddress client = keys.client() == null ? UNLISTED_TEST : keys.client().network();
    if (keys.client() != null && keys.client().isHost()) {
      listings.addAll(ask(Check.CLIENT_IP, client, client).await());
    }
    ListKey helo = keys.helo();
    if (helo != null) {
      listings.addAll(ask(Check.HELO, helo, client).await());
    }
    DomainName domain = keys.senderDomain();
    if (domain != null) {
      listings.addAll(ask(Check.SENDER_DOMAIN, domain, client).await());
    }
    return new Explainer.DnsReport(listings, alarms());
  }

  private static IpAddress v4(int bits) {
    return IpAddress.ofV4(bits);
  }
}
