package io.bloomgate.blocklists.sessions;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.blocklists.content.ContentKey.Place;
import io.bloomgate.blocklists.decision.DnsListing;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Ground.Weakness;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.settings.Action;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a kept session says that DNS lists answered, when it is decided on again. */
final class PastDnsAnswersTest {

  private static Facts facts(Evidence.Listing... listings) {
    Evidence any = new KeptSessions(1).next(Instant.parse("2026-11-23T03:00:00Z"));
    Evidence.Decision decision =
        new Evidence.Decision(
            any.decision().id(),
            any.decision().stage(),
            any.decision().mode(),
            Outcome.REFUSED,
            "",
            "reject",
            0,
            List.of(listings),
            "554 no");
    return PastMail.of(
            new Evidence(
                any.at(),
                any.client(),
                any.helo(),
                "a@d.example",
                List.of("home.example"),
                1,
                "ESMTP",
                "",
                decision,
                0,
                Duration.ZERO,
                1,
                new Evidence.More(any.name(), false, false)))
        .facts();
  }

  private static Evidence.Listing listing(String entry, Place place) {
    return new Evidence.Listing(
        Check.URL_HOST,
        "evil.example",
        "dbl",
        entry,
        0,
        Action.REJECT,
        "",
        place,
        Weakness.NONE,
        false);
  }

  @Test
  void whatADnsListSaidOfTheContentIsTakenAsItWas() {
    Facts facts = facts(listing("127.0.1.4 from dbl.example", Place.NESTED));
    DnsListing answer = facts.dns().getFirst();
    assertEquals("evil.example", answer.subject().toString());
    assertEquals("dbl.example", answer.zone());
    assertEquals(Place.NESTED, answer.place());
    assertEquals(1, facts.content().keys().size(), "the lists that are here now are asked too");
  }

  @Test
  void anEntryOfAFeedIsNoAnswer() {
    Facts facts = facts(listing("evil.example", Place.OPEN));
    assertEquals(List.of(), facts.dns());
    assertEquals(1, facts.content().keys().size());
  }
}
