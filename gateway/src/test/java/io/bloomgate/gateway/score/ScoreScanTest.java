package io.bloomgate.gateway.score;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.content.ContentKey.Place;
import io.bloomgate.blocklists.decision.Ground.Weakness;
import io.bloomgate.blocklists.operator.NewEntry;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.blocklists.sessions.RareFacts;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.gateway.score.ScoreScan.LaterAllowed;
import io.bloomgate.gateway.testkit.KeptSession;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** The counts of a scan, against the same questions asked of every session one by one. */
final class ScoreScanTest {

  private static final Instant BEGIN = Instant.parse("2026-11-01T00:00:00Z");
  private static final List<String> FEEDS = List.of("a", "b", "c", "d");
  private static final List<Action> LISTED =
      List.of(Action.OBSERVE, Action.TAG, Action.TEMPFAIL, Action.REJECT);
  private static final List<Check> CHECKS =
      List.of(Check.CLIENT_IP, Check.HELO, Check.SENDER_DOMAIN, Check.URL, Check.FROM_DOMAIN);
  private static final List<Place> PLACES = List.of(Place.OPEN, Place.OPEN, Place.NESTED);
  private static final List<Outcome> OUTCOMES =
      List.of(Outcome.DELIVERED, Outcome.DELIVERED, Outcome.REFUSED, Outcome.UNKNOWN);
  private static final List<String> RECIPIENTS =
      List.of("bob@example.com", "", "postmaster@example.com", "\"PostM\\aster\"@example.com");

  private static final List<String> VERDICTS = List.of("accept", "tag", "reject");
  private static final List<String> SUBJECTS =
      List.of(
          "192.0.2.0/24",
          "192.0.2.3",
          "2001:db8::/32",
          "s1.example",
          "s0.example",
          "u@s2.example",
          "helo.test",
          "sites.example/a",
          "sites.example",
          "mail.sites.example");

