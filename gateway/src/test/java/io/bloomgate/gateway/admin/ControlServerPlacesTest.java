package io.bloomgate.gateway.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlReply.Note;
import io.bloomgate.config.name.Role;
import io.bloomgate.config.settings.AdminSettings;
import io.bloomgate.gateway.admin.RequestHandler.Caller;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How many connections the control socket serves at one time, and whose go first. */
final class ControlServerPlacesTest extends ControlServerWorld {

  private final List<SocketChannel> clients = new ArrayList<>();

  @AfterEach
  void close() throws IOException {
    for (SocketChannel client : clients) {
      client.close();
    }
  }

  @Test
  void oneMoreThanThereIsRoomForTakesThePlaceOfTheOneIdleLongest() throws IOException {
    try (ControlServer _ = open()) {
      for (int i = 0; i < ControlServer.MAX_CONNECTIONS; i++) {
        nanos.incrementAndGet();
        SocketChannel client = connect();
        clients.add(client);
        ask(client, "hi");
        assertTrue(reply(reader(client)).endsWith("hi"));
      }
      try (SocketChannel late = connect()) {
        ask(late, "late");
        assertTrue(reply(reader(late)).endsWith("late"));
        assertEquals("", reply(reader(clients.getFirst())));
        SocketChannel last = clients.getLast();
        ask(last, "still");
        assertTrue(reply(reader(last)).endsWith("still"));
      }
    }
  }

  @Test
  void whenAllAreAtWorkOneMoreIsTurnedAway() throws Exception {
    CountDownLatch begun = new CountDownLatch(ControlServer.MAX_CONNECTIONS);
    CountDownLatch over = new CountDownLatch(1);
    RequestHandler slow =
        (_, _, answer) -> {
          begun.countDown();
          try {
            over.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          answer.send(List.of(new Note("done")));
        };
    try (ControlServer _ = open(slow)) {
      for (int i = 0; i < ControlServer.MAX_CONNECTIONS; i++) {
        SocketChannel client = connect();
        clients.add(client);
        ask(client, "work");
      }
      begun.await();
      try (SocketChannel late = connect()) {
        assertTrue(reply(reader(late)).startsWith("no: too many control connections"));
      }
      over.countDown();
      assertEquals("done", reply(reader(clients.getFirst())));
    }
  }

  private ControlServer open(Function<SocketChannel, Caller> roles, RequestHandler handler)
      throws IOException {
    AdminSettings admin =
        new AdminSettings(socket(), 0666, "readers", null, null, null, null, List.of(), null);
    ControlServer server = open(admin, roles, handler);
    server.start();
    return server;
  }

  @Test
  void aDirectoryThatDoesNotAnswerHoldsABoundedNumberOfConnections() throws Exception {
    CountDownLatch asked = new CountDownLatch(ControlServer.MAX_ACCEPTED);
    CountDownLatch over = new CountDownLatch(1);
    Function<SocketChannel, Caller> slow =
        _ -> {
          asked.countDown();
          try {
            over.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return new Caller("ann", Role.ADMIN);
        };
    try (ControlServer server = open(slow, ECHO)) {
      for (int i = 0; i < ControlServer.MAX_ACCEPTED; i++) {
        clients.add(connect());
      }
      asked.await();
      try (SocketChannel late = connect()) {
        assertTrue(reply(reader(late)).startsWith("no: too many control connections"));
      }
      nanos.addAndGet(31_000_000_000L);
      server.tick();
      over.countDown();
      ask(clients.getLast(), "at last");
      assertEquals("ann: at last", reply(reader(clients.getLast())));
    }
  }
}
