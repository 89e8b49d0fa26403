package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The memory of messages whose content is read: their head is kept until a mail server gets it, and
 * given back on every way that a message can end.
 */
final class ContentMemoryTest {

  private static final String FEEDS =
      """
      urls: {file: urls.txt, format: urls, checks: [url], action: reject}
      names: {file: names.txt, format: domains, checks: [url_host], action: tag}
      """;

  /** A head that is larger than what is never counted. */
  private static final String HEAD = "Subject: hi\r\nX-Long: " + "y".repeat(30_000) + "\r\n\r\n";

  private static final String LISTED = "see http://evil.example/x now\r\n";
  private static final String TAGGED = "see http://tagged.example/ now\r\n";

  /** More than is held of one message. */
  private static final String LARGE = "0123456789 0123456789 0123456789\r\n".repeat(12_000);

  private static final String DEEP =
      """
      Content-Type: multipart/mixed; boundary=b

      --b
      Content-Type: multipart/mixed; boundary=c

      --c
      Content-Type: multipart/mixed; boundary=d

      --d

      x
      """
          .replace("\n", "\r\n");

  /** A message, and the reply to its dot; none where the client leaves before it. */
  enum Ending {
    DELIVERED(HEAD + "body\r\n", "250"),
    TAGGED_WHOLE(HEAD + TAGGED, "250"),
    TAGGED_ON_ITS_WAY(HEAD + TAGGED + LARGE, "250"),
    TAGGED_TOO_LATE(HEAD + LARGE + TAGGED, "250"),
    REFUSED_WHOLE(HEAD + LISTED, "554 5.7.1"),
    REFUSED_ON_ITS_WAY(HEAD + LISTED + LARGE, "554 5.7.1"),
    REFUSED_AT_THE_END(HEAD + LARGE + LISTED, "554 5.7.1"),
    ENDS_IN_THE_HEAD("Subject: hi\r\n", "250"),
    TOO_DEEP(DEEP, "554 5.6.0"),
    TOO_DEEP_AND_LARGE(DEEP + LARGE, "554 5.6.0"),
    HEAD_TOO_LARGE("X-Long: " + "y".repeat(120_000) + "\r\n\r\nbody\r\n", "552 5.3.4"),
    TOO_MANY_HOPS("Received: x\r\n".repeat(9) + HEAD, "554 5.4.6"),
    MALFORMED(HEAD + "bare\nline\r\n", "550 5.5.2"),
    MALFORMED_AND_LARGE(HEAD + LARGE + "bare\nline\r\n", "550 5.5.2"),
    LISTED_AND_MALFORMED(HEAD + LISTED + LARGE + "bare\nline\r\n", "550 5.5.2"),
    TOO_LARGE(HEAD + LARGE.repeat(3), "552 5.3.4"),
    LISTED_AND_TOO_LARGE(HEAD + LISTED + LARGE.repeat(3), "552 5.3.4"),
    LEFT_IN_THE_HEAD(HEAD.substring(0, 25_000), ""),
    LEFT_IN_THE_BODY(HEAD + LISTED, ""),
    LEFT_ON_ITS_WAY(HEAD + LARGE, ""),
    LEFT_WHEN_REFUSED(HEAD + LISTED + LARGE, ""),
    LEFT_WHEN_TOO_DEEP(DEEP + LARGE, "");

    private final String content;
    private final String reply;

    Ending(String content, String reply) {
      this.content = content;
      this.reply = reply;
    }
  }

  private static TestGateway gateway(TestGateway plain) {
    TestGateway gateway =
        plain.withFeeds(
            FEEDS, "limits: {header_size: 100KiB, message_size: 1MiB, hops: 5, mime: {depth: 2}}");
    gateway.lists.list("evil.example/x", "urls");
    gateway.lists.list("tagged.example", "names");
    return gateway;
  }

  private static void play(TestGateway gateway, Ending ending, String reply) throws Exception {
    try (SmtpClient client = gateway.connect().upToContent()) {
      client.raw(ending.content);
      if (!reply.isEmpty()) {
        client.raw(".\r\n");
        expect(reply, client.reply());
        expect("250", client.ask("NOOP"));
        assertEquals(0, gateway.registry.contentBudget().takenOctets());
      }
    }
    gateway.awaitQuiet();
    assertEquals(0, gateway.registry.contentBudget().takenOctets());
  }

  @ParameterizedTest
  @EnumSource
  void isGivenBack(Ending ending) throws Exception {
    try (TestGateway gateway = gateway(TestGateway.plain())) {
      play(gateway, ending, ending.reply);
    }
  }

