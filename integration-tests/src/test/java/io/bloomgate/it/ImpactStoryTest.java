package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.ListRules;
import io.bloomgate.blocklists.OfflineBlocklists;
import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.fetch.FeedSources;
import io.bloomgate.blocklists.guard.FeedTest;
import io.bloomgate.blocklists.impact.Candidate;
import io.bloomgate.blocklists.impact.CandidateLists;
import io.bloomgate.blocklists.impact.Change;
import io.bloomgate.blocklists.impact.Impact;
import io.bloomgate.blocklists.impact.ImpactReport;
import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.blocklists.sessions.SessionDays;
import io.bloomgate.blocklists.sessions.SessionQuery;
import io.bloomgate.blocklists.sessions.SessionSearch;
import io.bloomgate.cli.CommandLineInProcess;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.settings.Action;
import io.bloomgate.gateway.testkit.SampleStatus;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The oracle of {@code impact}: what it says about a candidate over the sessions that one gateway
 * kept is, verdict by verdict, what a second gateway did that had the candidate as a feed.
 */
class ImpactStoryTest extends Story {

  private static final int SESSIONS = 200;
  private static final String CANDIDATE = "candidate";

  /** A session that both gateways get; its number is in the sender. */
  private record Dialog(String client, String helo, String from, String to) {}

  /** What was decided: the verdict, and the list and the entry that decided. */
  private record Decided(String verdict, String list, String entry) {

    boolean refuses() {
      return !verdict.equals("accept") && !verdict.equals("tag");
    }

    /** True when it refuses what the other let in, or refuses for good what could come again. */
    boolean refusesMoreThan(Decided other) {
      return refuses() && (!other.refuses() || (isFinal() && !other.isFinal()));
    }

    private boolean isFinal() {
      return verdict.equals("reject");
    }
  }

  private static String client(Random random) {
    return random.nextInt(8) == 0
        ? "2a0d:5600:" + random.nextInt(4) + "::" + (1 + random.nextInt(9))
        : "45.66." + random.nextInt(3) + "." + random.nextInt(80);
  }

  private static String name(Random random) {
    return (random.nextBoolean() ? "mx." : "") + "d" + random.nextInt(25) + ".bulk-mail.net";
  }

  private static Dialog dialog(Random random, int number) {
    String client = client(random);
    String helo = random.nextInt(6) == 0 ? "[" + clientV4(random) + "]" : name(random);
    String local = random.nextInt(4) == 0 ? "offer" : "u" + random.nextInt(4);
    String to = random.nextInt(12) == 0 ? "postmaster" : "bob";
    return new Dialog(client, helo, local + "+" + number + "@" + name(random), to + "@example.com");
  }

  private static String clientV4(Random random) {
    return "45.66." + random.nextInt(3) + "." + random.nextInt(80);
  }

