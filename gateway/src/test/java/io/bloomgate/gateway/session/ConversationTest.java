package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.gateway.relay.UpstreamFaultFixture;
import io.bloomgate.gateway.testkit.SmtpClient;
import io.bloomgate.gateway.wire.Watchdog;
import io.bloomgate.gateway.wire.WatchedSocket;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Limits, deadlines, pipelining and shutdown of a conversation. */
final class ConversationTest extends OneGateway {

  @Test
  void repliesToAPipelinedGroupLeaveInOneWrite() throws Exception {
    String said =
        """
        EHLO c.example
        MAIL FROM:<a@b.example>
        RCPT TO:<bob@example.com>
        RCPT TO:<eve@example.com>
        DATA
        A: b

        body
        .
        QUIT
        """;
    CannedSocket socket = new CannedSocket(said.replace("\n", "\r\n"));
    new SubethaListener(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            gateway.services::get,
            gateway.registry,
            Thread.ofVirtual().factory())
        .run(socket);
    List<String> writes = socket.writes.stream().map(ConversationTest::codes).toList();
    // Greeting; EHLO to 354, whose content was there already; the final reply; QUIT.
    assertEquals(List.of("220", "250 250 250 250 354 250", "221"), writes);
    assertEquals(1, gateway.upstream.taken.size());
  }

  private static String codes(String write) {
    List<String> codes = new ArrayList<>();
    for (String line : write.split("\r\n", -1)) {
      if (line.length() > 3 && line.charAt(3) == ' ') {
        codes.add(line.substring(0, 3));
      }
    }
    return String.join(" ", codes);
  }

  /** The dot came in time; that the upstream took hours to take the content is not its fault. */
  @Test
  void slowUpstreamCostsNoClientItsDot() throws Exception {
    ScriptedUpstream upstream = gateway.upstream;
    SmtpClient client = gateway.connect().upToContent();
    upstream.onContent =
        () -> {
          gateway.ahead.addAndGet(Duration.ofHours(2).toNanos());
          gateway.registry.tick();
        };
    expect("250", client.content("A: b\r\n\r\n" + "0123456789\r\n".repeat(60_000)));
    assertEquals(List.of(), gateway.telemetry.limits);
  }

  @Test
  void stopEndsSessionsThatWaitForTheUpstream() throws Exception {
    ScriptedUpstream stuck = new ScriptedUpstream();
    stuck.onFinalDot =
        _ -> {
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            throw UpstreamFaultFixture.lostAfterFinalDot();
          }
          return ScriptedUpstream.TAKEN;
        };
    TestGateway gateway = TestGateway.plain(stuck);
    try (SmtpClient client = gateway.connect().upToContent()) {
      client.raw("A: b\r\n\r\nx\r\n.\r\n");
      while (!stuck.commands.contains(".")) {
        LockSupport.parkNanos(1_000_000);
      }
      gateway.close();
      assertEquals(0, gateway.registry.count());
      assertEquals(List.of("unknown"), gateway.telemetry.outcomes());
    }
  }

  @Test
  void watchdogLetsTheVerdictReachAClientWhoseTimeIsUp() throws Exception {
    SmtpClient client = gateway.connect();
    gateway.telemetry.onDownstream =
        () -> {
          gateway.ahead.addAndGet(Duration.ofDays(1).toNanos());
          gateway.registry.tick();
        };
    client.upToContent().raw("Subject: hi\r\n\r\nbody\r\n.\r\n");
    expect("250", client.reply());
    expect("421 4.4.2", client.reply());
    assertEquals(1, gateway.upstream.taken.size());
  }

  @Test
  void reloadCountsForNewSessionsOnly() throws Exception {
    try (TestGateway other = TestGateway.plain();
        SmtpClient old = gateway.connect()) {
      expect("220", old.reply());
      gateway.services.set(other.services.get());
      old.raw("EHLO c.example\r\n");
      expect("250", old.reply());
      expect("250", old.ask("MAIL FROM:<a@b.example>"));
      expect("250", old.ask("RCPT TO:<bob@example.com>"));
      assertEquals(1, gateway.upstream.identities.size());
      try (SmtpClient fresh = gateway.connect()) {
        fresh.upToRcpt();
      }
      assertEquals(1, other.upstream.identities.size());
    }
  }

  /** A client that has said everything beforehand; remembers each write of the server. */
  private static final class CannedSocket extends WatchedSocket {
    private final InputStream said;
    final List<String> writes = new ArrayList<>();

    CannedSocket(String said) {
      super(System::nanoTime, new Watchdog(System::nanoTime));
      this.said = new ByteArrayInputStream(said.getBytes(ISO_8859_1));
    }

    @Override
    protected InputStream rawInput() {
      return said;
    }

    @Override
    protected OutputStream rawOutput() {
      return new OutputStream() {
        @Override
        public void write(int octet) {
          throw new AssertionError("a write of one octet");
        }

        @Override
        public void write(byte[] octets, int offset, int length) {
          writes.add(new String(octets, offset, length, ISO_8859_1));
        }
      };
    }

    @Override
    public void setTcpNoDelay(boolean on) {}

    @Override
    public void setSoTimeout(int millis) {}

    @Override
    public InetAddress getInetAddress() {
      return InetAddress.getLoopbackAddress();
    }

    @Override
    public InetAddress getLocalAddress() {
      return InetAddress.getLoopbackAddress();
    }

    @Override
    public int getPort() {
      return 1234;
    }

    @Override
    public int getLocalPort() {
      return 25;
    }
  }
}