  /** Where little is left, a text that is too large to be read without it has to come again. */
  @ParameterizedTest
  @EnumSource
  void isGivenBackWhereItIsShort(Ending ending) throws Exception {
    try (TestGateway gateway = gateway(TestGateway.holding(800 * 1024))) {
      boolean comesAgain =
          switch (ending) {
            case TAGGED_ON_ITS_WAY, TAGGED_TOO_LATE, REFUSED_ON_ITS_WAY, REFUSED_AT_THE_END -> true;
            default -> false;
          };
      play(gateway, ending, comesAgain ? "452 4.3.1" : ending.reply);
      if (comesAgain) {
        assertTrue(gateway.telemetry.limits.contains(Limit.HELD_CONTENT));
        assertEquals(List.of(), gateway.upstream.taken);
      }
      play(gateway, Ending.DELIVERED, "250");
    }
  }

  /** Recipients are held until the end, and the text, for its copies are counted. */
  private static void awaitDoom(TestGateway gateway) {
    long text = LARGE.length();
    long taken = 0;
    while (taken < text - 20 * 1_024 || taken > text + 20 * 1_024) {
      LockSupport.parkNanos(1_000_000);
      taken = gateway.registry.contentBudget().takenOctets();
    }
  }

  /** Attributes and words that end late, more than waits for the end of a mail. */
  private static final String LONG_WORDS =
      "Content-Type: text/html\r\n\r\n<x src=\"%1$s\"><x style=\"background:url(%1$s)\"><p>http://a.%1$s"
          .formatted("v".repeat(40_000));

  @Test
  void aMessageThatTakesMuchWhereMemoryIsShortHasToComeAgain() throws Exception {
    try (TestGateway gateway = gateway(TestGateway.holding(40_000));
        SmtpClient client = gateway.connect().upToContent()) {
      client.raw(LONG_WORDS);
      // Before its end: the client may take as long as it likes.
      while (!gateway.telemetry.limits.contains(Limit.HELD_CONTENT)
          || gateway.registry.contentBudget().takenOctets() > 1_024) {
        LockSupport.parkNanos(1_000_000);
      }
      expect("452 4.3.1", client.content("\r\n"));
      expect("250", client.ask("NOOP"));
      assertEquals(List.of(), gateway.upstream.taken);
    }
  }

  /** What each of thousands of messages may always take would fill the heap. */
  @ParameterizedTest
  @CsvSource({
    "600000, 12000, 250",
    "600000, 60000, 250",
    "1100000, 12000, 250",
    "1100000, 30000, 452 4.3.1"
  })
  void aMessageThatTakesSomeHasToComeAgainWhereTheHeapIsUsedUp(long taken, int octets, String reply)
      throws Exception {
    Pressure.Heap heap = new Pressure.Heap(1_000_000 / 3 * 4, () -> 0);
    try (TestGateway gateway = gateway(TestGateway.holding(400_000, heap));
        SmtpClient client = gateway.connect().upToContent()) {
      gateway.registry.contentBudget().take(taken);
      client.raw("Content-Type: text/html\r\n\r\n<x src=\"" + "v".repeat(octets));
      expect(reply, client.content("\">\r\n"));
      expect("250", client.ask("NOOP"));
      assertEquals(taken, gateway.registry.contentBudget().takenOctets());
    }
  }

  /** The client of a message that is refused may go on sending for long. */
  @Test
  void isGivenBackBeforeTheClientIsDone() throws Exception {
    try (TestGateway gateway = gateway(TestGateway.plain());
        SmtpClient client = gateway.connect().upToContent()) {
      client.raw(HEAD + LISTED + LARGE);
      awaitDoom(gateway);
      assertFalse(gateway.upstream.commands.contains("DATA"));
      expect("554 5.7.1", client.content("more\r\n"));
    }
  }

  /** Its text may be short: thousands of those fill the heap with their readers. */
  @Test
  void theReadingOfEachMessageIsCounted() throws Exception {
    try (TestGateway gateway = gateway(TestGateway.plain());
        SmtpClient one = gateway.connect().upToContent()) {
      long first = gateway.registry.heldContentOctets();
      try (SmtpClient another = gateway.connect().upToContent()) {
        long both = gateway.registry.heldContentOctets();
        assertTrue(both - first >= 16 * 1024, () -> first + " octets, then " + both);
        expect("250", another.content("Subject: hi\r\n\r\nbody\r\n"));
        // Its memory is given back before it reads on, and not before it answers.
        expect("250", another.ask("NOOP"));
      }
      expect("250", one.content("Subject: hi\r\n\r\nbody\r\n"));
      expect("250", one.ask("NOOP"));
      assertEquals(0, gateway.registry.heldContentOctets());
    }
  }
}
