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
import java.util.ArrayList;
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

  private static PastSession session(String client, String from, Outcome outcome, boolean refused) {
    Facts facts =
        Facts.ofClient(IpAddress.parse(client).toOptional().orElseThrow())
            .withSender(MailAddress.parse(from).toOptional().orElseThrow());
    return new PastSession(START, "", facts, Set.of(), outcome, refused, List.of(), false, 1);
  }

  /** Accepted mail of this many networks. */
  private static List<PastSession> accepted(int networks) {
    List<PastSession> sessions = new ArrayList<>();
    for (int network = 0; network < networks; network++) {
      sessions.add(
          session(host(network), "a@partner" + network + ".example", Outcome.ACCEPTED, false));
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
            session("198.18.0." + i, "u" + i + "@partner.example", Outcome.ACCEPTED, false));
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
              .mapToObj(network ->
                  session(host(network), "mx+7@partner.example", Outcome.ACCEPTED, false))
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
        sessions.add(session(host(network), from, Outcome.ACCEPTED, true));
        sessions.add(session(host(network), from, Outcome.REFUSED, true));
        sessions.add(session(host(network), from, Outcome.OTHER, false));
      }
      s.sessions = sessions;
      publish(s, lines(0, 10));
      assertEquals("fresh", s.state(FEED));
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
