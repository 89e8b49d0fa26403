package io.bloomgate.gateway.session;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.observe.Limit;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the reader keeps of a client that says nothing, on a clock that stands in the test. */
final class WireReaderTest {

  private static final int MAX_LINE = 2048;

  private long nanos;

  /** A socket whose reads wait, on the test's clock, or bring what was laid in. */
  private final class ScriptedSocket extends Socket {
    /** Durations of silence, and texts. */
    private final Deque<Object> events = new ArrayDeque<>();

    private final List<Integer> asked = new ArrayList<>();
    private long timeoutNanos;

    @Override
    public void setSoTimeout(int millis) {
      timeoutNanos = Duration.ofMillis(millis).toNanos();
    }

    @Override
    public InputStream getInputStream() {
      return new InputStream() {
        @Override
        public int read() {
          throw new AssertionError("octets are read in blocks");
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
          asked.add(length);
          return next(into, offset, length);
        }
      };
    }

    private int next(byte[] into, int offset, int length) throws IOException {
      return switch (events.pop()) {
        case Duration silence -> {
          long rest = silence.toNanos() - timeoutNanos;
          nanos += Math.min(timeoutNanos, silence.toNanos());
          if (rest > 0) {
            events.push(Duration.ofNanos(rest));
            throw new SocketTimeoutException();
          }
          yield next(into, offset, length);
        }
        case String text -> {
          byte[] octets = text.getBytes(ISO_8859_1);
          int now = Math.min(length, octets.length);
          System.arraycopy(octets, 0, into, offset, now);
          if (now < octets.length) {
            events.push(text.substring(now));
          }
          yield now;
        }
        default -> throw new AssertionError();
      };
    }
  }

  private WireReader reader(ScriptedSocket socket) {
    SessionHandle handle = new SessionHandle(socket, Thread.currentThread(), 0);
    WireWriter writer = new WireWriter(OutputStream.nullOutputStream(), handle, () -> nanos, 1);
    TimedInput input = new TimedInput(socket, socket.getInputStream(), () -> nanos);
    return new WireReader(input, input, writer, () -> nanos);
  }

  private Deadline inMinutes(int minutes) {
    return new Deadline(nanos + Duration.ofMinutes(minutes).toNanos(), Limit.COMMAND_TIMEOUT);
  }

  private String line(WireReader reader) throws IOException {
    return reader.readLine(inMinutes(5), MAX_LINE) instanceof CommandInput.Line(String text)
        ? text
        : "no line";
  }

  @Test
  void silenceGivesTheBufferBackAndTheNextCommandsFindOne() throws Exception {
    String longLine = "MAIL FROM:<" + "x".repeat(300) + "@a.example>";
    try (ScriptedSocket socket = new ScriptedSocket()) {
      WireReader reader = reader(socket);
      int[] relaxed = {0};
      reader.whenIdle(() -> relaxed[0]++);
      socket.events.addAll(
          Arrays.asList(
              "NOOP\r\n", Duration.ofSeconds(100), longLine + "\r\nRSET\r\n", "NOOP again\r\n"));
      assertEquals("NOOP", line(reader));
      assertEquals(longLine, line(reader));
      assertEquals("RSET", line(reader));
      assertEquals("NOOP again", line(reader));
      assertEquals(1, relaxed[0], "once a silence");
      assertEquals(List.of(1024, 1024, 64), socket.asked.subList(0, 3));
      assertTrue(socket.asked.getLast() >= 512, "active clients are read in large blocks");
    }
  }

  @Test
  void halfALineIsKeptThroughSilence() throws Exception {
    try (ScriptedSocket socket = new ScriptedSocket()) {
      WireReader reader = reader(socket);
      socket.events.addAll(Arrays.asList("NO", Duration.ofSeconds(100), "OP\r\n"));
      assertEquals("NOOP", line(reader));
    }
  }

  @Test
  void aPromptClientIsNeverRelaxed() throws Exception {
    try (ScriptedSocket socket = new ScriptedSocket()) {
      WireReader reader = reader(socket);
      int[] relaxed = {0};
      reader.whenIdle(() -> relaxed[0]++);
      for (int i = 0; i < 100; i++) {
        socket.events.add("NOOP\r\n");
        assertEquals("NOOP", line(reader));
        nanos += Duration.ofSeconds(1).toNanos();
      }
      assertEquals(0, relaxed[0]);
    }
  }
}
