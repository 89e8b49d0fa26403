package io.bloomgate.blocklists.refresh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.impact.PastSession;
import io.bloomgate.blocklists.impact.PastSession.Outcome;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
import io.bloomgate.blocklists.operator.OperatorView;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.MailAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A version that would refuse networks whose mail was accepted waits for the operator. */
final class AcceptedMailCheckTest extends RefreshStories {

  private static final String FEED = "list";
  private static final Instant DAY_BEFORE = START.minus(Duration.ofDays(1));
  private static final String WIDE =
      ", action: reject, guard: {max_turnover: none, max_shrink: 100%, max_growth: 100000%";

  private static String host(int network) {
    return "198.18." + network + ".9";
  }

  private static String lines(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(network -> host(network) + "\n")
        .collect(Collectors.joining());
  }

  private static PastSession session(
      Instant at, String client, String from, Outcome outcome, boolean refused) {
    return session(at, client, "bob", from, outcome, refused);
  }

  private static PastSession session(
      Instant at, String client, String to, String from, Outcome outcome, boolean refused) {
    Facts facts =
        Facts.ofClient(IpAddress.parse(client).toOptional().orElseThrow())
            .withSender(MailAddress.parse(from).toOptional().orElseThrow())
            .withRecipient(new Facts.Recipient(to, true));
    return new PastSession(at, "", facts, Set.of(), outcome, refused, List.of(), false, 1);
  }

  /** Sessions with accepted mail, alike and at the same time. */
  private static List<PastSession> mails(int sessions, Instant at, String client, String from) {
    return Collections.nCopies(sessions, session(at, client, from, Outcome.ACCEPTED, false));
  }

  /** Accepted mail of this many networks: enough of each for a good network. */
  private static List<PastSession> accepted(int networks) {
    List<PastSession> sessions = new ArrayList<>();
    for (int network = 0; network < networks; network++) {
      sessions.addAll(mails(5, START, host(network), "a@partner" + network + ".example"));
    }
    return sessions;
  }

  /** A stage whose feed lists one host that sent no mail. */
  private RefreshStage live(String more) throws Exception {
    server.serve("/list", "203.0.113.7\n");
    RefreshStage stage = stage(url(FEED, "/list", more));
    stage.refresher.refreshHere(List.of(FEED), false, false);
    assertTrue(stage.listsIp("203.0.113.7"));
    return stage;
  }

  private RefreshStage live() throws Exception {
    return live(WIDE + "}");
  }

  private void publish(RefreshStage stage, String lines) throws Exception {
    server.serve("/list", lines);
    stage.refresher.refreshHere(List.of(FEED), false, true);
  }

  @Test
  void itIsHeldWithTheNamesOfTheNetworks() throws Exception {
    try (RefreshStage s = live()) {
      s.sessions = accepted(8);
      publish(s, lines(0, 8));
      assertEquals("held", s.state(FEED));
      assertTrue(s.listsIp("203.0.113.7"));
      assertFalse(s.listsIp(host(0)));
      String reasons = String.join("; ", s.show(FEED).reasons());
      assertTrue(
          reasons.contains(
              "would refuse 8 networks whose mail was accepted, max_good_hits is 5: 198.18.0.0/24"
                  + " (partner0.example) by 198.18.0.9, "),
          reasons);
      assertTrue(reasons.endsWith(" (partner4.example) by 198.18.4.9, and 3 more"), reasons);
    }
  }

  /** A list may say the same as often as it likes: it hides nothing. */
  @Test
  void repeatedLinesHideNothing() throws Exception {
    try (RefreshStage s = live()) {
      s.sessions = accepted(8);
      publish(s, (host(0) + "\n").repeat(100_001) + lines(0, 8));
      assertEquals("held", s.state(FEED));
      assertTrue(s.problem(FEED).contains("would refuse 8 networks"), s.problem(FEED));
    }
  }

  /** More entries than are tried: what the others would do is not known. */
  @Test
  void aVersionWithTooManyEntriesToTryIsHeld() throws Exception {
    // As many as the guard of growth wants.
    server.serve(
        "/list",
        IntStream.range(0, 200)
            .mapToObj("2a0b:9:0:%x::1\n"::formatted)
            .collect(Collectors.joining()));
    try (RefreshStage s = stage(url(FEED, "/list", WIDE + "}"))) {
      s.refresher.refreshHere(List.of(FEED), false, false);
      s.sessions = mails(5, START, "2a0b:1:2:3::5", "a@partner.example");
      String many =
          IntStream.range(0, 100_001)
              .mapToObj(i -> "2a0b:1:2:3::1:%x:%x\n".formatted(i >> 16, i & 0xffff))
              .collect(Collectors.joining());
      publish(s, many);
      assertEquals("held", s.state(FEED));
      assertTrue(
          s.problem(FEED)
              .contains(
                  "held: good mail: more than 100000 of its entries concern networks whose mail"
                      + " was accepted, too many to try"),
          s.problem(FEED));
      s.accept(FEED);
      assertTrue(s.listsIp("2a0b:1:2:3::1:0:1"));
      publish(s, many + "203.0.113.9\n");
      assertEquals("fresh", s.state(FEED), "what the operator let through is not held again");
    }
  }

