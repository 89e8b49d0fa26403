package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.Json;
import io.bloomgate.gateway.testkit.LoopbackDns.Mood;
import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A whole gateway that looks at the names of its clients, and a name server on loopback. */
class SignStoryTest extends DnsStory {

  private static final String POOLED = "192.0.2.66";
  private static final String FORGED = "192.0.2.67";
  private static final String NAMED = "192.0.2.68";
  private static final String UNNAMED = "192.0.2.69";
  private static final String WATCHED = "198.51.100.9";
  private static final String LISTED = "203.0.113.7";

  @BeforeEach
  void start() throws IOException {
    dns.reverse(POOLED, "dyn-66.isp.example").forward("dyn-66.isp.example", POOLED);
    dns.reverse(FORGED, "forged.example").forward("forged.example", "192.0.2.1");
    dns.reverse(NAMED, "mail.bad.example").forward("mail.bad.example", NAMED);
    dns.reverse(WATCHED, "pool9.isp.example").forward("pool9.isp.example", WATCHED);
    dns.reverse(LISTED, "dyn-7.isp.example").forward("dyn-7.isp.example", LISTED);
    gateway.with(
        "feeds",
        feeds(
            "names: {file: FOLDER/hosts.txt, format: domains, match: suffix, checks:"
                + " [client_name]}"));
    gateway.with(
        "signs",
        "{no_reverse_name: {action: tempfail}, unconfirmed_name: {action: reject}, generic_name:"
            + " {action: observe}}");
    gateway.with("rules", "{weak: {any: 2, of: [generic_name, watch], action: reject}}");
    gateway.write("hosts.txt", "bad.example", "forged.example", "h.example.org");
    gateway.start();
  }

  private String feeds(String more) {
    return """

      guard: {max_turnover: none, max_shrink: 100%}
      sources:
        drop: {file: FOLDER/drop.txt, format: ips, checks: [client_ip], action: reject, allow_bogons: true}
        watch: {file: FOLDER/grey.txt, format: ips, checks: [client_ip], allow_bogons: true}
        MORE\
    """
        .replace("MORE", more)
        .replace("FOLDER", folder.toString());
  }

  @Test
  void theReplySaysWhatWasSeen() throws IOException {
    String unnamed = rcpt(UNNAMED);
    assertTrue(
        unnamed.startsWith(
            "451 4.7.1 Service unavailable; Client host [192.0.2.69] has no reverse name (PTR) in"
                + " DNS ["),
        unnamed);
    String forged = rcpt(FORGED);
    assertTrue(
        forged.startsWith(
            "554 5.7.1 Service unavailable; Client host [192.0.2.67] has the reverse name"
                + " forged.example, which does not lead back to it ["),
        forged);
    assertEquals(OK, rcpt(NAMED));
    assertEquals(OK, rcpt(POOLED), "it only observes");
    assertEquals(OK, gateway.rcpt(FORGED, "a@b.example.org", "postmaster@example.com"));
  }

  @Test
  void aSignAndAListRefuseTogether() throws IOException {
    String refused = rcpt(WATCHED);
    assertTrue(
        refused.startsWith(
            "554 5.7.1 Service unavailable; Client host [198.51.100.9] blocked using watch;"
                + " it has the reverse name pool9.isp.example, as pools of changing addresses have"
                + " ["),
        refused);
  }

  @Test
  void dnsThatFailsIsNoSign() throws IOException {
    dns.mood(Mood.SERVFAIL);
    assertEquals(OK, rcpt(UNNAMED));
    dns.remove("A forged.example");
    assertEquals(OK, rcpt(FORGED));
  }

  @Test
  void silentDnsLetsMailPassAfterTheTimeOfALookUp() throws IOException {
    dns.mood("PTR 69.2.0.192.in-addr.arpa", Mood.SILENT);
    assertEquals(OK, rcpt(UNNAMED));
  }

