package io.bloomgate.gateway.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.smtp.CommandInput;
import io.bloomgate.gateway.wire.ClientWire.ClientTimeout;
import io.bloomgate.gateway.wire.WireReader.WaitListener;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the reader keeps of a client between commands, and whom it tells that it waits. */
final class WireReaderTest {

  private static final int MAX_LINE = 2048;
  private static final Deadline FAR =
      new Deadline(Duration.ofMinutes(5).toNanos(), Limit.COMMAND_TIMEOUT);

  /** Silence until the deadline. */
  private static final Object SILENCE = new Object();

  private final List<Integer> asked = new ArrayList<>();
  private final Deque<Object> events = new ArrayDeque<>();
  private final WireReader reader = reader();

  WireReaderTest() throws IOException {}

  private WireReader reader() throws IOException {
    InputStream script =
        new InputStream() {
          @Override
          public int read() {
            throw new AssertionError("octets are read in blocks");
          }

          @Override
          public int read(byte[] into, int offset, int length) throws IOException {
            asked.add(length);
            if (!(events.pop() instanceof String text)) {
              throw new SocketTimeoutException();
            }
            byte[] octets = text.getBytes(ISO_8859_1);
            int now = Math.min(length, octets.length);
            System.arraycopy(octets, 0, into, offset, now);
            if (now < octets.length) {
              events.push(text.substring(now));
            }
            return now;
          }
        };
    return readerOf(new FedSocket(script));
  }

  private static WireReader readerOf(FedSocket socket) throws IOException {
    return ClientWire.plain(socket, Duration.ofSeconds(1)).reader();
  }

  private String line() throws IOException {
    return reader.readLine(FAR, MAX_LINE) instanceof CommandInput.Line line
        ? line.text()
        : "no line";
  }

  @Test
  void betweenCommandsTheBufferIsSmall() throws Exception {
    String longLine = "MAIL FROM:<" + "x".repeat(1_500) + "@a.example>";
    events.addAll(Arrays.asList(longLine + "\r\nRSET\r\n", "content", "NOOP\r\n"));
    assertEquals(longLine, line());
    assertEquals("RSET", line());
    reader.expectContent(new byte[8 * 1024]);
    reader.fill(FAR);
    reader.consumeTo(reader.limit());
    assertTrue(asked.getLast() > 4_096, "content comes in large blocks");
    reader.expectCommands();
    assertEquals("NOOP", line());
    assertEquals(1_024, asked.getFirst());
    assertEquals(1_024, asked.getLast());
    assertEquals(1_024, reader.buffer().length);
  }

  @Test
  void whatFollowsContentIsKeptWhenTheBufferShrinks() throws Exception {
    String commands = "NOOP\r\n".repeat(300);
    events.addAll(Arrays.asList(commands, "QUIT\r\n"));
    reader.expectContent(new byte[8 * 1024]);
    reader.fill(FAR);
    reader.expectCommands();
    for (int i = 0; i < 300; i++) {
      assertEquals("NOOP", line());
    }
    assertEquals("QUIT", line());
  }

  @Test
  void halfALineIsKept() throws Exception {
    events.addAll(Arrays.asList("NO", "OP\r\n"));
    assertEquals("NOOP", line());
  }

  @Test
  void silenceThatEndsNothing() throws Exception {
    events.addAll(Arrays.asList(SILENCE, "NOOP\r\n", SILENCE));
    assertFalse(reader.comesBefore(FAR));
    assertTrue(reader.comesBefore(FAR));
    assertEquals("NOOP", line());
    assertThrows(ClientTimeout.class, this::line);
  }

  @Test
  void everyWaitIsReportedWhenItBeginsAndWhenItEnds() throws Exception {
    List<String> reported = new ArrayList<>();
    reader.reportWaits(
        new WaitListener() {
          @Override
          public void waitBegins() {
            reported.add("begins, " + asked.size() + " read");
          }

          @Override
          public void waitEnds() {
            reported.add("ends");
          }
        });
    events.addAll(Arrays.asList("NOOP\r\nRSET\r\n", SILENCE));
    assertEquals("NOOP", line());
    assertEquals("RSET", line());
    assertThrows(ClientTimeout.class, this::line);
    assertEquals(List.of("begins, 0 read", "ends", "begins, 1 read", "ends"), reported);
  }
}
