package io.bloomgate.blocklists.impact;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.decision.Content;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.blocklists.impact.PastSession.Missing;
import io.bloomgate.blocklists.impact.PastSession.Outcome;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.settings.Action;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the sums of an impact mean. */
class ImpactTest {

  private static final String SPAMMER = "45.66.0.9";
  private static final String PARTNER = "45.66.1.9";

  @TempDir Path folder;
  private final List<PastSession> sessions = new ArrayList<>();

  private void session(String client, String from, int day, Outcome outcome, String... lists) {
    Facts facts =
        Facts.ofClient(IpAddress.parse(client).toOptional().orElseThrow())
            .withSender(MailAddress.parse(from).toOptional().orElseThrow());
    sessions.add(
        new PastSession(
            RandomMail.START.plus(Duration.ofDays(day)),
            "",
            facts,
            Set.of(Missing.HELO),
            outcome,
            outcome.isRefusal(),
            List.of(lists),
            false,
            1));
  }

  /** The same, and list live was against it. */
  private static PastSession listed(
      PastSession plain, Facts facts, Set<Missing> missing, int times) {
    return new PastSession(
        plain.at(), "", facts, missing, plain.outcome(), true, List.of("live"), false, times);
  }

  private Side live(List<String> list, Action action) throws Exception {
    return Built.side(folder, Map.of("live", list), Map.of("live", action));
  }

  private ImpactReport impact(Change change) throws Exception {
    return Impact.of(change, sessions::forEach, Built.NOW);
  }

  private ImpactReport ofCandidate(Side before, String... lines) throws Exception {
    Path file = Built.write(folder, "tried", List.of(lines));
    try (CandidateLists lists =
        Built.candidates(folder, List.of(Built.candidate(file, Action.REJECT)))) {
      return impact(Change.adding(before, lists));
    }
  }

  @Test
  void aSenderWhoseMailWasAcceptedBeforeComesFirst() throws Exception {
    session(PARTNER, "ann@partner-mail.net", 1, Outcome.ACCEPTED);
    session("45.66.1.77", "bob@partner-mail.net", 3, Outcome.ACCEPTED);
    session(PARTNER, "ann@partner-mail.net", 2, Outcome.ACCEPTED);
    session(SPAMMER, "x@bulk-mail.net", 2, Outcome.ACCEPTED);
    ImpactReport report = ofCandidate(live(List.of("45.0.0.1"), Action.REJECT), SPAMMER, PARTNER);
    assertEquals(4, report.sessions());
    assertEquals(3, report.hits().sessions());
    assertEquals(new ImpactReport.Sum(3, 0, 3), report.fresh().sum());
    assertEquals(2, report.fresh().known().sessions());
    ImpactReport.Sender known = report.fresh().known().most().getFirst();
    assertEquals("partner-mail.net", known.domain());
    assertEquals(PARTNER, known.client().toString());
    assertEquals("45.66.1.0/24", known.network().toString());
    assertEquals(2, known.sessions());
    assertEquals(3, known.accepted());
    assertEquals("candidate", known.list());
    assertEquals(PARTNER, known.entry());
    assertEquals(1, report.fresh().unknownNetworks());
    assertEquals(Map.of(Missing.HELO, 4L), report.missing());
  }

  @Test
  void theMailItselfAndLaterMailAreNoMailBefore() throws Exception {
    session(SPAMMER, "x@bulk-mail.net", 2, Outcome.ACCEPTED);
    session("45.66.0.10", "x@bulk-mail.net", 3, Outcome.ACCEPTED);
    assertEquals(
        0, ofCandidate(live(List.of("45.0.0.1"), Action.REJECT), SPAMMER).fresh().known().count());
  }

