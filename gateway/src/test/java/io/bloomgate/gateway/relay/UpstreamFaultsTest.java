package io.bloomgate.gateway.relay;

import static io.bloomgate.gateway.relay.RelayFixture.client;
import static io.bloomgate.gateway.relay.RelayFixture.data;
import static io.bloomgate.gateway.relay.RelayFixture.mailAndRcpt;
import static io.bloomgate.gateway.relay.RelayFixture.message;
import static io.bloomgate.gateway.relay.RelayFixture.send;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.ScriptedUpstream.Action;
import io.bloomgate.gateway.testkit.UpstreamConnection;
import io.bloomgate.gateway.wire.tls.TlsEngine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Everything that can go wrong at a mail server: never a 250, never a 5xx, always a 451. The result
 * says whether the message may have arrived.
 */
class UpstreamFaultsTest extends OneServer {

  private static final Duration SHORT = Duration.ofMillis(500);

  /** A fault with the enhanced code it leads to. */
  record Fault(String name, String enhanced, Action action) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final Fault DRIP = new Fault("drip", "4.4.1", UpstreamFaultsTest::drip);

  private static final List<Fault> FAULTS =
      List.of(
          new Fault("stall", "4.4.1", UpstreamConnection::stall),
          new Fault("drop", "4.4.1", UpstreamConnection::drop),
          new Fault("reset", "4.4.1", UpstreamConnection::reset),
          new Fault("drop in a reply", "4.4.1", c -> rawThenDrop(c, "250-half\r\n25")),
          new Fault("421", "4.3.2", c -> c.reply("421 4.3.2 going down")),
          new Fault("530", "4.3.0", c -> c.reply("530 5.7.0 Must issue STARTTLS first")),
          new Fault("nonsense", "4.3.0", c -> c.reply("HTTP/1.1 400 Bad Request")),
          new Fault("empty line", "4.3.0", c -> c.reply("")),
          new Fault("no code", "4.3.0", c -> c.reply("+25 ok")),
          new Fault("code without border", "4.3.0", c -> c.reply("2500 ok")),
          new Fault("two codes", "4.3.0", c -> c.reply("250-yes\r\n550 no")),
          new Fault("100", "4.3.0", c -> c.reply("150 wait")),
          new Fault("endless line", "4.3.0", c -> endless(c, "250 " + "x".repeat(10_000))),
          new Fault("endless reply", "4.3.0", c -> endless(c, "250-more\r\n")),
          DRIP);

  /** Behind MAIL it is about the mail. */
  private static final Fault NOT_UNDERSTOOD =
      new Fault("500", "4.3.0", c -> c.reply("500 5.5.2 what?"));

  static Stream<Arguments> everyStepAndFault() {
    return Stream.concat(
        Stream.of("connect", "EHLO", "MAIL", "RSET")
            .map(step -> Arguments.of(step, NOT_UNDERSTOOD)),
        Stream.of("connect", "EHLO", "MAIL", "RCPT", "DATA", "RSET")
            .flatMap(step -> FAULTS.stream().map(fault -> Arguments.of(step, fault)))
            // It takes the whole time of a step, as a stall does.
            .filter(each -> !DRIP.equals(each.get()[1]) || each.get()[0].equals("MAIL")));
  }

  @ParameterizedTest
  @MethodSource("everyStepAndFault")
  void isNeitherYesNorNever(String step, Fault fault) {
    if (fault.name().equals("stall") || fault.name().equals("drip")) {
      fixture.stepTimeout = SHORT;
    }
    server.on(step, fault.action());
    if (step.equals("EHLO")) {
      // Where EHLO is not known, HELO is said.
      server.on("HELO", fault.action());
    }
    UpstreamException e = assertThrows(UpstreamException.class, () -> wholeDialog(), step);
    assertEquals(451, e.reply().code());
    assertEquals(fault.enhanced(), e.reply().enhanced(), e.getMessage());
    assertFalse(e.outcomeUnknown());
    assertEquals(step.equals("RSET") ? 1 : 0, server.deliveredCount());
  }

  static Stream<Arguments> everyFault() {
    return FAULTS.stream().map(Arguments::of);
  }

  @ParameterizedTest
  @MethodSource("everyFault")
  void afterTheFinalDotItSaysWhetherTheMessageMayHaveArrived(Fault fault) {
    if (fault.name().equals("stall") || fault.name().equals("drip")) {
      fixture.stepTimeout = SHORT;
    }
    server.on(ScriptedUpstream.FINAL_DOT, fault.action());
    UpstreamException e = assertThrows(UpstreamException.class, this::wholeDialog);
    boolean refused = List.of("421", "530").contains(fault.name());
    assertEquals(451, e.reply().code());
    assertEquals(refused ? fault.enhanced() : "4.4.2", e.reply().enhanced());
    assertEquals(!refused, e.outcomeUnknown());
  }

