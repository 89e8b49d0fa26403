package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.cli.CommandLineInProcess;
import io.bloomgate.config.json.Json;
import io.bloomgate.gateway.testkit.LoopbackDns.Mood;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A whole gateway with DNS lists about what mails carry, and a name server on loopback. */
class DnsContentStoryTest extends DnsStory {

  private static final String KEY = "s3cretkeyofours";

  private int clients;

  /** Questions before the first mail. */
  private int ofTests;

  @BeforeEach
  void start() throws IOException {
    Path key = Files.writeString(folder.resolve("dqs"), KEY + "\n");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r-----"));
    dns.forward("test." + KEY + ".dbl.example", "127.0.1.2")
        .forward("evil.example." + KEY + ".dbl.example", "127.0.1.4")
        .forward("shop.example." + KEY + ".dbl.example", "127.0.1.104");
    dns.forward("test.soft.example", "127.0.0.14")
        .forward("grey.example.soft.example", "127.0.0.4");
    gateway.with(
        "feeds",
        """

          sources:
            urls: {file: FOLDER/urls.txt, format: urls, checks: [url], action: reject}
            dbl: {dns: dbl.example, key_file: FOLDER/dqs, checks: [url_host, from_domain, reply_to_domain],
                  hosts: [registered], codes: [127.0.1.2-254], action: reject, timeout: 1s, test_name: test}
            soft: {dns: soft.example, checks: [url_host], hosts: [registered, addresses], bits: [4], action: tag,
                   timeout: 1s, test_name: test}\
        """
            .replace("FOLDER", folder.toString()));
    gateway.with("rules", "{}").with("allow", "{never_block: [loopback, domains]}");
    gateway.prepare();
    gateway.write("urls.txt", "http://listed.example/page");
    gateway.start();
    awaitLists();
    ofTests = dns.questions().size();
  }

  private static String mail(String from, String text) {
    return "From: " + from + "\r\nSubject: hi\r\n\r\n" + text + "\r\n";
  }

  /** The reply to the final dot, to a client of another network each time. */
  private String send(String mail) throws IOException {
    return gateway.send("45.66." + clients++ + ".9", "a@partner.example", mail);
  }

  private String sendLinks(String... hosts) throws IOException {
    StringBuilder text = new StringBuilder();
    Arrays.stream(hosts).forEach(host -> text.append("http://").append(host).append("/a\r\n"));
    return send(mail("a@partner.example", text.toString()));
  }

  private List<String> asked(String zone) {
    return dns.questions().stream()
        .skip(ofTests)
        .filter(question -> question.endsWith("." + zone))
        .map(question -> question.substring(2, question.length() - zone.length() - 1))
        .toList();
  }

  @Test
  void aLinkIsRefusedAtTheDotWithItsEvidence() throws IOException {
    String refused = sendLinks("www.a.evil.example");
    assertTrue(refused.startsWith("554 5.7.1"), refused);
    assertTrue(refused.contains("[evil.example] blocked using dbl ["), refused);
    assertFalse(refused.contains(KEY), refused);
    String explained = Json.write(gateway.incident(refused));
    assertTrue(explained.contains("\"entry\":\"127.0.1.4 from dbl.example\""), explained);
    assertTrue(
        explained.contains(
            "\"dns\":{\"zone\":\"dbl.example\",\"answer\":\"127.0.1.4\"," + "\"ttl_s\":600"),
        explained);
    assertFalse(explained.contains(KEY), explained);
    assertEquals(0, upstream.deliveredCount());
  }

  @Test
  void theUndoOfAnIncidentLetsTheNextMailPass() throws IOException {
    String refused = sendLinks("www.evil.example");
    String undo = gateway.incident(refused).text("undo").orElseThrow();
    assertTrue(undo.startsWith("bloomgate allow add --url evil.example --from 45.66."), undo);
    CommandLineInProcess.Result done = gateway.cli("allow", "add", "--url", "evil.example");
    assertEquals(0, done.exitCode(), done.err());
    int before = asked(KEY + ".dbl.example").size();
    assertEquals("250", sendLinks("www.evil.example").substring(0, 3));
    assertEquals(before, asked(KEY + ".dbl.example").size(), "what is allowed is not asked");
  }

