package io.bloomgate.blocklists.fleet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.file.Path;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** Octets pass as they are, in any pieces, until a reply is beyond a limit. */
class BoundedRepliesTest {

  private static final String REPLIES =
      String.join(
              "\r\n", "+OK -ERR_no :42 $5 a\r\n+b $-1 *-1 *0 $0  *2 *2 $1 1 :7 $1 2".split(" ", -1))
          + "\r\n"
          + String.join(
              "\r\n", "%1 +k *1 _ #t ,1.5 (123 =8 txt:abcd !5 ERR_x ~1 :1 >2 +a +b".split(" ", -1))
          + "\r\n";

  private static BoundedReplies replies(InputStream in) {
    return new BoundedReplies(in, () -> 0);
  }

  private static InputStream octets(String text) {
    return new ByteArrayInputStream(text.getBytes(ISO_8859_1));
  }

  @Test
  void whatIsWithinTheLimitsPassesInAnyPieces() throws IOException {
    byte[] all = REPLIES.repeat(3).getBytes(ISO_8859_1);
    for (int piece = 1; piece < all.length; piece++) {
      InputStream in = replies(new ByteArrayInputStream(all));
      byte[] passed = new byte[all.length];
      int at = 0;
      while (at < all.length) {
        at += in.read(passed, at, Math.min(piece, all.length - at));
      }
      assertArrayEquals(all, passed);
      assertTrue(in.read() < 0);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'$16777217\r\n', octets in a text",
    "'$2000000000\r\n', octets in a text",
    "'*2000000000\r\n', elements in a reply",
    "'%600000\r\n', elements in a reply",
    "'*1\r\n*1000001\r\n', elements in a reply",
    "'$99999999999\r\n', no reply",
    "'*?\r\n', no reply",
    "'HTTP/1.1 200 OK\r\n', no reply",
    "'\r\n', no reply",
  })
  void whatIsAnnouncedIsRefusedBeforeItComes(String reply, String because) {
    IOException refused =
        assertThrows(IOException.class, () -> replies(octets(reply)).readNBytes(100));
    assertTrue(refused.toString().contains(because), refused::toString);
  }

  @Test
  void listsInEachOtherAndEndlessLinesAreRefused() {
    refused("*1\r\n".repeat(17), "lists in each other");
    refused("+" + "x".repeat(BoundedReplies.MAX_LINE_OCTETS), "octets in a line");
  }

  private static void refused(String reply, String because) {
    IOException refused =
        assertThrows(IOException.class, () -> replies(octets(reply)).readAllBytes());
    assertTrue(refused.toString().contains(because), refused::toString);
  }

  @Test
  void aReplyThatComesSlowlyEndsInTimeAndTheNextOneHasItsOwnTime() throws IOException {
    long[] now = new long[1];
    InputStream slow =
        new FilterInputStream(octets("+OK\r\n".repeat(10) + "+" + "x".repeat(100))) {
          @Override
          public int read(byte[] buffer, int offset, int length) throws IOException {
            now[0] += 1_000_000_000L;
            return super.read(buffer, offset, 1);
          }
        };
    BoundedReplies replies = new BoundedReplies(slow, () -> now[0]);
    byte[] one = new byte[1];
    for (int i = 0; i < 50; i++) {
      assertEquals(1, replies.read(one, 0, 1));
    }
    IOException refused = assertThrows(IOException.class, replies::readAllBytes);
    assertTrue(refused.toString().contains("to send a reply"), refused::toString);
    assertEquals(50 + BoundedReplies.MAX_REPLY_TIME.toSeconds() + 1, now[0] / 1_000_000_000L);
  }

  @Test
  void aReplyOfManyTextsIsRefusedWhenItsSumIsTooLarge() {
    String text = "$" + (8 << 20) + "\r\n" + "x".repeat(8 << 20) + "\r\n";
    InputStream nine =
        new SequenceInputStream(
            octets("*9\r\n"),
            new SequenceInputStream(
                Collections.enumeration(
                    Collections.nCopies(9, text).stream()
                        .map(BoundedRepliesTest::octets)
                        .toList())));
    IOException refused =
        assertThrows(
            IOException.class, () -> replies(nine).transferTo(OutputStream.nullOutputStream()));
    assertTrue(refused.toString().contains("octets in a reply"), refused::toString);
  }

  @Test
  void aServerWithAValueThatIsTooLongIsAskedInVain(@TempDir Path folder) throws Exception {
    assumeTrue(RealRedis.isInstalled(), "there is no redis-server");
    try (RealRedis redis = RealRedis.start(folder);
        RedisServer server = RedisServer.at(redis.address())) {
      assertEquals("OK", server.commands().set("short", "x"));
      assertEquals("x", server.commands().get("short"));
      server.commands().setrange("long", BoundedReplies.MAX_TEXT_OCTETS, "x");
      JedisConnectionException refused =
          assertThrows(JedisConnectionException.class, () -> server.commands().get("long"));
      assertTrue(
          String.valueOf(refused.getCause()).contains("octets in a text"), refused::toString);
      assertEquals("x", server.commands().get("short"), "on another connection");
    }
  }
}