  @Test
  void aSecond354IsNotTheVerdictOnTheMessage() {
    server.on("DATA", "354 go\r\n354 go on").on(ScriptedUpstream.FINAL_DOT, "550 5.7.1 spam");
    UpstreamException e = assertThrows(UpstreamException.class, this::wholeDialog);
    assertEquals("4.3.0", e.reply().enhanced());
    assertEquals(0, server.deliveredCount());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theLastWordOfAnUpstreamThatClosesInsideContentIsHeard(boolean speaks)
      throws UpstreamException {
    server.on(
        ScriptedUpstream.CONTENT,
        connection -> {
          connection.awaitInput();
          if (speaks) {
            connection.reply("554 5.7.1 virus");
          }
          connection.drop();
        });
    try (UpstreamSession session = fixture.to(server).open(client())) {
      mailAndRcpt(session);
      data(session);
      String block = "x".repeat(70) + "\r\n";
      if (speaks) {
        for (int i = 0; i < 200_000; i++) {
          send(session, block);
        }
        assertEquals("554 5.7.1 virus", RelayFixture.end(session).toString());
      } else {
        UpstreamException e =
            assertThrows(
                UpstreamException.class,
                () -> {
                  while (true) {
                    send(session, block);
                  }
                });
        assertEquals("4.4.1", e.reply().enhanced());
        assertFalse(e.outcomeUnknown());
      }
    }
    assertEquals(0, server.deliveredCount());
  }

  @Test
  void aWriteThatNobodyReadsIsEndedByTheWatchdog() throws Exception {
    AtomicLong clock = new AtomicLong();
    fixture.nanoTime = clock::get;
    server.on(ScriptedUpstream.CONTENT, UpstreamConnection::stopReading);
    MailServer upstream = fixture.to(server);
    try (UpstreamSession session = upstream.open(client())) {
      mailAndRcpt(session);
      data(session);
      AtomicReference<UpstreamException> failure = new AtomicReference<>();
      Thread writer =
          Thread.ofVirtual()
              .start(() -> {
                try {
                  while (true) {
                    send(session, "x".repeat(10_000) + "\r\n");
                  }
                } catch (UpstreamException e) {
                  failure.set(e);
                }
              });
      // Nothing but the watchdog can end it: the clock of reads stands still as well.
      while (!writer.join(Duration.ofMillis(5))) {
        clock.addAndGet(fixture.stepTimeout.toNanos() / 4);
        upstream.tick();
      }
      UpstreamException e = java.util.Objects.requireNonNull(failure.get());
      assertEquals("4.4.1", e.reply().enhanced());
      assertTrue(String.valueOf(e.getMessage()).contains("too slow"), e.getMessage());
    }
  }

  @Test
  void acceptsRepliesThatOtherClientsAccept() throws UpstreamException {
    server
        .on("EHLO", c -> c.raw("250-upstream.example\r\n250-PIPELINING\r\n250\r\n".getBytes(US)))
        .on("MAIL", c -> c.raw("250 bare line feed\n".getBytes(US)))
        .on("RCPT", c -> c.raw("250\r\n".getBytes(US)));
    try (UpstreamSession session = fixture.to(server).open(client())) {
      assertTrue(session.extensions().pipelining());
      assertEquals("250 2.0.0 ", mailAndRcpt(session).toString());
      assertTrue(session.mailTaken());
    }
  }

  @Test
  void anUpstreamThatIsNotThereIs451() throws IOException {
    UpstreamException e;
    // Bound and not listening: nobody else can get the port while we find it closed.
    try (Socket deaf = new Socket()) {
      deaf.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      MailServer absent =
          fixture.to(
              deaf.getLocalPort(), UpstreamConnector.encryption(fixture.tls, TlsEngine.inUse()));
      e = assertThrows(UpstreamException.class, () -> absent.open(client()));
    }
    assertEquals("4.4.1", e.reply().enhanced());
    assertTrue(
        String.valueOf(e.getMessage()).startsWith("mail server not reached: "), e.toString());
    fixture.host = "no-such-host.invalid";
    e = assertThrows(UpstreamException.class, () -> fixture.to(server).open(client()));
    assertEquals("4.4.1", e.reply().enhanced());
    assertTrue(String.valueOf(e.getMessage()).contains("name is not known"), e.toString());
  }

  @Test
  void anUpstreamThatAcceptsNobodyIs451() throws IOException {
    List<Socket> queue = new ArrayList<>();
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      // Two fill a queue of one: the kernel has room for one more than it is asked for.
      for (int i = 0; i < 2; i++) {
        queue.add(new Socket(InetAddress.getLoopbackAddress(), full.getLocalPort()));
      }
      fixture.connectTimeout = SHORT;
      MailServer upstream =
          fixture.to(
              full.getLocalPort(), UpstreamConnector.encryption(fixture.tls, TlsEngine.inUse()));
      UpstreamException e = assertThrows(UpstreamException.class, () -> upstream.open(client()));
      assertEquals("4.4.1", e.reply().enhanced());
      assertTrue(String.valueOf(e.getMessage()).contains("too slow at connect"), e.getMessage());
    } finally {
      for (Socket socket : queue) {
        socket.close();
      }
    }
  }

  private static final java.nio.charset.Charset US = StandardCharsets.US_ASCII;

  private void wholeDialog() throws UpstreamException {
    try (UpstreamSession session = fixture.to(server).open(client())) {
      message(session);
      session.rset();
    }
  }

  private static void rawThenDrop(UpstreamConnection connection, String text)
      throws java.io.IOException {
    connection.raw(text.getBytes(US));
    connection.drop();
  }

  private static void endless(UpstreamConnection connection, String piece)
      throws java.io.IOException {
    byte[] octets = piece.getBytes(US);
    while (true) {
      connection.raw(octets);
    }
  }

  /** Each octet comes in time; the reply never does. */
  private static void drip(UpstreamConnection connection) throws java.io.IOException {
    Thread ticker =
        Thread.ofVirtual()
            .start(() -> {
              try {
                connection.raw("250-".getBytes(US));
                while (true) {
                  connection.raw("x".getBytes(US));
                  java.util.concurrent.locks.LockSupport.parkNanos(20_000_000);
                }
              } catch (java.io.IOException e) {
                // The relay has had enough.
              }
            });
    try {
      connection.stall();
    } finally {
      ticker.interrupt();
    }
  }
}
