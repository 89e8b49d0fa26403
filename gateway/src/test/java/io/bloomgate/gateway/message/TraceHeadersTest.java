package io.bloomgate.gateway.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.message.TraceHeaders.Finding;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The fields that the gateway adds. */
class TraceHeadersTest {

  private static final Instant TIME = Instant.parse("2026-11-01T07:09:01.9Z");
  private static final IpAddress V4 = IpAddress.parse("203.0.113.7").toOptional().orElseThrow();
  private static final IpAddress V6 = IpAddress.parse("2001:db8::7").toOptional().orElseThrow();

  private static String received(
      String helo, IpAddress client, String protocol, @Nullable String recipient) {
    return new String(
        TraceHeaders.received(
            helo, client, "mx.example.com", protocol, "7K3Q9ZT4AB", recipient, TIME),
        StandardCharsets.UTF_8);
  }

  private static String unfolded(String field) {
    return field.replace("\r\n ", " ");
  }

  @Test
  void receivedNamesNobodyWhenThereAreSeveral() {
    assertEquals(
        "Received: from [IPv6:2001:db8::7] (unknown [IPv6:2001:db8::7]) by mx.example.com"
            + " (bloomgate) with SMTP id 7K3Q9ZT4AB; Sun, 1 Nov 2026 07:09:01 +0000\r\n",
        unfolded(received("[IPv6:2001:db8::7]", V6, "SMTP", null)));
  }

  @Test
  void heloCannotForgeAnything() {
    String field = received("x (unknown [1.2.3.4])\r\nX-Evil: y; \u00e9", V4, "SMTP", null);
    assertTrue(
        unfolded(field)
            .startsWith(
                "Received: from"
                    + " x\\x20\\x28unknown\\x20\\x5B1.2.3.4\\x5D\\x29\\x0D\\x0AX-Evil:\\x20y\\x3B"),
        field);
    assertTrue(unfolded(received("", V4, "SMTP", null)).startsWith("Received: from unknown"));
  }

  /** An open comment would swallow the client, the id and the date (RFC 5322 section 3.2.2). */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "x(      | x\\x28",
        "x)      | x\\x29",
        "x,y     | x\\x2Cy",
        "[x(]    | [x\\x28]",
        "a_b-c.d | a_b-c.d"
      })
  void heloIsOneWordOfAStructuredField(String helo, String written) {
    String field = unfolded(received(helo, V4, "ESMTP", null));
    assertTrue(
        field.startsWith("Received: from " + written + " (unknown [203.0.113.7]) by "), field);
  }

  @Test
  void recipientsThatCannotBeWrittenAreLeftOut() {
    assertFalse(received("h", V4, "ESMTP", "b\u00f6b@example.com").contains(" for "));
    assertTrue(
        received("h", V4, "UTF8SMTP", "b\u00f6b@example.com")
            .contains("for <b\u00f6b@example.com>;"));
    assertFalse(received("h", V4, "ESMTP", "a\r\nX: y").contains("X: y"));
    assertFalse(received("h", V4, "ESMTP", "x".repeat(2000)).contains(" for "));
  }

  @Test
  void linesAreShortAndNeverEmpty() {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    for (int round = 0; round < 1_000; round++) {
      String helo = "h".repeat(random.nextInt(600)) + " ".repeat(random.nextInt(300));
      String to = "r".repeat(1 + random.nextInt(300)) + "@example.com";
      String field = received(helo, V6, "ESMTPS", to);
      assertTrue(field.endsWith("\r\n"));
      for (String line : field.split("\r\n", -1)) {
        boolean oneWord = line.strip().indexOf(' ') < 0;
        assertTrue(line.length() <= (oneWord ? 998 : 78), "seed " + seed + ": " + line);
        assertEquals(line.isEmpty(), line.isBlank(), "seed " + seed);
      }
    }
  }

  @Test
  void datesAreThoseOfTheLibrary() {
    DateTimeFormatter rfc =
        DateTimeFormatter.ofPattern("EEE, d MMM yyyy HH:mm:ss xx", java.util.Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);
    Random random = new Random(5);
    for (int i = 0; i < 500; i++) {
      Instant time = Instant.ofEpochSecond(random.nextLong(0, 4_000_000_000L));
      String field =
          new String(
              TraceHeaders.received("h", V4, "mx", "SMTP", "ID", null, time),
              StandardCharsets.US_ASCII);
      assertTrue(unfolded(field).endsWith("; " + rfc.format(time) + "\r\n"), field);
    }
  }

  @Test
  void protocolKeywordsThatNoDialogHas() {
    assertEquals("SMTP", TraceHeaders.protocol(false, false, false));
    assertEquals("UTF8SMTPS", TraceHeaders.protocol(true, true, true));
  }

  @Test
  void tagTellsUsersAndFilters() {
    Finding finding =
        new Finding("sender_domain", "throw away.example", "disposable-domains", "7K3Q9ZT4AB");
    String fields = new String(TraceHeaders.tagged(finding), StandardCharsets.US_ASCII);
    assertEquals(
        "X-Spam-Flag: YES\r\n"
            + "X-Spam-Status: Yes, listed=disposable-domains action=tag id=7K3Q9ZT4AB\r\n"
            + "X-Bloomgate: verdict=tag; kind=sender_domain; subject=throw\\x20away.example;"
            + " feed=disposable-domains; id=7K3Q9ZT4AB\r\n",
        unfolded(fields));
    assertEquals(
        "X-Bloomgate: would=reject; kind=client_ip; subject=203.0.113.7; feed=drop; id=ID\r\n",
        unfolded(
            new String(
                TraceHeaders.observed(
                    "reject", new Finding("client_ip", "203.0.113.7", "drop", "ID")),
                StandardCharsets.US_ASCII)));
  }
}
