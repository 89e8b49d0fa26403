package io.bloomgate.gateway.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.wire.ClientWire.ClientGone;
import io.bloomgate.gateway.wire.ContentReader.Fault;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Content ends at CRLF.CRLF and nowhere else, however the octets arrive. */
final class ContentReaderTest {

  private static final Deadline FAR = new Deadline(Long.MAX_VALUE / 2, Limit.SESSION_TIMEOUT);

  /** Input, what the sink gets, and what is left for commands; signs stand for line ends. */
  @ParameterizedTest
  @CsvSource({
    "'.↵QUIT', '', QUIT",
    "'.first↵.↵QUIT', 'first↵', QUIT",
    "'a↵..b↵...c↵.↵', 'a↵.b↵..c↵', ''",
    "'a↵⇥.↵.↵QUIT', 'a↵⇥.↵', QUIT",
    "'long line without any end to see eight at a time↵"
        + ".↵"
        + "X', 'long line without any end to see eight at a time↵"
        + "', X",
  })
  void wellFormedContentIsUnstuffed(String input, String content, String rest) throws IOException {
    Reading reading = read(octets(input), Long.MAX_VALUE, false);
    assertEquals(octets(content), reading.content);
    assertNull(reading.fault);
    assertEquals(rest, reading.rest);
  }

  /** Every end of content that some server takes for one, and that is none. */
  @ParameterizedTest
  @CsvSource({
    "'a␊.␊', <LF>, 1",
    "'a␊.↵', <LF>, 1",
    "'a↵.␊MAIL', <LF>, 2",
    "'a␍.␍', <CR>, 1",
    "'a↵.␍X', <CR>, 2",
    "'a↵.␍↵', <CR>, 2",
    "'␀.↵', <NUL>, 1",
    "'a↵↵b↵c␀d', <NUL>, 4",
    "'a↵.␀↵', <NUL>, 2",
    "'␊', <LF>, 1",
  })
  void forbiddenOctetsNeverEndContent(String smuggled, String what, long line) throws IOException {
    Reading reading = read(octets(smuggled) + "x\r\n.\r\nREST", Long.MAX_VALUE, false);
    assertEquals(new Fault.Malformed(what, line), reading.fault);
    assertEquals("REST", reading.rest);
  }

  @ParameterizedTest
  @CsvSource({
    "'a␊.␊b↵.↵', 'a↵.↵b↵'",
    "'␊␊↵.↵', '↵↵↵'",
    "'a↵␀.↵.↵', 'a↵.↵'",
    "'a↵.␀↵.↵', 'a↵↵'",
    "'a␍␀␊b↵.↵', 'a↵↵b↵'",
  })
  void normalizeFixesLineEndingsAndDropsNul(String input, String content) throws IOException {
    Reading reading = read(octets(input) + "REST", Long.MAX_VALUE, true);
    assertEquals(octets(content), reading.content);
    assertNull(reading.fault);
    assertEquals("REST", reading.rest);
  }

  @Test
  void sizeCountsUnstuffedOctetsAndTheRestIsDrained() throws IOException {
    assertNull(read("..a.\r\n.\r\n", 5, false).fault);
    Reading reading = read("..a.\r\nmore\r\n.\r\nREST", 4, false);
    assertEquals(new Fault.TooLarge(), reading.fault);
    assertEquals("REST", reading.rest);
  }

  @Test
  void contentThatBreaksOffIsNoMessage() {
    for (String cut : new String[] {"", "a", "a\r\n.", "a\r\n.\r", "a\r\n"}) {
      assertThrows(ClientGone.class, () -> read(cut, Long.MAX_VALUE, false), cut);
    }
  }