  @Test
  void countsAreThoseOfTheSessionsOneByOne() {
    long seed = Long.getLong("seed", 20261124);
    Random random = new Random(seed);
    int laterAllowed = 0;
    for (int round = 0; round < 40; round++) {
      List<Evidence> sessions = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        sessions.add(session(random));
      }
      List<OperatorEntry> entries = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        entries.add(entry(random, i));
      }
      ScoreScan scan =
          new ScoreScan(
              FEEDS, new LaterAllowed(entries), Set.of("postmaster"), client -> client.isV4());
      sessions.forEach(scan::add);
      for (String feed : FEEDS) {
        ScoreScan.Tally tally = scan.tally(feed);
        String which = feed + " in round " + round + " of seed " + seed;
        Predicate<Evidence> hit = session -> lists(session).contains(feed);
        assertEquals(sum(sessions, hit), tally.hits, which);
        assertEquals(
            sum(sessions, hit.and(session -> lists(session).size() == 1)), tally.alone, which);
        for (String other : FEEDS) {
          long both = sum(sessions, hit.and(session -> lists(session).contains(other)));
          assertEquals(other.equals(feed) ? 0 : both, tally.shared.getOrDefault(other, 0L), which);
        }
        Predicate<Evidence> good = session -> hit.test(session) && isAccepted(session, feed);
        assertEquals(sum(sessions, good), tally.accepted, which);
        assertEquals(
            sum(sessions, good.and(session -> session.client().isV4())), tally.known, which);
        Set<String> senders = new HashSet<>();
        Set<String> allowed = new HashSet<>();
        for (Evidence session : sessions) {
          if (good.test(session)) {
            senders.add(network(session) + " " + session.senderDomain());
          }
          for (OperatorEntry entry : entries) {
            if (session.decision().listings().stream()
                .anyMatch(one -> one.list().equals(feed) && isLater(entry, session, one))) {
              allowed.add(entry.id());
            }
          }
        }
        assertEquals(senders.size(), tally.senders.size(), which);
        assertEquals(allowed.size(), tally.laterAllowed.size(), which);
        assertEquals(
            entries.stream()
                .filter(entry -> allowed.contains(entry.id()))
                .map(OperatorEntry::created)
                .max(Instant::compareTo)
                .orElse(null),
            tally.lastAllowed,
            which);
        laterAllowed += allowed.size();
      }
    }
    assertTrue(laterAllowed > 20, "entries after a hit: " + laterAllowed);
  }

  private static Evidence session(Random random) {
    String client =
        random.nextBoolean()
            ? "192.0." + (2 + random.nextInt(2)) + "." + random.nextInt(5)
            : "2001:db" + random.nextInt(7, 9) + "::" + random.nextInt(3);
    String from = "u@s" + random.nextInt(3) + ".example";
    List<Evidence.Listing> listings = new ArrayList<>();
    for (String list : List.of("a", "b", "c", "d", "rule", "a")) {
      if (random.nextInt(3) == 0) {
        Check check = CHECKS.get(random.nextInt(CHECKS.size()));
        listings.add(
            new Evidence.Listing(
                check,
                subject(check, client, random),
                list,
                "entry",
                1,
                LISTED.get(random.nextInt(LISTED.size())),
                random.nextBoolean() ? "" : "allowed",
                PLACES.get(random.nextInt(PLACES.size())),
                random.nextInt(4) == 0 ? Weakness.EXEMPT : Weakness.NONE,
                false));
      }
    }
    return new KeptSession()
        .at(time(random))
        .client(client)
        .helo("mail.helo.test")
        .from(random.nextInt(5) == 0 ? "" : from)
        .mode(random.nextBoolean() ? Mode.OBSERVE : Mode.ENFORCE)
        .answer(OUTCOMES.get(random.nextInt(OUTCOMES.size())), "250 2.0.0 Ok")
        .to(RECIPIENTS.get(random.nextInt(RECIPIENTS.size())))
        .verdict(VERDICTS.get(random.nextInt(VERDICTS.size())))
        .listings(listings)
        .times(1 + random.nextInt(3))
        .more(
            random.nextInt(4) == 0
                ? KeptSession.rare(
                    Map.of(Evidence.FORWARDED_FOR, "192.0.2." + random.nextInt(5)), "")
                : RareFacts.NOTHING)
        .evidence();
  }

  private static String subject(Check check, String client, Random random) {
    return switch (check) {
      case URL -> "sites.example/" + (random.nextBoolean() ? "a" : "b");
      case FROM_DOMAIN -> random.nextBoolean() ? "mail.sites.example" : "s1.example";
      default -> random.nextInt(4) == 0 ? "mail.helo.test" : client;
    };
  }

  private static Instant time(Random random) {
    return BEGIN.plusSeconds(random.nextInt(1_000_000));
  }

  private static OperatorEntry entry(Random random, int number) {
    Subject subject =
        Subject.parse(SUBJECTS.get(random.nextInt(SUBJECTS.size()))).toOptional().orElseThrow();
    IpPrefix from = IpPrefix.parse("192.0.2.0/24").toOptional().orElseThrow();
    Set<Check> scope =
        switch (subject.toString()) {
          case "helo.test" -> Set.of(Check.HELO);
          case "sites.example/a" -> Set.of(Check.URL);
          case "sites.example" -> Set.of(Check.URL_HOST);
          case "s1.example" -> random.nextBoolean() ? Set.of() : Set.of(Check.FROM_DOMAIN);
          default -> Set.of();
        };
    return new NewEntry(
            ListKind.ALLOW,
            subject,
            subject instanceof IpPrefix || random.nextBoolean() ? null : from,
            scope,
            false,
            "",
            null)
        .entry("e" + number, "root", time(random));
  }

  private static Set<String> lists(Evidence session) {
    Set<String> lists = new TreeSet<>();
    session.decision().listings().forEach(listing -> lists.add(listing.list()));
    lists.retainAll(FEEDS);
    return lists;
  }

  private static long sum(List<Evidence> sessions, Predicate<Evidence> which) {
    return sessions.stream().filter(which).mapToLong(Evidence::times).sum();
  }

  private static boolean isAccepted(Evidence session, String feed) {
    return session.decision().outcome() == Outcome.DELIVERED
        && !session.isForwarded()
        && !session.decision().to().toLowerCase(Locale.ROOT).contains("postm")
        && session.decision().listings().stream()
            .anyMatch(
                one -> one.list().equals(feed) && one.place() == Place.OPEN && !one.exemptAmong())
        && !session.decision().verdict().equals("reject");
  }

  private static String network(Evidence session) {
    int bits = session.client().isV4() ? 24 : 48;
    return IpPrefix.around(session.client(), bits).toString();
  }

  /** Text against text, by the meaning of each kind of subject. */
  private static boolean isLater(OperatorEntry entry, Evidence session, Evidence.Listing listing) {
    if (!session.at().isBefore(entry.created())
        || (entry.from() != null && !entry.from().contains(session.judged()))) {
      return false;
    }
    String subject = entry.subject().toString();
    if (entry.subject() instanceof IpPrefix network) {
      return network.contains(session.judged());
    }
    if (listing.check() == Check.HELO && entry.scope().contains(Check.HELO)) {
      return isBelow(listing.subject(), subject);
    }
    if (isOfContent(entry, listing, subject)) {
      return true;
    }
    String from = String.valueOf(session.from());
    boolean ofName = listing.check() == Check.SENDER_DOMAIN;
    return (from.equals(subject) || isBelow(session.senderDomain(), subject))
        && (ofName || entry.from() != null)
        && entry.scope().isEmpty();
  }

  /** What the mail carried is allowed itself, or the host of it. */
  private static boolean isOfContent(
      OperatorEntry entry, Evidence.Listing listing, String subject) {
    return switch (listing.check()) {
      case URL ->
          (entry.scope().isEmpty()
                  || entry.scope().contains(Check.URL)
                  || entry.scope().contains(Check.URL_HOST))
              && (listing.subject().equals(subject) || subject.equals("sites.example"));
      case FROM_DOMAIN ->
          (entry.scope().isEmpty() || entry.scope().contains(Check.FROM_DOMAIN))
              && isBelow(listing.subject(), subject);
      default -> false;
    };
  }

  private static boolean isBelow(String name, String subject) {
    return name.equals(subject) || name.endsWith("." + subject);
  }
}
