package io.bloomgate.gateway.admin;

import static io.bloomgate.gateway.testkit.Texts.assertHas;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlCodec;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** The control socket's file and transport; what requests mean is tested with the handlers. */
final class ControlServerTest extends ControlServerWorld {

  @Test
  void requestsAreAnsweredInOrderWithTheCallersName() throws IOException {
    try (ControlServer _ = open();
        SocketChannel client = connect()) {
      ask(client, "one", "two");
      BufferedReader answers = reader(client);
      String user = System.getProperty("user.name");
      assertEquals(user + ": one", reply(answers));
      assertEquals(user + ": two", reply(answers));
    }
  }

  @Test
  void theSocketHasItsModeAndGoesWithTheServer() throws IOException {
    try (ControlServer _ = open()) {
      assertEquals(
          "rw-rw----", PosixFilePermissions.toString(Files.getPosixFilePermissions(socket())));
      assertEquals(List.of(ASIDE, "control.sock"), names());
    }
    assertFalse(Files.exists(socket()));
  }

  @Test
  void aStaleSocketIsReplaced() throws IOException {
    try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      dead.bind(UnixDomainSocketAddress.of(socket()));
    }
    assertTrue(Files.exists(socket()));
    try (ControlServer _ = open();
        SocketChannel client = connect()) {
      ask(client, "hello");
      assertTrue(reply(reader(client)).endsWith("hello"));
    }
  }

  @Test
  void aLiveSocketAndAFileAreLeftAlone() throws IOException {
    try (ControlServer _ = open()) {
      IOException refused = assertThrows(IOException.class, this::open);
      assertHas(refused.toString(), "another gateway");
      try (SocketChannel client = connect()) {
        ask(client, "still here");
        assertTrue(reply(reader(client)).endsWith("still here"));
      }
    }
    Files.writeString(socket(), "precious");
    assertThrows(IOException.class, this::open);
    assertEquals("precious", Files.readString(socket()));
  }

  @Test
  void leftoversOfAKilledStartDoNotHinder() throws IOException {
    open().close();
    Files.writeString(
        directory.resolve(ASIDE).resolve(Integer.toHexString(socket().hashCode())), "");
    open().close();
  }

  /** As a disk that is full, or was mounted read-only: the name stands for any such failure. */
  @Test
  void aSocketThatCannotBeMadeIsTriedAgain() throws IOException {
    Path state = directory.resolve("state");
    Path socket = state.resolve("control.sock");
    try (ControlServer server = open(socket, ECHO)) {
      server.start();
      Files.createDirectory(state);
      server.tick();
      assertFalse(Files.exists(socket), "not before its time");
      nanos.addAndGet(5_000_000_000L);
      server.tick();
      try (SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
        ask(client, "there");
        assertTrue(reply(reader(client)).endsWith("there"));
      }
    }
    assertFalse(Files.exists(socket));
  }

  /** Each binds its socket aside first, in a directory that it may not take from the others. */
  @Test
  void gatewaysThatStartInOneDirectoryDoNotEndEachOther() throws Exception {
    int starts = 40;
    List<Callable<ControlServer>> all = new ArrayList<>();
    for (int i = 0; i < starts; i++) {
      Path mine = directory.resolve("control" + i + ".sock");
      all.add(() -> open(mine, ECHO));
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      for (Future<ControlServer> started : threads.invokeAll(all)) {
        started.get().close();
      }
    }
    assertEquals(List.of(ASIDE), names());
  }

  @Test
  void aDirectoryThatEverybodyMayWriteIsRefused() throws IOException {
    Path open = Files.createDirectory(directory.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    IOException refused = assertThrows(IOException.class, () -> open(open.resolve("c"), ECHO));
    assertHas(refused.toString(), "chmod o-w " + open);
    try (var files = Files.list(open)) {
      assertEquals(List.of(), files.toList());
    }
  }

  @Test
  void aPathThatTheSystemCannotHoldIsExplained() throws IOException {
    Path deep = Files.createDirectory(directory.resolve("d".repeat(110))).resolve("control.sock");
    IOException refused = assertThrows(IOException.class, () -> open(deep, ECHO));
    assertHas(refused.toString(), "shorter");
  }

  @Test
  void anEndlessLineIsRefused() throws IOException {
    try (ControlServer _ = open();
        SocketChannel client = connect()) {
      send(client, "x".repeat(ControlCodec.MAX_REQUEST_OCTETS));
      assertTrue(reply(reader(client)).startsWith("no: a request has at most"));
    }
  }

  @Test
  void whoSaysNothingIsClosedAfterAWhile() throws IOException {
    try (ControlServer server = open();
        SocketChannel client = connect()) {
      String half = line("half a line");
      ask(client, "begun");
      send(client, half.substring(0, 20));
      BufferedReader answers = reader(client);
      assertTrue(reply(answers).endsWith("begun"));
      nanos.addAndGet(29_000_000_000L);
      server.tick();
      send(client, half.substring(20));
      assertTrue(reply(answers).endsWith("half a line"));
      // Ticks until the server has come back to waiting; the time itself does not pass.
      String end = "still open";
      Thread ticker =
          Thread.ofVirtual()
              .start(() -> {
                while (!Thread.currentThread().isInterrupted()) {
                  nanos.addAndGet(31_000_000_000L);
                  server.tick();
                  LockSupport.parkNanos(1_000_000);
                }
              });
      try {
        end = reply(answers);
      } finally {
        ticker.interrupt();
      }
      assertEquals("", end);
    }
  }

  @Test
  void garbageHurtsNobody() throws IOException {
    long seed = 4711;
    Random random = new Random(seed);
    try (ControlServer _ = open()) {
      for (int i = 0; i < 20; i++) {
        try (SocketChannel client = connect()) {
          byte[] noise = new byte[random.nextInt(5000)];
          random.nextBytes(noise);
          client.write(ByteBuffer.wrap(noise));
        }
      }
      try (SocketChannel client = connect()) {
        ask(client, "sane");
        assertTrue(reply(reader(client)).endsWith("sane"), "seed " + seed);
      }
    }
  }
}