  /** Lines of a list, from the same addresses and names. */
  private static List<String> list(Random random, int entries) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < entries; i++) {
      lines.add(
          switch (random.nextInt(7)) {
            case 0, 1, 2 -> clientV4(random);
            case 3 -> "45.66." + random.nextInt(3) + "." + 8 * random.nextInt(10) + "/29";
            case 4 -> "2a0d:5600:" + random.nextInt(4) + "::" + (1 + random.nextInt(9));
            case 5 -> name(random);
            default -> (random.nextBoolean() ? "offer@" : "u1@") + name(random);
          });
    }
    return lines;
  }

  private GatewayFixture gateway(Path place, String mode, int port, String more)
      throws IOException {
    Files.createDirectories(place);
    Files.writeString(place.resolve("allowed.list"), "45.66.1.0/27\nd3.bulk-mail.net\n");
    String feed = "{file: " + folder + "/%s.txt, format: lines, action: %s}";
    return GatewayFixture.in(place, port)
        .with("mode", mode)
        .with("allow", "{files: [" + place + "/allowed.list], never_block: [loopback]}")
        .with("policy", "{exempt_networks: [45.66.2.16/28]}")
        .with(
            "feeds",
            "\n  sources:\n    first: "
                + feed.formatted("first", "reject")
                + "\n    second: "
                + feed.formatted("second", "tempfail")
                + "\n    marks: "
                + feed.formatted("marks", "tag")
                + more)
        .start();
  }

  /** Plays one session; the number that is in its sender comes back with the reply to RCPT. */
  private static void play(GatewayFixture gateway, Dialog dialog) throws IOException {
    try (SmtpClient client = SmtpClient.proxied(gateway.port("mx"), dialog.client())) {
      if (client.rcpt(dialog.helo(), dialog.from(), dialog.to()).startsWith("250")) {
        SmtpClient.expect("354", client.ask("DATA"));
        SmtpClient.expect("250", client.ask("Subject: m\r\n\r\nbody\r\n."));
      }
      client.ask("QUIT");
    }
  }

  private static SessionSearch search(Path place) {
    return new SessionSearch(
        new SessionDays(place.resolve("state")),
        problem -> {
          throw new AssertionError(problem);
        });
  }

  private static SessionQuery everything() {
    return SessionQuery.of(Instant.EPOCH, Instant.now().plusSeconds(60));
  }

  /** What a gateway decided, by sender. */
  private static Map<String, Decided> kept(Path place) throws IOException {
    Map<String, Decided> decided = new TreeMap<>();
    search(place).forEach(everything(), session -> decided.put(from(session), of(session)) == null);
    return decided;
  }

  /** The senders that the candidate refused, be it that another list decided. */
  private static Set<String> byCandidate(Path place) throws IOException {
    Set<String> senders = new TreeSet<>();
    search(place)
        .forEach(
            everything(),
            session ->
                session.decision().listings().stream()
                        .noneMatch(each -> each.counted() && each.list().equals(CANDIDATE))
                    || senders.add(from(session)));
    return senders;
  }

  private static String from(Evidence session) {
    return String.valueOf(session.from());
  }

  private static Decided of(Evidence session) {
    Evidence.Listing listing = session.decision().deciding().orElse(null);
    return listing == null
        ? new Decided(session.decision().verdict(), "", "")
        : new Decided(session.decision().verdict(), listing.list(), listing.entry());
  }

  private static Decided of(Verdict verdict) {
    return verdict.grounds().standing().stream()
        .filter(Ground.Found.class::isInstance)
        .map(Ground.Found.class::cast)
        .findFirst()
        .map(ground -> new Decided(verdict.key(), ground.source(), ground.entry()))
        .orElse(new Decided(verdict.key(), "", ""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"enforce", "observe"})
  void theImpactIsWhatASecondGatewayReallyDid(String mode) throws Exception {
    long seed = System.nanoTime();
    String hint = "seed " + seed;
    Random random = new Random(seed);
    Files.write(folder.resolve("first.txt"), list(random, 25));
    Files.write(folder.resolve("second.txt"), list(random, 15));
    Files.write(folder.resolve("marks.txt"), list(random, 15));
    Path candidate = Files.write(folder.resolve("candidate.txt"), list(random, 60));
    Path one = folder.resolve("one");
    Path two = folder.resolve("two");
    try (GatewayFixture without = gateway(one, mode, upstream.port(), "");
        GatewayFixture with =
            gateway(
                two,
                "enforce",
                upstream.port(),
                "\n    candidate: {file: " + candidate + ", format: lines, action: reject}")) {
      for (int number = 0; number < SESSIONS; number++) {
        Dialog dialog = dialog(random, number);
        play(without, dialog);
        play(with, dialog);
      }
    }
    Map<String, Decided> before = kept(one);
    Map<String, Decided> really = kept(two);
    assertEquals(SESSIONS, before.size(), hint);
    Map<String, Decided> computedBefore = new TreeMap<>();
    Map<String, Decided> computed = new TreeMap<>();
    ImpactReport report = ask(one, candidate, computedBefore, computed);

    assertEquals(before, computedBefore, hint);
    assertEquals(really, computed, hint);
    Set<String> byCandidate = byCandidate(two);
    Set<String> fresh = new TreeSet<>();
    really.forEach((sender, decided) -> {
      boolean delivered = mode.equals("observe") && byCandidate.contains(sender);
      if (decided.refusesMoreThan(before.get(sender)) || (delivered && decided.refuses())) {
        fresh.add(sender);
      }
    });
    assertTrue(fresh.size() > 10 && fresh.size() < SESSIONS / 2, hint + ": " + fresh.size());
    assertEquals(fresh.size(), report.fresh().sum().sessions(), hint);
    assertEquals(fresh.size(), command(one, candidate), hint);
  }

  /** Decides on each session of a store, without the candidate and with it. */
  private ImpactReport ask(
      Path place, Path list, Map<String, Decided> before, Map<String, Decided> after)
      throws Exception {
    InstantSource clock = InstantSource.system();
    ListRules rules =
        ListRules.read(
            SampleStatus.settings(Files.readString(place.resolve("bloomgate.yaml"))),
            List.of(),
            List.of(),
            problem -> {});
    Candidate tried =
        Candidate.named(
            CANDIDATE,
            list.toString(),
            "lines",
            EnumSet.copyOf(Check.WITHOUT_LOOK_UP),
            Action.REJECT);
    try (OfflineBlocklists lists = OfflineBlocklists.open(rules, clock);
        FeedSources sources = new FeedSources(Runnable::run, System::nanoTime, clock);
        CandidateLists candidates =
            CandidateLists.build(
                List.of(tried),
                new CandidateLists.Means(
                    sources, FeedTest.DEFAULT_GUARD, List.of(), new Random(3), clock, folder))) {
      Impact impact = new Impact(Change.adding(lists.side(), candidates), clock.instant());
      search(place)
          .past(SessionQuery.of(Instant.EPOCH, clock.instant().plusSeconds(60)))
          .forEach(session -> {
            Impact.Verdicts verdicts = impact.verdicts(session);
            String sender = session.facts().sender().getFirst().toString();
            before.put(sender, of(verdicts.before()));
            after.put(sender, of(verdicts.after()));
            impact.add(session);
          });
      return impact.report();
    }
  }

  /** The sessions that the command says are newly refused. */
  private static long command(Path place, Path list) throws JsonSyntaxException {
    CommandLineInProcess.Result result =
        CommandLineInProcess.run(
            "-c",
            place.resolve("bloomgate.yaml").toString(),
            "-o",
            "json",
            "impact",
            "--since",
            "1h",
            "--candidate",
            list.toString());
    JsonObject answer = (JsonObject) Json.parse(result.out());
    return answer.object("new").orElseThrow().number("sessions").orElseThrow();
  }
}