  @Test
  void asManyAsTheLimitGoLive() throws Exception {
    try (RefreshStage s = live()) {
      s.sessions = accepted(5);
      publish(s, lines(0, 40));
      assertEquals("fresh", s.state(FEED));
      assertTrue(s.listsIp(host(0)));
      assertEquals(List.of(), s.show(FEED).reasons());
    }
  }

  @Test
  void sessionsOfOneNetworkCountOnce() throws Exception {
    try (RefreshStage s = live()) {
      List<PastSession> sessions = new ArrayList<>();
      for (int i = 1; i < 60; i++) {
        sessions.add(
            session(START, "198.18.0." + i, "u" + i + "@partner.example", Outcome.ACCEPTED, false));
      }
      s.sessions = sessions;
      publish(s, "198.18.0.0/24\n");
      assertEquals("fresh", s.state(FEED));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"198.18.0.0/16\n", "partner.example\n", "mx@partner.example\n"})
  void oneEntryOfAnyKindMayHitThemAll(String entry) throws Exception {
    try (RefreshStage s = live(WIDE + "}, match: suffix")) {
      s.sessions =
          IntStream.range(0, 6)
              .boxed()
              .flatMap(network -> mails(5, START, host(network), "mx+7@partner.example").stream())
              .toList();
      publish(s, entry);
      assertEquals("held", s.state(FEED));
      assertTrue(s.problem(FEED).contains(" by " + entry.strip()), s.problem(FEED));
    }
  }

  @Test
  void whatMayNotCountIsNoHit() throws Exception {
    try (RefreshStage s = live()) {
      List<PastSession> sessions = new ArrayList<>();
      for (int network = 0; network < 10; network++) {
        String from = "a@partner.example";
        for (int mail = 0; mail < 5; mail++) {
          sessions.add(session(START, host(network), from, Outcome.ACCEPTED, true));
          sessions.add(session(START, host(network), from, Outcome.REFUSED, true));
          sessions.add(session(START, host(network), from, Outcome.OTHER, false));
        }
      }
      s.sessions = sessions;
      publish(s, lines(0, 10));
      assertEquals("fresh", s.state(FEED));
    }
  }

  /** A stranger gets one mail accepted, or some on one day: that makes no good network. */
  @Test
  void aFewMailsOfOneDayMakeNoGoodNetwork() throws Exception {
    try (RefreshStage s = live()) {
      List<PastSession> sessions = new ArrayList<>();
      for (int network = 0; network < 10; network++) {
        sessions.addAll(mails(4, START, host(network), "a@stranger.example"));
      }
      s.sessions = sessions;
      publish(s, lines(0, 10));
      assertEquals("fresh", s.state(FEED), s.problem(FEED));
    }
  }

  @Test
  void twoMailsOfTwoDaysMakeAGoodNetwork() throws Exception {
    try (RefreshStage s = live()) {
      List<PastSession> sessions = new ArrayList<>();
      for (int network = 0; network < 10; network++) {
        sessions.addAll(mails(1, START, host(network), "a@partner.example"));
      }
      for (int network = 0; network < 6; network++) {
        // Another host of the same network, and another day as UTC counts.
        sessions.addAll(mails(1, DAY_BEFORE, "198.18." + network + ".77", "b@partner.example"));
      }
      s.sessions = sessions;
      publish(s, lines(0, 10));
      assertTrue(s.problem(FEED).contains("would refuse 6 networks"), s.problem(FEED));
    }
  }

  @Test
  void theSettingSaysHowManyMailsOfOneDayMakeAGoodNetwork() throws Exception {
    try (RefreshStage s = live()) {
      s.sessions = accepted(8);
      s.settings =
          RefreshStage.settingsOfFeeds(
              "promotion: {good_network: 6}", url(FEED, "/list", WIDE + "}"));
      publish(s, lines(0, 8));
      assertEquals("fresh", s.state(FEED), s.problem(FEED));
    }
  }

  /** Of one network only some sessions count: it cannot fill the window. */
  @Test
  void oneNetworkHidesNoOther() throws Exception {
    try (RefreshStage s = live()) {
      List<PastSession> sessions =
          new ArrayList<>(mails(100_500, START.plusSeconds(60), "198.19.1.4", "a@flood.example"));
      sessions.addAll(accepted(8));
      s.sessions = sessions;
      publish(s, lines(0, 8));
      assertEquals("held", s.state(FEED));
      assertTrue(s.problem(FEED).contains("would refuse 8 networks"), s.problem(FEED));
    }
  }