  @Test
  void whatOthersRefuseIsNotNew() throws Exception {
    session(SPAMMER, "x@bulk-mail.net", 1, Outcome.OTHER);
    session(PARTNER, "x@bulk-mail.net", 1, Outcome.REFUSED, "zone", "other");
    ImpactReport report =
        ofCandidate(live(List.of(SPAMMER), Action.REJECT), SPAMMER, PARTNER, "bulk-mail.net");
    assertEquals(2, report.hits().sessions());
    assertEquals(2, report.already().sum().sessions());
    assertEquals(Map.of("live", 1L, "zone", 1L, "other", 1L), report.already().lists());
    assertEquals(0, report.fresh().sum().sessions());
  }

  /** Who gets a 451 comes again; who gets a 554 does not. */
  @Test
  void whatWasOnlyPutOffIsNewWhenItIsRefused() throws Exception {
    session(SPAMMER, "x@bulk-mail.net", 1, Outcome.ACCEPTED);
    session(PARTNER, "x@bulk-mail.net", 1, Outcome.PUT_OFF, "zone");
    for (Action before : List.of(Action.TEMPFAIL, Action.GREYLIST)) {
      ImpactReport report = ofCandidate(live(List.of(SPAMMER), before), SPAMMER, PARTNER);
      assertEquals(2, report.hits().sessions());
      assertEquals(0, report.already().sum().sessions());
      assertEquals(2, report.fresh().sum().sessions());
    }
    assertEquals(
        2,
        impact(Change.from(live(List.of(SPAMMER, PARTNER), Action.REJECT)))
            .fresh()
            .sum()
            .sessions());
    assertEquals(
        1, impact(Change.from(live(List.of(PARTNER), Action.TEMPFAIL))).already().sum().sessions());
  }

  @Test
  void whatWouldBeTaggedIsCounted() throws Exception {
    session(SPAMMER, "x@bulk-mail.net", 1, Outcome.ACCEPTED);
    session(PARTNER, "ann@partner-mail.net", 1, Outcome.ACCEPTED);
    ImpactReport report = impact(Change.from(live(List.of(SPAMMER), Action.TAG)));
    assertEquals(new ImpactReport.Sum(1, 0, 1), report.tagged());
    assertEquals(0, report.hits().sessions());
  }

  /** Mode observe delivered it, whatever the lists before the change say. */
  @Test
  void whatWasOnlyNotedIsNewInEveryForm() throws Exception {
    session(PARTNER, "x@bulk-mail.net", 1, Outcome.REFUSED, "live");
    session(PARTNER, "x@bulk-mail.net", 1, Outcome.ACCEPTED);
    PastSession plain = sessions.removeLast();
    sessions.add(listed(plain, plain.facts(), Set.of(), 3));
    Side side = live(List.of(PARTNER), Action.REJECT);
    for (ImpactReport report :
        List.of(
            ofCandidate(side, PARTNER),
            impact(Change.of("live", side, side)),
            impact(Change.between(side, side)),
            impact(Change.enforcing(side)))) {
      assertEquals(new ImpactReport.Sum(1, 0, 0), report.already().sum());
      assertEquals(new ImpactReport.Sum(3, 0, 3), report.fresh().sum());
      assertEquals(1, report.fresh().noted().count());
    }
    Side observe = side.withAction("live", Action.OBSERVE).orElseThrow();
    assertEquals(
        new ImpactReport.Sum(1, 0, 0), impact(Change.between(side, observe)).fewer().sum());
  }

  @Test
  void otherListsAreBounded() throws Exception {
    for (int i = 0; i < Impact.MAX_OTHERS + 100; i++) {
      session(SPAMMER, "x@bulk-mail.net", 1, Outcome.REFUSED, "list" + i);
    }
    ImpactReport report = impact(Change.from(live(List.of(SPAMMER), Action.REJECT)));
    assertEquals(Impact.MAX_OTHERS + 1, report.already().lists().size());
    assertEquals(100L, report.already().lists().get("further lists"));
  }

