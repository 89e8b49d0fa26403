package io.bloomgate.blocklists.impact;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read of the accepted mail, and of whom. */
final class AcceptedMailTest {

  private static final Policy POLICY = Side.withoutLists(List.of()).policy();

  private static PastSession session(String client) {
    return new PastSession(
        Instant.EPOCH,
        "",
        Facts.ofClient(IpAddress.parse(client).toOptional().orElseThrow()),
        Set.of(),
        PastSession.Outcome.ACCEPTED,
        false,
        List.of(),
        false,
        1);
  }

  /** Side by side networks of one customer are one for the window. */
  @Test
  void aNetworkIsWantedUntilItHasItsPart() {
    MailWindow window = new MailWindow(POLICY, 5);
    for (int mail = 0; mail < MailWindow.MAX_OF_NETWORK; mail++) {
      String client = "2a0b:1:%x::%x".formatted(mail % 16, mail);
      assertTrue(window.wants(session(client).facts().client()), client);
      assertTrue(window.take(session(client)));
    }
    assertFalse(window.wants(session("2a0b:1:7::1").facts().client()));
    assertTrue(window.wants(session("2a0b:1:17::1").facts().client()));
  }

  @Test
  void aFullWindowTakesNoMore() {
    MailWindow window = new MailWindow(POLICY, 5);
    for (int mail = 1; mail < MailWindow.MAX_SESSIONS; mail++) {
      assertTrue(
          window.take(session("11.%d.%d.1".formatted(mail >> 8 & 0xff, mail & 0xff))), "" + mail);
    }
    assertFalse(window.take(session("12.0.0.1")));
    assertEquals(MailWindow.MAX_SESSIONS, window.sessions());
  }

  /** Two hundred rented networks, each with all the mail that a network may have in the window. */
  @Test
  void manyNetworksWithMuchMailDoNotPushOutOthers() throws IOException {
    int rented = MailWindow.MAX_SESSIONS / MailWindow.MAX_OF_NETWORK;
    List<String> newestFirst = new ArrayList<>();
    for (int mail = 0; mail < 3 * MailWindow.MAX_SESSIONS; mail++) {
      newestFirst.add("11.%d.0.%d".formatted(mail % rented, mail % 251));
    }
    for (int mail = 0; mail < 5; mail++) {
      newestFirst.add("203.0.113.7");
    }
    AcceptedMail mail = AcceptedMail.read(taker -> offer(newestFirst, taker), POLICY, 5);
    assertTrue(
        mail.sessions().stream()
            .anyMatch(session -> session.facts().client().toString().equals("203.0.113.7")));
    Map<IpAddress, Integer> ofNetwork = new HashMap<>();
    for (PastSession session : mail.sessions()) {
      ofNetwork.merge(ClientNetwork.of(session.facts().client()), 1, Integer::sum);
    }
    assertEquals(rented + 1, ofNetwork.size(), "each network has its part");
    int most = ofNetwork.values().stream().mapToInt(Integer::intValue).max().orElseThrow();
    assertTrue(most <= MailWindow.MAX_OF_NETWORK / 2, most + " sessions of one network");
    assertEquals("", mail.shortfall());
  }

  @Test
  void aFullWindowLooksNotForEverForOthers() throws IOException {
    List<String> newestFirst = new ArrayList<>();
    for (int mail = 0; mail < MailWindow.MAX_LOOKED_AT; mail++) {
      newestFirst.add("11.%d.0.%d".formatted(mail % 250, mail % 251));
    }
    newestFirst.add("203.0.113.7");
    newestFirst.add("203.0.114.7");
    MailWindow window = new MailWindow(POLICY, 1);
    offer(newestFirst, window);
    assertTrue(window.wants(session("203.0.114.7").facts().client()), "the last is not taken");
    assertTrue(window.sessions() < MailWindow.MAX_SESSIONS);
    assertEquals(
        1,
        window.ofGoodNetworks().stream()
            .filter(one -> one.facts().client().toString().startsWith("203."))
            .count());
  }

