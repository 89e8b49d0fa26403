package io.bloomgate.gateway.relay;

import static io.bloomgate.gateway.relay.RelayFixture.FROM;
import static io.bloomgate.gateway.relay.RelayFixture.client;
import static io.bloomgate.gateway.relay.RelayFixture.mailAndRcpt;
import static io.bloomgate.gateway.relay.RelayFixture.message;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.smtp.MailCommand;
import io.bloomgate.gateway.smtp.RcptCommand;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The dialog with an upstream in good health, over a real socket. */
class RelayDialogTest extends OneServer {

  @Test
  void aServerThatKnowsOnlyHeloIsServed() throws UpstreamException {
    for (String unknown : List.of("500 what?", "502 5.5.1 not implemented")) {
      try (ScriptedUpstream old = ScriptedUpstream.start();
          UpstreamSession session =
              fixture.to(old.always("EHLO", c -> c.reply(unknown))).open(client())) {
        assertEquals(UpstreamExtensions.NONE, session.extensions());
        assertEquals(250, message(session).code());
        assertEquals(
            List.of("EHLO mx.example.com", "HELO mx.example.com", "MAIL FROM:<a@partner.example>"),
            old.connections().getFirst().commands().subList(0, 3));
      }
    }
  }

  @Test
  void aRefusedEhloIsNoReasonForHelo() {
    server.on("EHLO", "550 5.7.1 not you");
    assertThrows(UpstreamException.class, () -> fixture.to(server).open(client()));
    assertFalse(server.connections().getFirst().commands().contains("HELO mx.example.com"));
  }

  @Test
  void sendsMailAndRcptInOneWriteWhenPipeliningIsOffered() throws UpstreamException {
    // Answers MAIL only when RCPT is there too: a client that waits in between hangs here.
    server
        .offering("PIPELINING")
        .on(
            "MAIL",
            connection -> {
              connection.awaitInput();
              connection.proceed();
            });
    try (UpstreamSession session = fixture.to(server).open(client())) {
      assertTrue(mailAndRcpt(session).positive());
    }
  }

  @Test
  void sendsNothingAheadWhenPipeliningIsNotOffered() throws UpstreamException {
    AtomicBoolean ahead = new AtomicBoolean();
    server.on(
        "MAIL",
        connection -> {
          ahead.set(connection.inputWaiting());
          connection.reply("550 5.1.8 who are you");
        });
    try (UpstreamSession session = fixture.to(server).open(client())) {
      assertEquals(550, mailAndRcpt(session).code());
    }
    server.connections().getFirst().awaitEnd();
    assertFalse(ahead.get());
    assertEquals(
        List.of("EHLO mx.example.com", "MAIL FROM:<a@partner.example>", "QUIT"),
        server.connections().getFirst().commands());
  }

  @Test
  void refusedMailStandsWhenTheUpstreamClosesBehindIt() throws UpstreamException {
    server
        .offering("PIPELINING")
        .on(
            "MAIL",
            connection -> {
              connection.awaitInput();
              connection.reply("550 5.7.1 go away");
              connection.drop();
            });
    try (UpstreamSession session = fixture.to(server).open(client())) {
      assertEquals("550 5.7.1 go away", mailAndRcpt(session).toString());
      assertThrows(UpstreamException.class, session::rset);
    }
  }

  @Test
  void neverLetsAnArgumentBecomeAnotherCommand() throws UpstreamException {
    try (UpstreamSession session = fixture.to(server).open(client())) {
      for (String evil :
          List.of("x>\r\nRSET\r\nNOOP <", "x\rRSET", "x\nRSET", "x> NOTIFY=NEVER", "a b", "x\0")) {
        assertThrows(
            IllegalArgumentException.class,
            () -> session.mailAndRcpt(new MailCommand(FROM), new RcptCommand(evil)),
            evil);
      }
      assertEquals(250, message(session).code());
      session.mailAndRcpt(new MailCommand(FROM), new RcptCommand("\"a b>\\\"\"@example.com"));
    }
    List<String> commands = server.connections().getFirst().commands();
    assertEquals(
        List.of("EHLO", "MAIL", "RCPT", "DATA", "MAIL", "RCPT", "RSET", "QUIT"),
        commands.stream().map(line -> line.split(" ", 2)[0]).toList());
    assertEquals("RCPT TO:<\"a b>\\\"\"@example.com>", commands.get(5));
  }

  @Test
  void remembersWhatWasOfferedLast() throws UpstreamException {
    MailServer upstream = fixture.to(server);
    assertEquals(UpstreamExtensions.NONE, upstream.lastExtensions());
    assertTrue(upstream.probe());
    assertFalse(upstream.lastExtensions().dsn());
    server.offering("DSN", "SIZE 42");
    upstream.open(client()).close();
    assertTrue(upstream.lastExtensions().dsn());
    assertEquals(42, upstream.lastExtensions().sizeOctets());
    assertEquals(
        List.of("EHLO mx.example.com", "QUIT"), server.connections().getFirst().commands());
  }
}