  @Test
  void anotherActionOfAListRefusesMoreOrLess() throws Exception {
    session(SPAMMER, "x@bulk-mail.net", 1, Outcome.ACCEPTED);
    Side observe = live(List.of(SPAMMER), Action.OBSERVE);
    Side reject = observe.withAction("live", Action.REJECT).orElseThrow();
    Side greylist = observe.withAction("live", Action.GREYLIST).orElseThrow();
    assertTrue(observe.withAction("nothing", Action.REJECT).isEmpty());
    assertEquals(1, impact(Change.of("live", observe, reject)).fresh().sum().sessions());
    assertEquals(1, impact(Change.of("live", observe, greylist)).fresh().sum().putOff());
    assertEquals(0, impact(Change.between(reject, observe)).fewer().sum().sessions());
    session(SPAMMER, "x@bulk-mail.net", 1, Outcome.REFUSED, "live");
    ImpactReport less = impact(Change.between(reject, observe));
    assertEquals(0, less.hits().sessions());
    assertEquals(0, less.already().sum().sessions());
    assertEquals(1, less.fewer().sum().sessions());
    assertEquals("bulk-mail.net", less.fewer().domains().getFirst().name());
  }

  @Test
  void inModeObserveOnlyWhatWasReallyRefusedIsRefusedAlready() throws Exception {
    session(SPAMMER, "x@bulk-mail.net", 1, Outcome.ACCEPTED);
    session(SPAMMER, "y@bulk-mail.net", 2, Outcome.REFUSED, "zone");
    session(SPAMMER, "y@bulk-mail.net", 2, Outcome.OTHER);
    ImpactReport report = impact(Change.from(live(List.of(SPAMMER), Action.REJECT)));
    assertEquals(3, report.hits().sessions());
    assertEquals(Map.of("zone", 1L), report.already().lists());
    assertEquals(new ImpactReport.Sum(2, 0, 1), report.fresh().sum());
  }

  /** An entry that an operator allowed since then, or that left its list. */
  @Test
  void whatThisGatewayRefusedAndWouldNotRefuseNowIsSaid() throws Exception {
    session(PARTNER, "ann@partner-mail.net", 1, Outcome.REFUSED, "live");
    session(SPAMMER, "x@bulk-mail.net", 1, Outcome.REFUSED, "live");
    Side side = live(List.of(SPAMMER), Action.REJECT);
    ImpactReport own = impact(Change.enforcing(side));
    assertEquals(1, own.already().sum().sessions());
    assertEquals(new ImpactReport.Sum(1, 0, 0), own.fewer().sum());
    assertEquals("partner-mail.net", own.fewer().domains().getFirst().name());
    // What another server refused, its own lists go on to refuse.
    assertEquals(0, impact(Change.from(side)).fewer().sum().sessions());
  }

  /** Nobody knows whether it would be refused now. */
  @Test
  void whatTheContentDecidedIsNotSaidToBeRefusedNoLonger() throws Exception {
    session(PARTNER, "ann@partner-mail.net", 1, Outcome.REFUSED, "live");
    PastSession plain = sessions.removeFirst();
    sessions.add(listed(plain, plain.facts(), Set.of(Missing.CONTENT), 1));
    ImpactReport own = impact(Change.enforcing(live(List.of(SPAMMER), Action.REJECT)));
    assertEquals(0, own.fewer().sum().sessions());
    assertEquals(Map.of(Missing.CONTENT, 1L), own.missing());
  }

  /** A list of URLs must not look harmless because no session keeps the URLs of its mail. */
  @Test
  void whatListsAskOfTheContentIsNotKnownOfAcceptedMail() throws Exception {
    session(PARTNER, "ann@partner-mail.net", 1, Outcome.ACCEPTED);
    session(PARTNER, "ann@partner-mail.net", 2, Outcome.ACCEPTED);
    session(SPAMMER, "x@bulk-mail.net", 2, Outcome.REFUSED);
    Path file = Built.write(folder, "hosts", List.of("evil.example"));
    Candidate hosts =
        Candidate.named(
            "hosts", file.toString(), "", Set.of(Check.URL_HOST, Check.CLIENT_IP), Action.REJECT);
    Side side = live(List.of(SPAMMER), Action.REJECT);
    try (CandidateLists lists = Built.candidates(folder, List.of(hosts))) {
      Change adding = Change.adding(side, lists);
      Map<Missing, Long> missing = Map.of(Missing.HELO, 3L, Missing.CONTENT, 2L);
      assertEquals(missing, impact(adding).missing());
      assertEquals(missing, impact(Change.from(adding.after())).missing());
    }
    assertEquals(Map.of(Missing.HELO, 3L), impact(Change.enforcing(side)).missing());
  }