  @Test
  void senderDomainsAreAskedToo() throws IOException {
    assertTrue(send(mail("ceo@mail.evil.example", "hi")).startsWith("554 5.7.1"));
    String reply = "a@partner.example\r\nReply-To: b@evil.example";
    assertTrue(send(mail(reply, "hi")).startsWith("554 5.7.1"));
    assertEquals(
        List.of("evil.example"),
        asked(KEY + ".dbl.example").stream().filter("evil.example"::equals).toList(),
        "the answer is kept");
  }

  @Test
  void abusedNamesGreyBitsAndQuotesTagAtMost() throws IOException {
    for (String host : List.of("www.shop.example", "grey.example")) {
      assertEquals("250", sendLinks(host).substring(0, 3));
      String delivered = upstream.nextDelivery().content();
      assertTrue(delivered.contains("X-Bloomgate"), delivered);
    }
    String quoted =
        "In-Reply-To: <1@example.com>\r\n\r\nI agree.\r\n\r\n> http://www.evil.example/a\r\n";
    assertEquals("250", send("From: a@partner.example\r\n" + quoted).substring(0, 3));
    assertTrue(upstream.nextDelivery().content().contains("X-Bloomgate"));
  }

  @Test
  void whatNeedsNoQuestionIsNotAsked() throws IOException {
    String html =
        "From: a@partner.example\r\n"
            + "MIME-Version: 1.0\r\n"
            + "Content-Type: text/html\r\n\r\n"
            + "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0//EN\""
            + " \"http://doctype.evil.example/x\"><html xmlns=\"http://xmlns.evil.example/\"><a"
            + " href=\"http://www.example.com/\">own</a><a href=\"http://www.w3.org/\">w3</a><a"
            + " href=\"https://bit.ly/x\">short</a><a"
            + " href=\"https://docs.google.com/d/1\">doc</a></html>\r\n";
    assertEquals("250", send(html).substring(0, 3));
    String refused =
        send(mail("a@partner.example", "http://listed.example/page http://other.example/"));
    assertTrue(refused.contains("blocked using urls ["), refused);
    assertEquals(List.of("partner.example"), asked(KEY + ".dbl.example"));
    assertEquals(List.of(), asked("soft.example"));
  }

  @Test
  void oddHostsAreAskedInOneForm() throws IOException {
    dns.forward("xn--bcher-kva.example." + KEY + ".dbl.example", "127.0.1.4");
    dns.forward("7.100.51.198.soft.example", "127.0.0.4");
    assertTrue(sendLinks("www.B%C3%BCcher.example").contains("[xn--bcher-kva.example]"));
    assertEquals("250", sendLinks("0xc6.51.100.7").substring(0, 3));
    assertTrue(upstream.nextDelivery().content().contains("X-Bloomgate"));
    assertTrue(asked("soft.example").contains("7.100.51.198"));
    assertFalse(asked(KEY + ".dbl.example").contains("7.100.51.198"), "it knows names only");
  }

  @Test
  void aDeadListLetsMailPass() throws IOException {
    dns.mood(question -> question.contains("silent"), Mood.SILENT);
    for (int i = 0; i < 4; i++) {
      assertEquals("250", sendLinks("a.silent" + i + ".example").substring(0, 3));
    }
    Conditions.await("an answer", () -> sendLinks("www.evil.example").startsWith("554"));
  }

  @Test
  void aLargeMailIsTaggedByItsBeginningAndRefusedByItsEnd() throws IOException {
    String filler = ("x".repeat(70) + "\r\n").repeat(5_000);
    String tagged = mail("a@partner.example", "http://grey.example/a\r\n" + filler);
    assertEquals("250", send(tagged).substring(0, 3));
    assertTrue(upstream.nextDelivery().content().contains("X-Bloomgate"));
    String refused =
        send(
            mail(
                "a@partner.example",
                "http://grey.example/a\r\n" + filler + "http://evil.example/"));
    assertTrue(refused.contains("[evil.example] blocked using dbl ["), refused);
  }

  @Test
  void explainOfANameAsksAboutLinksToIt() throws IOException {
    String explained = Json.write(gateway.explain("http://evil.example/a"));
    assertTrue(explained.contains("\"verdict\":\"reject\""), explained);
    String name = Json.write(gateway.explain("evil.example"));
    assertTrue(name.contains("dbl lists evil.example"), name);
  }
}
