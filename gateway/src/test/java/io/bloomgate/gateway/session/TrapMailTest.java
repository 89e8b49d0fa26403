package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.gateway.log.DecisionEvidence;
import io.bloomgate.gateway.log.DecisionRecord;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What sessions hand on of mail for traps, and of reports. */
final class TrapMailTest extends OneGateway {

  private static final String SETTINGS =
      """
      traps: {addresses: [old@example.com, dead@example.com]}
      reports: {address: spam@example.com, size: 64KiB}
      """;
  private static final String FEEDS =
      "urls: {file: urls.txt, format: urls, checks: [url], action: reject}\n";
  private static final String SPAM =
      "Subject: You have won a lot of money\r\n\r\nsee http://evil.example/login now\r\n";

  private final List<SpamIntake.Trapped> trapped = Collections.synchronizedList(new ArrayList<>());
  private final List<String> reports = Collections.synchronizedList(new ArrayList<>());
  private volatile boolean own;

  TrapMailTest() {
    gateway.withFeeds(FEEDS, SETTINGS);
    gateway.noticing(
        new SpamIntake() {
          @Override
          public boolean isMailServer(IpAddress client) {
            return false;
          }

          @Override
          public boolean isOwn(IpAddress client) {
            return own;
          }

          @Override
          public void trapped(Trapped mail) {
            trapped.add(mail);
          }

          @Override
          public void reported(byte @Nullable [] mail, String who, String id) {
            reports.add(who + ": " + (mail == null ? "too long" : new String(mail, ISO_8859_1)));
          }
        });
    gateway.lists.list("evil.example/login", "urls");
  }

  private String send(String content, String... recipients) throws IOException {
    try (SmtpClient client = gateway.connect().upToMail("a@sender.example")) {
      for (String one : recipients) {
        expect("250", client.ask("RCPT TO:<" + one + "@example.com>"));
      }
      String reply = client.message(content);
      expect("250", client.ask("NOOP")); // what is handed on is handed on by now
      return reply;
    }
  }

  private List<String> keys() {
    return trapped.getLast().content().keys().stream()
        .map(ContentKey::check)
        .distinct()
        .map(check -> check.key())
        .sorted()
        .toList();
  }

  /** No list asks for subjects or bodies here. */
  @Test
  void aMailForATrapIsReadWhole() throws Exception {
    expect("250", send(SPAM + "and many words more ".repeat(40) + "\r\n", "old"));
    assertEquals(List.of("body", "subject", "url", "url_host"), keys());
    assertEquals("old@example.com", trapped.getLast().trap());
    assertEquals("a@sender.example", trapped.getLast().from());
    gateway.awaitQuiet();
    DecisionRecord record = gateway.telemetry.decisions.getLast();
    assertEquals(record.id(), trapped.getLast().id());
    assertTrue(DecisionEvidence.of(record, Privacy.FULL).isForTrap());
    assertEquals(
        "trap (old@example.com)", DecisionEvidence.of(record, Privacy.FULL).more().profile());
  }

  @Test
  void aTrapDecidesNothingForOthers() throws Exception {
    expect("554", send(SPAM, "bob", "old"));
    expect("554", send(SPAM, "old", "bob"));
    assertEquals(2, trapped.size(), "what was refused for others was seen too");
    expect("250", send(SPAM, "old", "dead"));
    expect("250", send("Subject: hi\r\n\r\nhello\r\n", "old", "bob"));
    assertEquals(4, trapped.size());
    expect("250", send("Subject: hi\r\n\r\nhello\r\n", "bob"));
    assertEquals(4, trapped.size());
    assertFalse(
        DecisionEvidence.of(gateway.telemetry.decisions.getLast(), Privacy.FULL).isForTrap());
  }

  /** In both orders: the trap is no reason for what another recipient is answered. */
  @Test
  void theRefusalOfAnotherRecipientDoesNotNameTheTrap() throws Exception {
    gateway.lists.list("127.0.0.1", "drop");
    try (SmtpClient client = gateway.connect().upToMail("a@sender.example")) {
      expect("554", client.ask("RCPT TO:<bob@example.com>"));
      expect("250", client.ask("RCPT TO:<old@example.com>"));
      expect("554", client.ask("RCPT TO:<al@example.com>"));
      expect("250", client.message("Subject: hi\r\n\r\nhello\r\n"));
    }
    gateway.awaitQuiet();
    assertEquals(
        List.of("", "", "trap (old@example.com)"),
        gateway.telemetry.decisions.stream()
            .map(record -> DecisionEvidence.of(record, Privacy.FULL).more().profile())
            .toList());
  }

  @Test
  void reportsAreHandedOnFromOwnNetworks() throws Exception {
    expect("250", send(SPAM.replace("evil", "other"), "spam"));
    assertEquals(List.of(), reports);
    own = true;
    expect("250", send("Subject: look\r\n\r\n.dot\r\n", "SPAM"));
    assertEquals(List.of("a@sender.example at 127.0.0.1: Subject: look\r\n\r\n.dot\r\n"), reports);
    expect("250", send("Subject: look\r\n\r\n" + "0123456789\r\n".repeat(6_000), "spam"));
    assertEquals("a@sender.example at 127.0.0.1: too long", reports.getLast());
    expect("250", send("Subject: look\r\n\r\nhello\r\n", "bob"));
    assertEquals(2, reports.size());
  }
}