  /** A key of the content that a list had is asked again: by the lists and the actions of now. */
  @Test
  void whatWasListedOfTheContentIsAskedAgain() throws Exception {
    ContentKey link =
        ContentKey.parse(Check.URL_HOST, "http://evil.example/a", ContentKey.Place.OPEN)
            .orElseThrow();
    Side none =
        Built.side(
            folder, Map.of("live", List.of(SPAMMER), "urls", List.of("evil.example")), Map.of());
    assertEquals(0, impactOf(link, Change.enforcing(none)).hits().sessions());
    Side rejecting = withUrls(none, Action.REJECT);
    ImpactReport enforced = impactOf(link, Change.enforcing(rejecting));
    assertEquals(new ImpactReport.Sum(1, 0, 1), enforced.fresh().sum());
    assertEquals(Map.of(Missing.HELO, 1L), enforced.missing());
    Side watching = withUrls(none, Action.OBSERVE);
    assertEquals(0, impactOf(link, Change.enforcing(watching)).hits().sessions());
    Change promoted = Change.of("urls", watching, rejecting);
    assertEquals(1, impactOf(link, promoted).hits().sessions());
    assertEquals(Set.of(), promoted.newContentChecks());
    assertEquals(Set.of(Check.URL_HOST), Change.of("urls", none, rejecting).newContentChecks());
    ContentKey quoted =
        ContentKey.parse(Check.URL_HOST, "http://evil.example/a", ContentKey.Place.NESTED)
            .orElseThrow();
    assertEquals(0, impactOf(quoted, Change.enforcing(rejecting)).hits().sessions());
    Side without = withUrls(live(List.of(SPAMMER), Action.REJECT), Action.REJECT);
    assertEquals(0, impactOf(link, Change.enforcing(without)).hits().sessions());
  }

  private ImpactReport impactOf(ContentKey listed, Change change) throws Exception {
    sessions.clear();
    session(PARTNER, "ann@partner-mail.net", 1, Outcome.ACCEPTED);
    PastSession past = sessions.removeFirst();
    Facts facts = past.facts().withContent(new Content(List.of(listed)));
    sessions.add(listed(past, facts, past.missing(), 1));
    return impact(change);
  }

  private static Side withUrls(Side side, Action action) {
    Map<String, Policy.FeedRule> rules = new HashMap<>(side.policy().feeds());
    rules.put("urls", new Policy.FeedRule(9, Set.of(Check.URL_HOST), action, null, null));
    return new Side(side.lists(), side.policy().withFeeds(rules));
  }

  /** A live list that became wrong must not hide the good senders that it lists. */
  @Test
  void whatWasDeliveredWasNotRefusedAlready() throws Exception {
    for (int day = 1; day <= 3; day++) {
      session(PARTNER, "ann@partner-mail.net", day, Outcome.ACCEPTED);
    }
    Side side = live(List.of(PARTNER), Action.REJECT);
    for (ImpactReport report :
        List.of(
            ofCandidate(side, PARTNER),
            impact(Change.of("live", side, side)),
            impact(Change.between(side, side)))) {
      assertEquals(new ImpactReport.Sum(3, 0, 3), report.hits());
      assertEquals(0, report.already().sum().sessions());
      assertEquals(Map.of(), report.already().lists());
      assertEquals(new ImpactReport.Sum(3, 0, 3), report.fresh().sum());
      assertEquals(1, report.fresh().known().count());
    }
  }