  @Test
  void whatAFileListRefusesOrAnEntryAllowsIsNotLookedUp() throws IOException {
    assertTrue(rcpt(LISTED).contains("blocked using drop ["));
    gateway.write("allow.list", UNNAMED);
    Conditions.await("the allow entry", () -> explain(UNNAMED).contains("\"allow\":{\"entry\""));
    int asked = dns.questions().size();
    assertEquals(OK, rcpt(UNNAMED));
    assertEquals(asked, dns.questions().size(), dns.questions()::toString);
    assertFalse(dns.questions().toString().contains("113.0.203"), dns.questions()::toString);
  }

  @Test
  void explainLooksTheNameUpAndShowsIt() throws IOException {
    String explained = explain(FORGED);
    assertTrue(explained.contains("\"verdict\":\"reject\""), explained);
    assertTrue(
        explained.contains("\"feed\":\"unconfirmed_name\",\"entry\":\"forged.example\""),
        explained);
    assertTrue(explained.contains("\"undo\":\"bloomgate allow add 192.0.2.67"), explained);
  }

  @Test
  void anIncidentOfASignIsExplained() throws IOException {
    String refused = rcpt(FORGED);
    String explained = Json.write(gateway.incident(refused));
    assertTrue(
        explained.contains(
            "\"feed\":\"unconfirmed_name\",\"entry\":\"forged.example\",\"line\":null,"
                + "\"since\":null"),
        explained);
    assertTrue(explained.contains("\"hit\":false"), explained);
  }

  @Test
  void explainTakesANameThatIsSaid() throws IOException {
    String explained =
        Json.write(
            gateway
                .control(
                    new ControlRequest.Explain(
                        "192.0.2.99", null, null, null, null, "dyn-9.isp.example", null))
                .items()
                .getFirst());
    assertTrue(
        explained.contains("\"feed\":\"generic_name\",\"entry\":\"dyn-9.isp.example\""), explained);
    assertEquals(0, dns.questions().size(), dns.questions()::toString);
  }

  @Test
  void aListOfClientNamesIsAskedForTheConfirmedName() throws IOException {
    gateway.with(
        "feeds",
        feeds(
            "names: {file: FOLDER/hosts.txt, format: domains, match: suffix, checks: [client_name],"
                + " action: reject}"));
    gateway.writeSettings();
    gateway.gateway().reload();
    String refused = rcpt(NAMED);
    assertTrue(
        refused.startsWith(
            "554 5.7.1 Service unavailable; Client host [mail.bad.example] blocked using names ["),
        refused);
    assertTrue(rcpt(FORGED).contains("which does not lead back to it"));
    assertEquals(OK, rcpt(POOLED));
  }

  @Test
  void aDnsListIsAskedForTheConfirmedName() throws IOException {
    dns.forward("test.dbl.example", "127.0.1.2");
    dns.forward("mail.bad.example.dbl.example", "127.0.1.4");
    dns.forward("forged.example.dbl.example", "127.0.1.4");
    gateway.with(
        "feeds",
        feeds(
            "dbl: {dns: dbl.example, checks: [client_name], codes: [127.0.1.2-99], timeout: 2s,"
                + " action: reject}"));
    gateway.with("signs", "{}").with("rules", "{}");
    gateway.writeSettings();
    gateway.gateway().reload();
    Conditions.await("the DNS list", () -> rcpt(NAMED).startsWith("554"));
    String refused = rcpt(NAMED);
    assertTrue(
        refused.startsWith(
            "554 5.7.1 Service unavailable; Client host [mail.bad.example] blocked using dbl ["),
        refused);
    assertEquals(OK, rcpt(FORGED));
    assertTrue(explain(NAMED).contains("\"kind\":\"client_name\""), explain(NAMED));
  }

  @Test
  void withoutSignsAndSuchListsNothingIsAsked() throws IOException {
    gateway.with("feeds", feeds("more: {file: FOLDER/hosts.txt, format: domains}"));
    gateway.with("signs", "{}").with("rules", "{}");
    gateway.writeSettings();
    gateway.gateway().reload();
    assertEquals(OK, rcpt(UNNAMED));
    assertEquals(OK, rcpt(FORGED));
    assertEquals(0, dns.questions().size(), dns.questions()::toString);
  }
}
