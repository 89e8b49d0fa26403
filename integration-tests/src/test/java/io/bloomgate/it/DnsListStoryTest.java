package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.Json;
import io.bloomgate.gateway.testkit.LoopbackDns.Mood;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A whole gateway with lists that are asked by DNS, and a name server on loopback. */
class DnsListStoryTest extends DnsStory {

  private static final String LISTED = "192.0.2.66";
  private static final String LISTED_QUESTION = "A 66.2.0.192.zen.example";

  @BeforeEach
  void start() throws IOException {
    dns.forward("2.0.0.127.zen.example", "127.0.0.2")
        .forward("66.2.0.192.zen.example", "127.0.0.4");
    dns.forward("test.dbl.example", "127.0.1.2").forward("phish.example.dbl.example", "127.0.1.4");
    gateway.with(
        "feeds",
        """

          sources:
            drop: {file: FOLDER/drop.txt, format: ips, checks: [client_ip], action: reject, allow_bogons: true}
            zen: {dns: zen.example, codes: [127.0.0.2-11], action: reject, timeout: 1s,
                  info_url: "https://zen.example/why"}
            dbl: {dns: dbl.example, checks: [sender_domain, helo], codes: [127.0.1.2-99], timeout: 1s}
            watch: {file: FOLDER/grey.txt, format: ips, checks: [client_ip], allow_bogons: true}\
        """
            .replace("FOLDER", folder.toString()));
    gateway.with("rules", "{weak: {any: 2, of: [dbl, watch], action: reject}}");
    gateway.start();
    awaitLists();
  }

  @Test
  void aListedClientIsRefusedAndAnotherIsNot() throws IOException {
    String refused = rcpt(LISTED);
    assertTrue(
        refused.startsWith(
            "554 5.7.1 Service unavailable; Client host [192.0.2.66] blocked using zen; see"
                + " https://zen.example/why ["),
        refused);
    assertEquals(OK, rcpt("192.0.2.67"));
    assertEquals(OK, gateway.rcpt(LISTED, "a@b.example.org", "postmaster@example.com"));
  }

  @Test
  void aFileListThatRefusesAsksNoDns() throws IOException {
    dns.forward("7.113.0.203.zen.example", "127.0.0.4");
    String refused = rcpt("203.0.113.7");
    assertTrue(refused.contains("blocked using drop ["), refused);
    assertFalse(dns.questions().toString().contains("113.0.203"), dns.questions().toString());
  }

  @Test
  void anAllowedClientIsNotAskedAbout() throws IOException {
    allow(LISTED);
    assertEquals(OK, rcpt(LISTED));
    assertFalse(dns.questions().contains(LISTED_QUESTION), dns.questions().toString());
  }

  @Test
  void aDnsListAndAFileListRefuseTogether() throws IOException {
    String client = "198.51.100.9";
    assertEquals(OK, gateway.rcpt(client, "a@good.example.org"));
    String refused = gateway.rcpt(client, "a@phish.example");
    assertTrue(refused.contains("blocked using watch, dbl ["), refused);
  }

  @Test
  void deadDnsLetsMailPassAfterItsTimeout() throws IOException {
    dns.mood(LISTED_QUESTION, Mood.SILENT).remove(LISTED_QUESTION);
    assertEquals(OK, rcpt(LISTED));
  }

  @Test
  void explainAsksAndShowsTheAnswer() throws IOException {
    String explained = explain(LISTED);
    assertTrue(explained.contains("\"verdict\":\"reject\""), explained);
    assertTrue(explained.contains("\"entry\":\"127.0.0.4 from zen.example\""), explained);
    assertTrue(
        explained.contains(
            "\"dns\":{\"zone\":\"zen.example\",\"answer\":\"127.0.0.4\",\"ttl_s\":600"),
        explained);
    String clean = explain("192.0.2.67");
    assertTrue(clean.contains("\"verdict\":\"accept\""), clean);
  }

  @Test
  void aReloadWithoutTheListsEndsTheQuestions() throws IOException {
    gateway.with("rules", "{}").with("feeds", "{}");
    gateway.writeSettings();
    gateway.gateway().reload();
    assertEquals(OK, rcpt(LISTED));
    assertFalse(dns.questions().contains(LISTED_QUESTION), dns.questions().toString());
  }

