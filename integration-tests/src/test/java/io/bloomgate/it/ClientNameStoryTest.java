package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlClient.Answer;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.gateway.testkit.Addition;
import io.bloomgate.gateway.testkit.LoopbackDns.Mood;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Entries of client names by command, in a whole gateway with a name server on loopback. */
class ClientNameStoryTest extends DnsStory {

  /** A feed refuses it. */
  private static final String LISTED = "203.0.113.7";

  private static final String POOLED = "192.0.2.66";
  private static final String FORGED = "192.0.2.67";

  @BeforeEach
  void start() throws IOException {
    dns.reverse(LISTED, "mail.partner.example").forward("mail.partner.example", LISTED);
    dns.reverse(POOLED, "h66.dyn.example").forward("h66.dyn.example", POOLED);
    dns.reverse(FORGED, "h67.dyn.example").forward("h67.dyn.example", "192.0.2.1");
    gateway.start();
  }

  private void assertListed() throws IOException {
    String refused = rcpt(LISTED);
    assertTrue(refused.startsWith("554"), refused);
  }

  private Answer add(ListKind list, String subject) {
    return gateway.control(Addition.of(list, List.of(subject)).scope(Check.CLIENT_NAME).request());
  }

  @Test
  void aBlockRefusesConfirmedNamesFromTheNextMailOn() throws IOException {
    assertEquals("250 2.1.5 Ok", rcpt(POOLED));
    assertEquals(0, dns.questions().size(), "nothing is looked up without such an entry");
    Answer added = add(ListKind.BLOCK, ".dyn.example");
    assertTrue(
        added.notes().toString().contains("their names are looked up from now on"),
        added.notes()::toString);
    String refused = rcpt(POOLED);
    assertTrue(
        refused.startsWith(
            "554 5.7.1 Service unavailable; Client host [h66.dyn.example] blocked using local"
                + " policy ["),
        refused);
    assertEquals("250 2.1.5 Ok", rcpt(FORGED), "a name that does not lead back");
    String explained = explain(POOLED);
    assertTrue(explained.contains("\"kind\":\"client_name\""), explained);
    assertTrue(explained.contains("\"entry\":\".dyn.example\""), explained);
    assertTrue(explained.contains("allow add --client-name h66.dyn.example"), explained);
    JsonObject incident = gateway.incident(refused);
    assertTrue(incident.toString().contains(".dyn.example"), incident::toString);
    assertTrue(incident.toString().contains("bloomgate block remove"), incident::toString);
    add(ListKind.ALLOW, "h66.dyn.example");
    assertEquals("250 2.1.5 Ok", rcpt(POOLED), "the narrower entry wins");
  }

  @Test
  void anAllowLetsAListedAddressIn() throws IOException {
    assertListed();
    add(ListKind.ALLOW, "mail.partner.example");
    assertEquals("250 2.1.5 Ok", rcpt(LISTED));
    assertTrue(explain(LISTED).contains("\"verdict\":\"accept\""), explain(LISTED));
    gateway.control(new ControlRequest.ListRemove(ListKind.ALLOW, List.of("mail.partner.example")));
    int asked = dns.questions().size();
    assertListed();
    assertEquals(asked, dns.questions().size(), "nothing is looked up any more");
  }

  @Test
  void dnsThatFailsConfirmsNothing() throws IOException {
    dns.remove("PTR 7.113.0.203.in-addr.arpa").remove("A h66.dyn.example").mood(Mood.SERVFAIL);
    add(ListKind.ALLOW, "mail.partner.example");
    add(ListKind.BLOCK, ".dyn.example");
    assertListed();
    assertEquals("250 2.1.5 Ok", rcpt(POOLED));
    assertFalse(explain(POOLED).contains("reject"), explain(POOLED));
  }
}
