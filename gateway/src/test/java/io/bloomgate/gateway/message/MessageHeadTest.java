package io.bloomgate.gateway.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.mail.MessagingException;
import jakarta.mail.internet.InternetHeaders;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The header block: where it ends, what is counted, what is taken out. "~" stands for CRLF. */
class MessageHeadTest {

  private static final int MANY = 1_000_000;
  private static final String OURS = "X-Bloomgate: verdict=ours\r\n";

  private static MessageHead ended(MessageHead head) {
    head.end();
    return head;
  }

  /** The head of a message that comes at once. */
  private static MessageHead read(byte[] octets) {
    MessageHead reader = new MessageHead(MANY);
    reader.take(octets, 0, octets.length);
    return ended(reader);
  }

  /**
   * The message without our field, read in blocks of that size; "|" is put before content that is
   * not scanned any more, "!" where the header was found too large.
   */
  private static String relayed(String message, int blockLength, long limit, boolean tagged) {
    byte[] octets = message.replace("~", "\r\n").getBytes(StandardCharsets.ISO_8859_1);
    MessageHead reader = new MessageHead(limit);
    int position = 0;
    while (position < octets.length && reader.state() == MessageHead.State.READING) {
      int count = Math.min(blockLength, octets.length - position);
      position += reader.take(octets, position, count);
    }
    MessageHead head = ended(reader);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(head.forRelay(OURS.getBytes(StandardCharsets.US_ASCII), tagged));
    out.write(reader.state() == MessageHead.State.TOO_LARGE ? '!' : '|');
    out.write(octets, position, octets.length - position);
    String relayed = out.toString(StandardCharsets.ISO_8859_1);
    int ours = relayed.indexOf(OURS);
    String above = relayed.substring(0, ours);
    assertTrue(above.isEmpty() || above.matches(">?From [^\r\n]*\r\n"), relayed);
    return (above + relayed.substring(ours + OURS.length())).replace("\r\n", "~");
  }

  @ParameterizedTest
  @CsvSource({
    "'A: b~ c~~body~', 'A: b~ c~~|body~'",
    "'A: b', 'A: b|'",
    "'~body~', '~|body~'",
    "'', '|'",
    "'body at once~X-Bloomgate: kept~~', '~body at once~|X-Bloomgate: kept~~'",
    "'\tfolded first~X-Bloomgate: kept~', '~\tfolded first~|X-Bloomgate: kept~'",
    "' ~A: b~~', '~ ~|A: b~~'",
    "'X-Bloomgate: y~ x~From a~: x~ X-Bloomgate: y~', 'From a~: x~ X-Bloomgate: y~|'",
    "'From a Mon~A: b~X-Bloomgate: x~~y', 'From a Mon~A: b~~|y'",
    "'X-Bloomgate: x~~', '~|'",
    "'x-bloomGATE  : x~ more~\tmore~A: b~~', 'A: b~~|'",
    "'A: b~ X-Bloomgate: folded~~', 'A: b~ X-Bloomgate: folded~~|'",
    "'A: b~X-Bloomgate: x~no field~ folded~~', 'A: b~no field~ folded~~|'",
    "'A: b~no field~~X-Bloomgate: body~', 'A: b~no field~~|X-Bloomgate: body~'",
    "'A: b~no field~x-bloomgate:x~ folded~\tmore~ C: d~~', 'A: b~no field~~|'",
    "'A: b~no field~x-bloomgate : x~~', 'A: b~no field~x-bloomgate : x~~|'",
    "'A: b~X-Bloomgate: x~no field~ X-Bloomgate: y~~', 'A: b~no field~ X-Bloomgate: y~~|'",
    "'A: b~X-Bloomgate', 'A: b~X-Bloomgate|'",
    "'A: b~no field~X-Bloomgate: no line end', 'A: b~no field~|'",
    "'A: b~X-Bloomgate is what we use.~~', 'A: b~X-Bloomgate is what we use.~~|'",
    "'X-Bloomgates: x~X-Bloomgat: y~~', 'X-Bloomgates: x~X-Bloomgat: y~~|'",
    "'X-Spam-Flag: YES~x-spam-status: Yes,~ y~~', 'X-Spam-Flag: YES~x-spam-status: Yes,~ y~~|'",
    "'A: b~x-bloomgate-INCIDENT : any~ more~C: d~~', 'A: b~C: d~~|'",
    "'X-Bloomgate-Incident: 7K3Q9ZT2AB~X-Bloomgate-Incidents: x~~', 'X-Bloomgate-Incidents: x~~|'",
  })
  void keepsEveryOctetButOurOwnFields(String message, String expected) {
    for (int blockLength : new int[] {1, 2, 3, 7, 4096}) {
      assertEquals(expected, relayed(message, blockLength, MANY, false), "blocks " + blockLength);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'X-Spam-Flag: NO~A: b~X-SPAM-STATUS: No,~\tx~X-Bloomgate: z~C: d~', 'A: b~C: d~'",
    "'A: b~no field~X-SPAM-STATUS: No,~\tx~C: d~X-Spam-Flag: NO~', 'A: b~no field~C: d~'"
  })
  void takesSpamMarksOutBesideATag(String head, String relayed) {
    String body = "X-Spam-Flag: body~";
    assertEquals(relayed + "~|" + body, relayed(head + "~" + body, 7, MANY, true));
  }

