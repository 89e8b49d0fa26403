package io.bloomgate.blocklists.sessions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.content.ContentKey.Place;
import io.bloomgate.blocklists.decision.Content;
import io.bloomgate.blocklists.decision.DnsListing;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Ground.Weakness;
import io.bloomgate.blocklists.decision.Grounds.Waiver;
import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.blocklists.impact.PastSession;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Copy;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.config.settings.Sign;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What of a kept session is decided on again. */
class PastMailTest {

  private static final IpAddress FORWARDER = ip("192.0.2.25");
  private static final IpAddress CLIENT = ip("203.0.113.7");

  private static IpAddress ip(String text) {
    return IpAddress.parse(text).toOptional().orElseThrow();
  }

  private static PastSession past(Map<String, String> passed, Evidence.Listing... listings) {
    Evidence any = new KeptSessions(1).next(Instant.EPOCH);
    Map<String, ?> decision =
        Map.of(
            "stage", Stage.DATA,
            "mode", Mode.ENFORCE,
            "outcome", Outcome.DELIVERED,
            "verdict", "tag",
            "listings", List.of(listings));
    return PastMail.of(
        Copy.of(
            Evidence.class,
            any,
            Map.of(
                "client", FORWARDER,
                "decision", Copy.of(Evidence.Decision.class, any.decision(), decision),
                "more", Copy.of(RareFacts.class, RareFacts.NOTHING, Map.of("passed", passed)))));
  }

  private static Evidence.Listing shown(Check check, String subject, String sign, String seen) {
    return new Evidence.Listing(
        check, subject, sign, seen, 0, Action.TAG, "", Place.OPEN, Weakness.NONE, false);
  }

  @Test
  void aForwardedMailIsThatOfTheClientBehind() {
    Facts facts = past(Map.of(Evidence.FORWARDED_FOR, CLIENT.toString())).facts();
    assertEquals(CLIENT, facts.client());
    assertEquals(FORWARDER, facts.seen().forwarder());
    assertNull(facts.helo(), "of the client behind no HELO name is known");
    Facts unread = past(Map.of(Evidence.FORWARDED_FOR, FORWARDER.toString())).facts();
    assertEquals(FORWARDER, unread.client());
    assertEquals(FORWARDER, unread.seen().forwarder());
    Facts direct = past(Map.of()).facts();
    assertEquals(FORWARDER, direct.client());
    assertNull(direct.seen().forwarder());
  }

  @Test
  void signsOfTheContentAreKept() {
    PastSession past =
        past(
            Map.of(),
            shown(Check.URL_HOST, "198.51.100.9", "link_to_address", "198.51.100.9"),
            shown(Check.BODY, "192.0.2.25", "malformed", "against the rules of MIME"));
    List<Content.Shown> signs = past.facts().content().signs();
    assertEquals(
        List.of(Sign.LINK_TO_ADDRESS, Sign.MALFORMED),
        signs.stream().map(Content.Shown::sign).toList());
    assertEquals(ip("198.51.100.9"), signs.getFirst().subject());
    assertNull(signs.getLast().subject());
    assertTrue(past.missing().isEmpty(), "the signs decide again");
  }

  private static Evidence.Listing url(String entry, Place place) {
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
    Facts facts = past(Map.of(), url("127.0.1.4 from dbl.example", Place.NESTED)).facts();
    DnsListing answer = facts.dns().getFirst();
    assertEquals("evil.example", answer.subject().toString());
    assertEquals("dbl.example", answer.zone());
    assertEquals(Place.NESTED, answer.place());
    assertEquals(1, facts.content().keys().size(), "the lists that are here now are asked too");
  }

  @Test
  void anEntryOfAFeedIsNoAnswer() {
    Facts facts = past(Map.of(), url("evil.example", Place.OPEN)).facts();
    assertEquals(List.of(), facts.dns());
    assertEquals(1, facts.content().keys().size());
  }

  /** Mail to postmaster passes although a list is against its sender. */
  @Test
  void mailThatOnlyAnExemptionLetPassSaysNothingGoodOfItsSender() {
    String client = FORWARDER.toString();
    PastSession past =
        past(
            Map.of(),
            new Evidence.Listing(
                Check.CLIENT_IP,
                client,
                "feed1",
                client,
                3,
                Action.REJECT,
                Waiver.EXEMPT_RECIPIENT.words()));
    assertTrue(past.refused());
    assertEquals(List.of(), past.lists(), "it did not count");
  }
}