  @Test
  void feedsListAndShowNameDnsListsAndDisableEndsTheQuestions() throws IOException {
    String listed = gateway.control(new ControlRequest.FeedsList()).items().toString();
    assertTrue(listed.contains("zen"), listed);
    String shown =
        Json.write(gateway.control(new ControlRequest.FeedsShow("zen")).items().getFirst());
    assertTrue(shown.contains("\"state\":\"dns\""), shown);
    assertTrue(shown.contains("\"source\":\"dns:zen.example\""), shown);
    assertTrue(shown.contains("\"codes\":[\"127.0.0.2-11\"]"), shown);
    gateway.control(new ControlRequest.FeedsDisable("zen", null));
    assertEquals(OK, rcpt(LISTED));
    assertFalse(dns.questions().contains(LISTED_QUESTION), dns.questions().toString());
    gateway.control(new ControlRequest.FeedsEnable("zen"));
    assertTrue(rcpt(LISTED).startsWith("554"));
  }

  /**
   * Else a client that connects while a list is off could send for as long as the session lives.
   */
  @Test
  void aSessionThatBeganBeforeAListWasOnIsJudgedByItToo() throws IOException {
    gateway.control(new ControlRequest.FeedsDisable("zen", null));
    try (SmtpClient smtp = SmtpClient.proxied(gateway.port("mx"), LISTED)) {
      smtp.lines();
      smtp.command("EHLO h.example.org");
      smtp.command("MAIL FROM:<a@b.example.org>");
      assertEquals(OK, smtp.command("RCPT TO:<bob@example.com>"));
      smtp.command("RSET");
      gateway.control(new ControlRequest.FeedsEnable("zen"));
      smtp.command("MAIL FROM:<a@b.example.org>");
      String refused = smtp.command("RCPT TO:<bob@example.com>");
      assertTrue(refused.startsWith("554"), refused);
    }
  }

  /** Publishers count each question, and clients choose the names. */
  @Test
  void aClientCannotHaveListsAskedAboutNamesWithoutEnd() throws IOException {
    try (SmtpClient smtp = SmtpClient.proxied(gateway.port("mx"), "192.0.2.67")) {
      smtp.lines();
      String reply = "";
      for (int i = 0; i < 200 && !reply.startsWith("421"); i++) {
        reply = smtp.command("EHLO name" + i + ".example.org");
      }
      assertTrue(reply.startsWith("421 4.7.0"), reply);
    }
    long asked = dns.questions().stream().filter(q -> q.contains(".example.org.dbl")).count();
    assertTrue(asked <= 51, asked + " questions");
  }

  /** Waits by another address, because explain asks the lists about what it explains. */
  private void allow(String subject) throws IOException {
    String other = "192.0.2.71";
    gateway.write("allow.list", subject, other);
    Conditions.await(
        "the allow entry", () -> explain(other).contains("\"allow\":{\"entry\":\"" + other));
  }

  @Test
  void anIncidentOfADnsListIsExplainedAndCountsAsItsHit() throws IOException {
    String refused = rcpt(LISTED);
    String explained = Json.write(gateway.incident(refused));
    assertTrue(explained.contains("\"feed\":\"zen\",\"entry\":\"127.0.0.4 from"), explained);
    assertTrue(explained.contains("\"hit\":false"), explained);
    Conditions.await(
        "the hit",
        () ->
            gateway.control(new ControlRequest.FeedsShow("zen")).json().contains("\"hits_24h\":1"));
  }

  @Test
  void whatIsNoFeedToFetchIsSaidForWhatItIs() throws IOException {
    for (ControlRequest request :
        List.of(
            new ControlRequest.FeedsRefresh(List.of("zen"), false, false),
            new ControlRequest.FeedsAccept("zen", false),
            new ControlRequest.FeedsRollback("zen", null))) {
      assertTrue(
          failure(request).startsWith("zen is asked by DNS; there is nothing to fetch"),
          failure(request));
    }
    assertTrue(
        failure(new ControlRequest.FeedsShow("weak"))
            .startsWith(
                "weak is a rule, not a feed: rules.weak of the settings has the action reject when"
                    + " any 2 of dbl, watch list"),
        failure(new ControlRequest.FeedsShow("weak")));
    assertTrue(
        failure(new ControlRequest.FeedsShow("generic_name"))
            .contains("is a sign, not a feed: it is what a client shows of itself"),
        failure(new ControlRequest.FeedsShow("generic_name")));
  }

  private String failure(ControlRequest request) throws IOException {
    return gateway.ask(request).failure();
  }
}