  /** By the words of its description, without any thought of time. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void whatIsKeptIsTheNewestOfEachThatAreAlikeAndOfGoodNetworks(long seed) throws IOException {
    Random random = new Random(seed);
    int goodSessions = 1 + random.nextInt(300);
    List<PastSession> newestFirst =
        new RandomMail(seed)
            .sessions(1_500).stream().map(session -> changed(session, random)).toList();
    Map<List<Object>, PastSession> alike = new LinkedHashMap<>();
    Map<IpPrefix, Set<LocalDate>> days = new HashMap<>();
    Map<IpPrefix, Integer> sessions = new HashMap<>();
    for (PastSession session : newestFirst) {
      Facts facts = session.facts();
      Facts.Recipient to = Objects.requireNonNull(facts.recipient());
      if (session.outcome() == PastSession.Outcome.ACCEPTED && !POLICY.isExempt(to)) {
        Facts asked = facts.withSender(facts.sender(), facts.senderDomain());
        alike.putIfAbsent(List.of(asked, session.known()), session);
        IpPrefix site = ClientNetwork.site(facts.client());
        LocalDate day = LocalDate.ofInstant(session.at(), ZoneOffset.UTC);
        days.computeIfAbsent(site, _ -> new HashSet<>()).add(day);
        sessions.merge(site, session.times(), Integer::sum);
      }
    }
    List<PastSession> expected =
        alike.values().stream()
            .filter(session -> {
              IpPrefix site = ClientNetwork.site(session.facts().client());
              return days.getOrDefault(site, Set.of()).size() > 1
                  || sessions.getOrDefault(site, 0) >= goodSessions;
            })
            .toList();
    assertTrue(alike.size() < sessions.values().stream().mapToInt(n -> n).sum(), "seed " + seed);
    AcceptedSource source =
        taker -> {
          newestFirst.forEach(session -> {
            assertTrue(taker.wants(session.facts().client()), "seed " + seed);
            assertTrue(taker.take(session), "seed " + seed);
          });
          return Optional.empty();
        };
    assertEquals(
        expected, AcceptedMail.read(source, POLICY, goodSessions).sessions(), "seed " + seed);
  }

  /** Every second network sends IPv6 from one of two sites, every third one on one day. */
  private static PastSession changed(PastSession session, Random random) {
    Facts facts = session.facts();
    int bits = facts.client().v4Bits();
    int network = bits >>> 8 & 0xff;
    IpAddress client =
        network % 2 == 0
            ? facts.client()
            : new IpAddress(
                0x2001_0db8_0000_0000L | network << 20 | (bits & 1L) << 16, bits & 0xff);
    Facts changed =
        new Facts(
            client,
            facts.helo(),
            facts.sender(),
            facts.senderDomain(),
            facts.recipient(),
            facts.dns(),
            facts.seen(),
            facts.content());
    return new PastSession(
        network % 3 == 0 ? RandomMail.START : session.at(),
        session.id(),
        changed,
        session.missing(),
        session.outcome(),
        session.refused(),
        session.lists(),
        random.nextBoolean(),
        session.times());
  }

  private static Optional<String> offer(List<String> newestFirst, AcceptedSource.Taker taker) {
    for (String client : newestFirst) {
      IpAddress address = IpAddress.parse(client).toOptional().orElseThrow();
      if (taker.wants(address) && !taker.take(session(client))) {
        break;
      }
    }
    return Optional.empty();
  }

  @Test
  void readingThatEndedTooEarlyIsSaid() throws IOException {
    AcceptedSource source =
        taker -> {
          taker.take(session("203.0.113.7"));
          return Optional.of("5 s of reading");
        };
    assertEquals(
        "only 1 of 100000 sessions with accepted mail were found, the reading ended after 5 s of"
            + " reading",
        AcceptedMail.read(source, POLICY, 5).shortfall());
    assertEquals("", AcceptedMail.read(taker -> Optional.empty(), POLICY, 5).shortfall());
  }
}
