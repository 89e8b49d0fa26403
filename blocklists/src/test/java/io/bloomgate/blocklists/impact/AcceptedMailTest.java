package io.bloomgate.blocklists.impact;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.config.name.IpAddress;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

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
