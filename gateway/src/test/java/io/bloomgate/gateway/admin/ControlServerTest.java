package io.bloomgate.gateway.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlCodec;
import io.bloomgate.config.control.ControlReply.Failed;
import io.bloomgate.config.control.ControlReply.Note;
import io.bloomgate.config.control.ControlRequest.FeedsShow;
import io.bloomgate.config.name.Role;
import io.bloomgate.config.settings.AdminSettings;
import io.bloomgate.gateway.admin.RequestHandler.Caller;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The control socket's file and transport; what requests mean is tested with the handlers. */
final class ControlServerTest {

  /** Answers with who asked, and for which feed. */
  private static final RequestHandler ECHO =
      (request, caller, answer) ->
          answer.send(List.of(new Note(caller.user() + ": " + ((FeedsShow) request).name())));

  private static final String ASIDE = ".control-new";

  @TempDir private Path directory;
  private final AtomicLong nanos = new AtomicLong();

  private Path socket() {
    return directory.resolve("control.sock");
  }

  private ControlServer open() throws IOException {
    return open(ECHO);
  }

  private ControlServer open(RequestHandler handler) throws IOException {
    ControlServer server = open(socket(), handler);
    server.start();
    return server;
  }

  private ControlServer open(Path socket, RequestHandler handler) throws IOException {
    return open(socket, handler, 0660, null);
  }

  private ControlServer open(
      Path socket, RequestHandler handler, int mode, @Nullable String readGroup)
      throws IOException {
    AdminSettings admin =
        new AdminSettings(socket, mode, readGroup, null, null, null, null, List.of(), null);
    SocketRoles roles = new SocketRoles(admin, Thread.ofPlatform().daemon().factory(), nanos::get);
    return open(admin, roles::of, handler);
  }

  private ControlServer open(
      AdminSettings admin, Function<SocketChannel, Caller> roles, RequestHandler handler)
      throws IOException {
    return ControlServer.open(
        admin,
        roles,
        directory.resolve("state"),
        handler,
        Thread.ofVirtual().factory(),
        nanos::get);
  }

  private List<String> names() throws IOException {
    try (var files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private SocketChannel connect() throws IOException {
    return SocketChannel.open(UnixDomainSocketAddress.of(socket()));
  }

  private static void send(SocketChannel channel, String text) throws IOException {
    ByteBuffer octets = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    while (octets.hasRemaining()) {
      channel.write(octets);
    }
  }

  /** Asks for these feeds. */
  private static void ask(SocketChannel channel, String... names) throws IOException {
    for (String name : names) {
      send(channel, line(name));
    }
  }

  private static String line(String name) {
    return ControlCodec.encode(new FeedsShow(name)) + "\n";
  }

  /** The text of the next reply; empty at the end. */
  private static String reply(BufferedReader answers) throws IOException {
    String line = answers.readLine();
    if (line == null) {
      return "";
    }
    return switch (ControlCodec.decodeReply(line).toOptional().orElseThrow()) {
      case Note(String text) -> text;
      case Failed(int _, String message, String hint) -> "no: " + message + "; " + hint;
      default -> throw new AssertionError(line);
    };
  }

  private static BufferedReader reader(SocketChannel channel) {
    return new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
  }

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
      assertTrue(refused.toString().contains("another gateway"), refused.toString());
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
    Files.writeString(directory.resolve(ASIDE + "/1"), "");
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
    assertTrue(refused.toString().contains("chmod o-w " + open), refused.toString());
    try (var files = Files.list(open)) {
      assertEquals(List.of(), files.toList());
    }
  }

  @Test
  void aPathThatTheSystemCannotHoldIsExplained() throws IOException {
    Path deep = Files.createDirectory(directory.resolve("d".repeat(110))).resolve("control.sock");
    IOException refused = assertThrows(IOException.class, () -> open(deep, ECHO));
    assertTrue(refused.toString().contains("shorter"), refused.toString());
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
  void oneMoreThanThereIsRoomForTakesThePlaceOfTheOneIdleLongest() throws IOException {
    List<SocketChannel> clients = new ArrayList<>();
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
    } finally {
      for (SocketChannel client : clients) {
        client.close();
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
    List<SocketChannel> clients = new ArrayList<>();
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
    } finally {
      for (SocketChannel client : clients) {
        client.close();
      }
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
  void whoMayOnlyAskLeavesPlacesToAdministrators() throws Exception {
    CountDownLatch begun = new CountDownLatch(ControlServer.MAX_OTHERS);
    CountDownLatch over = new CountDownLatch(1);
    RequestHandler slow =
        (request, caller, answer) -> {
          if (caller.role() == Role.READ) {
            begun.countDown();
            try {
              over.await();
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
          }
          ECHO.answer(request, caller, answer);
        };
    AtomicBoolean admin = new AtomicBoolean();
    List<SocketChannel> clients = new ArrayList<>();
    try (ControlServer _ =
        open(_ -> new Caller("ann", admin.get() ? Role.ADMIN : Role.READ), slow)) {
      for (int i = 0; i < ControlServer.MAX_OTHERS; i++) {
        SocketChannel client = connect();
        clients.add(client);
        ask(client, "work");
      }
      begun.await();
      for (int i = 0; i < ControlServer.MAX_CONNECTIONS; i++) {
        SocketChannel client = connect();
        clients.add(client);
        ask(client, "more");
        assertTrue(reply(reader(client)).startsWith("no: too many commands of users who are no"));
      }
      admin.set(true);
      try (SocketChannel late = connect()) {
        ask(late, "late");
        assertEquals("ann: late", reply(reader(late)));
      }
      over.countDown();
      assertEquals("ann: work", reply(reader(clients.getFirst())));
    } finally {
      for (SocketChannel client : clients) {
        client.close();
      }
    }
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
    List<SocketChannel> clients = new ArrayList<>();
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
    } finally {
      for (SocketChannel client : clients) {
        client.close();
      }
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