  /** Postfix takes such a line for the first of the content only, and then keeps the header. */
  @ParameterizedTest
  @ValueSource(strings = {"From alice@a.example Mon Nov 30\r\n", ">From alice\r\n"})
  void putsOurFieldsBelowTheLineOfAMailboxFile(String first) {
    byte[] octets = (first + "X-Bloomgate: x\r\nA: b\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
    byte[] ours = "Received: us\r\n".getBytes(StandardCharsets.US_ASCII);
    assertEquals(
        first + "Received: us\r\nA: b\r\n\r\n",
        new String(read(octets).forRelay(ours, false), StandardCharsets.US_ASCII));
  }

  @ParameterizedTest
  @CsvSource({
    "'Message-ID: <1@a.example>~~', 1@a.example",
    "'A: b~message-id :~ <1@a.example>~B: <2@b.example>~~', 1@a.example",
    "'Message-Id: 1@a.example~Message-ID: <2@b.example>~~', 1@a.example",
    "'Message-ID: <\u00fc:1@a.example>~~', :1@a.example",
    "'A: b~~Message-ID: <1@a.example>~', ''"
  })
  void knowsTheFirstMessageId(String message, String id) {
    byte[] octets = message.replace("~", "\r\n").getBytes(StandardCharsets.ISO_8859_1);
    assertEquals(id, read(octets).messageId());
  }

  @ParameterizedTest
  @CsvSource({
    "'A: b~B: c~~', 100, COMPLETE",
    "'A: b~B: c~~', 14, COMPLETE",
    "'A: b~B: c~~', 13, TOO_LARGE",
    "'A: bbbbbbbbbbbbbbbbbb', 10, TOO_LARGE",
    "'Aaaaaaaaaaaaaaaaaaaaa', 10, COMPLETE",
    "'no field at all, ever', 10, COMPLETE",
    "'A: b~no field~ and more', 16, COMPLETE",
    "'A: b~~', 8, COMPLETE",
  })
  void isBounded(String message, int limit, MessageHead.State expected) {
    int bound = limit;
    byte[] octets = message.replace("~", "\r\n").getBytes(StandardCharsets.US_ASCII);
    MessageHead reader = new MessageHead(bound);
    int taken = reader.take(octets, 0, octets.length);
    if (reader.state() == MessageHead.State.READING) {
      reader.take(octets, taken, octets.length - taken);
    }
    assertEquals(expected, reader.state());
  }

  @Test
  void aBodyWithoutAnyLineEndIsNotAHeader() {
    String message = "no colon in the name " + "x".repeat(100);
    assertEquals(
        "~" + message.substring(0, 50) + "|" + message.substring(50),
        relayed(message, 9, 50, false));
  }

  @Test
  void losesNothingHoweverItIsCut() {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    String[] pieces = {"A: b~", " c~", "~", "x", ":", "Received: y~", "\t~", "From z~", "\u00ff"};
    for (int round = 0; round < 1_000; round++) {
      StringBuilder message = new StringBuilder();
      for (int i = random.nextInt(12); i > 0; i--) {
        message.append(pieces[random.nextInt(pieces.length)]);
      }
      String out =
          relayed(message.toString(), 1 + random.nextInt(9), 1 + random.nextInt(40), true)
              .replaceFirst("[|!]", "")
              .replace("\r\n", "~");
      String ended = out.length() > message.length() ? "~" : "";
      assertEquals(ended + message, out, "seed " + seed);
    }
  }

  /** The block is bounded, and mail whose body begins at a malformed line need not be small. */
  @Test
  void belowAMalformedLineTheLimitEndsTheBlock() {
    assertEquals(
        "A: b~no field~C: d~X-Blo|omgate: y~",
        relayed("A: b~no field~X-Bloomgate: x~C: d~X-Bloomgate: y~", 7, 43, false));
  }

  @Test
  void fieldsThatAreTakenOutAreCounted() {
    byte[] octets =
        """
        X-Bloomgate: 1
        X-Spam-Flag: NO
        no field
        X-Bloomgate: 2
        X-Bloomgate : text
        X-Spam-Flag : NO

        X-Bloomgate: body
        """
            .replace("\n", "\r\n")
            .getBytes(StandardCharsets.US_ASCII);
    for (boolean tagged : new boolean[] {false, true}) {
      assertEquals(tagged ? 3 : 2, read(octets).removedFields(tagged));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Received: a~ by b~received : c~X-Received: d~RECEIVED:~~Received: body~",
        "Received: a~no field~Received: b~ Received: c~received : d~~Received: body~"
      })
  void countsHops(String message) {
    byte[] octets = message.replace("~", "\r\n").getBytes(StandardCharsets.US_ASCII);
    assertEquals(3, read(octets).receivedFields());
  }

  /**
   * A reader that goes from the first line to the first empty one, however it treats lines that are
   * no fields, must find one X-Bloomgate with a verdict, and it must be ours.
   */
  @Test
  void nothingPassesForOurOwnField() {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    String[] lines = {
      " x~",
      "\tx~",
      " ~",
      "x~",
      ": x~",
      "From a~",
      ">From a~",
      "A: b~",
      "X-Bloomgate: verdict=forged~",
      "\f~",
      "x-bloomgate : text~",
      "X-Bloomgate: text~",
      "C: " + "d".repeat(1_000) + "~",
      "~"
    };
    for (int round = 0; round < 2_000; round++) {
      StringBuilder message = new StringBuilder();
      for (int i = random.nextInt(6); i >= 0; i--) {
        message.append(lines[random.nextInt(lines.length)]);
      }
      String relayed =
          relayed(message.toString(), 1 + random.nextInt(1_200), MANY, random.nextBoolean());
      if (!relayed.contains("!")) {
        String out = OURS + relayed.replace("|", "").replace("~", "\r\n");
        assertEquals(
            List.of("x-bloomgate: verdict=ours"),
            fields(out).stream().filter(MessageHeadTest::saysAVerdict).toList(),
            message + ", seed " + seed);
        assertEquals(List.of("verdict=ours"), asJakartaMailReads(out), message + ", seed " + seed);
      }
    }
  }

  private static boolean saysAVerdict(String field) {
    return field.matches("(?s)x-bloomgate:\\s*verdict=.*");
  }

  /** One of the laxest readers there are, and the one that mail servers in Java have. */
  private static List<String> asJakartaMailReads(String message) {
    byte[] octets = message.getBytes(StandardCharsets.ISO_8859_1);
    try {
      String[] found =
          new InternetHeaders(new ByteArrayInputStream(octets)).getHeader("X-Bloomgate");
      return found == null
          ? List.of()
          : Arrays.stream(found).map(String::strip).filter(v -> v.startsWith("verdict=")).toList();
    } catch (MessagingException e) {
      throw new AssertionError(e);
    }
  }

  /** As RFC 5322 section 2.2.3 unfolds them, without the blanks before the colon. */
  private static List<String> fields(String message) {
    List<String> fields = new ArrayList<>();
    for (String line : message.split("\r\n", -1)) {
      if (line.isEmpty()) {
        break;
      }
      if (line.startsWith(" ") || line.startsWith("\t")) {
        fields.add(fields.removeLast() + line);
      } else {
        fields.add(line.replaceFirst("^([^ \t:]+)[ \t]*:", "$1:").toLowerCase(Locale.ROOT));
      }
    }
    return fields;
  }
}