  /** Against a slow reader that looks at one octet at a time, in random pieces. */
  @Test
  void randomContentReadsAsTheSimpleReaderReadsIt() throws IOException {
    long seed = 20261121;
    Random random = new Random(seed);
    String alphabet = "\r\n..ab\0\t\u00ff";
    for (int round = 0; round < 2000; round++) {
      StringBuilder input = new StringBuilder();
      int length = random.nextInt(60);
      for (int i = 0; i < length; i++) {
        int kind = random.nextInt(12);
        input.append(
            kind < 3 ? "\r\n" : String.valueOf(alphabet.charAt(random.nextInt(alphabet.length()))));
        if (kind == 11) {
          input.append("a longer stretch of plain text");
        }
      }
      String whole = input + "\r\n.\r\nREST";
      boolean normalize = random.nextBoolean();
      Reading expected = simply(whole, normalize);
      Reading actual =
          read(new Pieces(whole.getBytes(ISO_8859_1), random), Long.MAX_VALUE, normalize);
      String where = "seed " + seed + " round " + round;
      assertEquals(expected.fault, actual.fault, where);
      assertEquals(expected.rest, actual.rest, where);
      if (actual.fault == null) {
        assertEquals(expected.content, actual.content, where);
      }
    }
  }

  private static String octets(String signs) {
    return signs
        .replace("↵", "\r\n")
        .replace('␍', '\r')
        .replace('␊', '\n')
        .replace('␀', '\0')
        .replace('⇥', '\t');
  }

  private record Reading(@Nullable Fault fault, String content, String rest) {}

  private static Reading read(String input, long maxOctets, boolean normalize) throws IOException {
    return read(new ByteArrayInputStream(input.getBytes(ISO_8859_1)), maxOctets, normalize);
  }

  private static Reading read(InputStream in, long maxOctets, boolean normalize)
      throws IOException {
    try (WatchedSocket socket = new FedSocket(in)) {
      WireReader wire = ClientWire.plain(socket, Duration.ofSeconds(1)).reader();
      wire.expectContent(new byte[8 * 1024]);
      ByteArrayOutputStream content = new ByteArrayOutputStream();
      ContentPace pace = new ContentPace(ContentPaceTest.LIMITS, FAR, () -> 0, () -> false);
      ContentReader reader = new ContentReader(wire, pace, maxOctets, normalize, content::write);
      Fault fault = reader.read();
      assertEquals(content.size(), reader.octets());
      String buffered = new String(wire.buffer(), wire.position(), wire.buffered(), ISO_8859_1);
      return new Reading(
          fault,
          content.toString(ISO_8859_1),
          buffered + new String(in.readAllBytes(), ISO_8859_1));
    }
  }

  /** The rules of RFC 5321 written down without any thought of speed. */
  private static Reading simply(String input, boolean normalize) {
    StringBuilder content = new StringBuilder();
    long line = 1;
    Fault.Malformed malformed = null;
    boolean lineStart = true;
    int i = 0;
    while (true) {
      if (lineStart && input.startsWith(".\r\n", i)) {
        String rest = input.substring(i + 3);
        return malformed != null
            ? new Reading(malformed, "", rest)
            : new Reading(null, content.toString(), rest);
      }
      if (lineStart && input.charAt(i) == '.') {
        i++;
        lineStart = false;
        continue;
      }
      lineStart = false;
      if (input.startsWith("\r\n", i)) {
        content.append("\r\n");
        line++;
        lineStart = true;
        i += 2;
        continue;
      }
      char c = input.charAt(i++);
      if ((c == 0 || c == '\r' || c == '\n') && !normalize) {
        String what = c == 0 ? "<NUL>" : c == '\r' ? "<CR>" : "<LF>";
        malformed = malformed == null ? new Fault.Malformed(what, line) : malformed;
      } else if (c == '\r' || c == '\n') {
        content.append("\r\n");
        line++;
      } else if (c != 0) {
        content.append(c);
      }
    }
  }

  /** Gives its octets in random pieces. */
  private static final class Pieces extends ByteArrayInputStream {
    private final Random random;

    Pieces(byte[] octets, Random random) {
      super(octets);
      this.random = random;
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      return super.read(into, offset, Math.min(length, 1 + random.nextInt(9)));
    }
  }
}