  /** No list refuses such mail, so it says nothing of a list and takes no room. */
  @Test
  void mailToExemptRecipientsDoesNotCount() throws Exception {
    try (RefreshStage s = live()) {
      List<PastSession> sessions = new ArrayList<>();
      for (int i = 0; i < 100_500; i++) {
        String client = "%d.%d.%d.4".formatted(8 + (i >> 16), i >> 8 & 0xff, i & 0xff);
        sessions.add(session(START, client, "postmaster", "a@x.example", Outcome.ACCEPTED, false));
      }
      sessions.addAll(accepted(8));
      s.sessions = sessions;
      publish(s, lines(0, 8));
      assertEquals("held", s.state(FEED));
      assertTrue(s.problem(FEED).contains("would refuse 8 networks"), s.problem(FEED));
    }
  }

  @Test
  void anAllowEntryPardons() throws Exception {
    try (RefreshStage s = live()) {
      s.sessions = accepted(8);
      s.operator =
          OperatorView.of(
              List.of(
                  new OperatorEntry(
                      "1",
                      ListKind.ALLOW,
                      IpPrefix.parse("198.18.0.0/22").toOptional().orElseThrow(),
                      null,
                      Set.of(),
                      false,
                      "partners",
                      "root",
                      START,
                      null)));
      publish(s, lines(0, 8));
      assertEquals("fresh", s.state(FEED), s.problem(FEED));
    }
  }

  @Test
  void anExceptionOfTheVersionItselfCounts() throws Exception {
    try (RefreshStage s = live(WIDE + "}, format: \"rbldnsd:ip4set\"")) {
      s.sessions = accepted(8);
      publish(s, "198.18.0.0/20\n");
      assertTrue(s.problem(FEED).contains("would refuse 8 networks"), s.problem(FEED));
      publish(s, "198.18.0.0/20\n!198.18.0.0/22\n");
      assertFalse(s.problem(FEED).contains("would refuse"), s.problem(FEED));
    }
  }

  @Test
  void aFeedThatOnlyObservesIsNotJudged() throws Exception {
    try (RefreshStage s = live(WIDE.replace("reject", "observe") + "}")) {
      s.sessions = accepted(20);
      publish(s, lines(0, 20));
      assertEquals("fresh", s.state(FEED));
    }
  }

  @Test
  void oneThatARuleCountsIsJudged() throws Exception {
    String observed = WIDE.replace("reject", "observe") + "}";
    server.serve("/list", "203.0.113.7\n");
    server.serve("/other", lines(0, 20));
    String[] sources = {url(FEED, "/list", observed), url("other", "/other", observed)};
    try (RefreshStage s = stage(sources)) {
      s.settings =
          RefreshStage.settingsWith(
              "rules: {both: {all: [list, other], action: reject}}\n", sources);
      s.refresher.refreshHere(List.of(FEED, "other"), false, false);
      s.sessions = accepted(20);
      publish(s, lines(0, 7));
      assertEquals("held", s.state(FEED));
      assertTrue(s.problem(FEED).contains("would refuse 7 networks"), s.problem(FEED));
    }
  }

  @Test
  void noneSwitchesItOff() throws Exception {
    try (RefreshStage s = live(WIDE + ", max_good_hits: none}")) {
      s.sessions = accepted(20);
      publish(s, lines(0, 20));
      assertEquals("fresh", s.state(FEED));
    }
  }

  @Test
  void whatTheLiveVersionRefusesIsNotNew() throws Exception {
    try (RefreshStage s = live()) {
      publish(s, lines(0, 20));
      s.sessions = accepted(20);
      publish(s, lines(0, 20) + "203.0.113.9\n");
      assertEquals("fresh", s.state(FEED), s.problem(FEED));
      assertTrue(s.listsIp("203.0.113.9"));
    }
  }

  @Test
  void whatTheOperatorAcceptedIsNotHeldAgain() throws Exception {
    try (RefreshStage s = live()) {
      s.sessions = accepted(20);
      publish(s, lines(0, 10));
      assertEquals("held", s.state(FEED));
      s.accept(FEED);
      assertTrue(s.listsIp(host(3)));
      publish(s, lines(0, 10) + "203.0.113.9\n");
      assertEquals("fresh", s.state(FEED), s.problem(FEED));
      publish(s, "203.0.113.9\n");
      assertFalse(s.listsIp(host(3)));
      publish(s, lines(0, 10));
      assertEquals("fresh", s.state(FEED), "the list drops entries and takes them up again");
      publish(s, lines(0, 16));
      assertEquals("held", s.state(FEED));
      assertTrue(s.problem(FEED).contains("would refuse 6 networks"), s.problem(FEED));
    }
  }

  @Test
  void theFirstVersionOfAFeedIsJudgedToo() throws Exception {
    server.serve("/list", lines(0, 6));
    try (RefreshStage s = stage(url(FEED, "/list", WIDE + "}"))) {
      s.sessions = accepted(6);
      s.refresher.refreshHere(List.of(FEED), false, false);
      assertFalse(s.listsIp(host(0)));
      assertTrue(s.problem(FEED).contains("would refuse 6 networks"), s.problem(FEED));
      s.accept(FEED);
      assertTrue(s.listsIp(host(0)));
    }
  }
}
