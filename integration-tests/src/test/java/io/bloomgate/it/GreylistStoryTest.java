package io.bloomgate.it;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.nio.file.Files;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Action greylist as a sender, the log and the control socket see it, over restarts. */
class GreylistStoryTest extends Story {

  private static final Pattern GREYLISTED =
      Pattern.compile(
          "451 4\\.7\\.1 Greylisted, try again in 1 minute; Client host \\[203\\.0\\.113\\.7\\]"
              + " is listed by weak \\[[0-9A-Z]{10}\\]");

  private void prepare() {
    gateway
        .with("greylist", "{delay: 1s, window: 1h}")
        .with("rules", "{both: {all: [weak, names], action: reject}}")
        .feeds(
            """
            weak: {file: FOLDER/drop.txt, format: ips, checks: [client_ip], action: greylist, allow_bogons: true}
            names: {file: FOLDER/names.txt, format: domains, checks: [sender_domain]}
            """);
  }

  private String mail(String from, String to) throws IOException {
    try (SmtpClient client = SmtpClient.proxied(gateway.port("mx"), "203.0.113.7")) {
      String reply = client.rcpt("mail.shop.example", from, to);
      if (reply.startsWith("250")) {
        return client.message("Subject: hi\r\n\r\n");
      }
      return reply;
    }
  }

  @Test
  void aWeakListingAsksToComeAgainAndWhoDoesIsLetInOverRestarts() throws Exception {
    prepare();
    gateway.start();
    String first = mail("news@shop.example", "bob@example.com");
    assertTrue(GREYLISTED.matcher(first).matches(), first);
    expect("250", mail("news@shop.example", "postmaster@example.com"));
    assertTrue(explain().contains("greylisting: it waits since 20"), explain());
    String later = first;
    while (later.startsWith("451")) {
      LockSupport.parkNanos(50_000_000);
      later = mail("news@shop.example", "bob@example.com");
    }
    expect("250", later);
    String passed = explain();
    assertTrue(passed.contains("\"verdict\":\"accept\""), passed);
    assertTrue(passed.contains("greylisting: it came again and is let in"), passed);
    expect("250", mail("other@shop.example", "eve@example.com"));
    // The lists are asked at each visit: two that agree refuse who came again, too.
    expect("554", mail("news@spam.example", "bob@example.com"));
    expect("451", mail("news@shop.example", "bob@sub.example.com"));
    JsonObject status = gateway.status();
    JsonObject greylist = status.object("greylist").orElseThrow();
    assertEquals(1, greylist.number("waiting").orElseThrow());
    assertEquals(1, greylist.number("passed").orElseThrow());
    gateway.close();
    prepare();
    gateway.start();
    expect("250", mail("news@shop.example", "bob@example.com"));
    assertEquals(
        1, gateway.status().object("greylist").orElseThrow().number("waiting").orElseThrow());
    gateway.close();
    String log = Files.readString(folder.resolve("mail.log"));
    assertTrue(log.contains("reject: RCPT from unknown[203.0.113.7]: 451 4.7.1 Greylisted"), log);
    assertTrue(log.contains("outcome=delivered greylist=let_in\n"), log);
    assertTrue(log.contains("outcome=delivered listed=weak exempt=recipient\n"), log);
    assertTrue(log.contains(" rule=both\n"), log);
  }

  private String explain() {
    return Json.write(
        gateway
            .control(
                new ControlRequest.Explain(
                    "203.0.113.7", null, "news@shop.example", null, "bob@example.com"))
            .items()
            .getFirst());
  }
}