  /** The mail came again: it was put off then, and would be put off now. */
  @Test
  void whatAGreylistPutsOffAndDeliveredLaterIsNotNew() throws Exception {
    session(PARTNER, "ann@partner-mail.net", 1, Outcome.ACCEPTED);
    Side side = live(List.of(PARTNER), Action.GREYLIST);
    assertEquals(1, impact(Change.between(side, side)).already().sum().sessions());
    assertEquals(0, impact(Change.between(side, side)).fresh().sum().sessions());
  }

  /** Mode observe and exempt recipients let spam pass: that makes no good sender. */
  @Test
  void mailThatAListWasAgainstMakesNoKnownSender() throws Exception {
    session(SPAMMER, "x@bulk-mail.net", 3, Outcome.ACCEPTED);
    session(SPAMMER, "x@bulk-mail.net", 2, Outcome.ACCEPTED);
    PastSession plain = sessions.removeLast();
    sessions.add(listed(plain, plain.facts(), Set.of(), 1));
    ImpactReport report = ofCandidate(live(List.of("45.0.0.1"), Action.REJECT), SPAMMER);
    assertEquals(2, report.delivered());
    assertEquals(0, report.fresh().known().count());
    // Its mail was accepted anyway.
    assertEquals(1, report.fresh().noted().count());
    assertEquals(0, report.fresh().unknownNetworks());
  }

  @Test
  void tablesAreBounded() throws Exception {
    for (int i = 0; i < 51_000; i++) {
      session("45.66.0.9", "x@d" + i + ".bulk-mail.net", 1, Outcome.ACCEPTED);
    }
    ImpactReport report = ofCandidate(live(List.of("45.0.0.1"), Action.REJECT), SPAMMER);
    assertEquals(51_000, report.fresh().sum().sessions());
    assertEquals(1_000, report.fresh().omitted());
    assertEquals(ChangedSenders.SHOWN, report.fresh().domains().size());
    assertTrue(Json.write(report.toJson()).contains("\"not_named\":1000"));
  }

  @Test
  void theGuardHoldsBackWhatItWouldOfAFeed() throws Exception {
    session("10.0.0.9", "x@bulk-mail.net", 1, Outcome.ACCEPTED);
    session(SPAMMER, "x@bulk-mail.net", 1, Outcome.ACCEPTED);
    Path file = Built.write(folder, "tried", List.of("10.0.0.9", SPAMMER));
    try (CandidateLists lists =
        Built.candidates(folder, List.of(Built.candidate(file, Action.REJECT)))) {
      assertEquals(1, lists.entries());
      assertTrue(
          lists.notes().getFirst().contains("1 entries are held back"), lists.notes()::toString);
    }
  }

  @Test
  void aListThatCannotBeUsedIsLeftOutAndLeavesNothingBehind() throws Exception {
    Path page = Built.write(folder, "page", List.of("<!DOCTYPE html><html>moved</html>"));
    Path good = Built.write(folder, "good", List.of(SPAMMER));
    List<Candidate> both = List.of(Built.candidate(page, Action.REJECT), candidate("good", good));
    Path scratch = Files.createDirectory(folder.resolve("scratch"));
    try (CandidateLists lists = Built.candidates(scratch, both)) {
      assertEquals(List.of("good"), lists.lists().stream().map(Candidate::name).toList());
      assertTrue(lists.notes().toString().contains("it is left out"), lists.notes()::toString);
    }
    CandidateLists.UnusableException e =
        assertThrows(
            CandidateLists.UnusableException.class,
            () -> Built.candidates(scratch, both.subList(0, 1)));
    assertFalse(String.valueOf(e.getMessage()).isEmpty());
    try (Stream<Path> left = Files.list(scratch)) {
      assertEquals(List.of(), left.toList());
    }
  }

  private static Candidate candidate(String name, Path file) {
    return Candidate.named(name, file.toString(), "", Built.CHECKS, Action.REJECT);
  }
}
