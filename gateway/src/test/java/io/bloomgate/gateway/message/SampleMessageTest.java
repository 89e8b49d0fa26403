package io.bloomgate.gateway.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Composed mails are fit for the wire. */
class SampleMessageTest {

  @Test
  void isAWholeMessageWithCrlfOnly() {
    String message =
        new String(
            SampleMessage.compose(
                "a@partner.example",
                "bob@example.com",
                "Gr\u00fc\u00dfe",
                "one\ntwo",
                "1@partner.example",
                Instant.parse("2026-11-21T07:00:00Z")),
            StandardCharsets.US_ASCII);
    assertTrue(message.contains("From: a@partner.example\r\n"), message);
    assertTrue(message.contains("To: bob@example.com\r\n"), message);
    assertTrue(message.contains("Message-ID: <1@partner.example>\r\n"), message);
    assertTrue(message.contains("Subject: =?UTF-8?"), message);
    assertTrue(message.endsWith("\r\n\r\none\r\ntwo\r\n"), message);
    assertEquals(message, message.replace("\r\n", "\n").replace("\n", "\r\n"));
  }

  @Test
  void refusesWhatIsNoAddress() {
    assertThrows(
        IllegalArgumentException.class,
        () -> SampleMessage.compose("a b", "c@d", "s", "t", "m", Instant.EPOCH));
  }
}
