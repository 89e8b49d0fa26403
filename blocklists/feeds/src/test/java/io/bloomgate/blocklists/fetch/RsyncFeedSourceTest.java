package io.bloomgate.blocklists.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.settings.FeedUrl;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fetches from a real rsync daemon on loopback, where the program is installed. */
final class RsyncFeedSourceTest {

  @TempDir Path folder;
  private final Set<Process> running = ConcurrentHashMap.newKeySet();
  private final AtomicInteger fetches = new AtomicInteger();
  private Path served;
  private Process daemon;
  private int port;

  @BeforeEach
  void start() throws Exception {
    Assumptions.assumeTrue(isInstalled(), "rsync is not installed");
    served = Files.createDirectory(folder.resolve("served"));
    Path settings = folder.resolve("rsyncd.conf");
    Files.writeString(
        settings,
        """
        use chroot = no
        log file = %1$s/rsyncd.log
        pid file = %1$s/rsyncd.pid
        motd file = %1$s/motd
        %2$s
        [lists]
          path = %1$s/served
          read only = yes
        [closed]
          path = %1$s/served
          hosts deny = *
        [secret]
          path = %1$s/served
          auth users = somebody
          secrets file = %1$s/secrets
        """
            .formatted(folder, user()));
    Files.writeString(folder.resolve("motd"), "Welcome\n");
    do {
      daemon = begun(settings);
    } while (!hasBegun());
  }

  /** On a free port; where another program takes it before the daemon does, the daemon ends. */
  private Process begun(Path settings) throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    return new ProcessBuilder(
            "rsync",
            "--daemon",
            "--no-detach",
            "--address=127.0.0.1",
            "--port=" + port,
            "--config=" + settings)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("daemon.out").toFile())
        .start();
  }

  private boolean hasBegun() throws InterruptedException {
    while (!answers()) {
      if (daemon.waitFor(10, TimeUnit.MILLISECONDS)) {
        return false;
      }
    }
    return true;
  }

  /**
   * A daemon of root's serves as nobody, which may not pass through a folder that only root may
   * enter. Versions since the fix of CVE-2026-29518 open a file by its whole path and so fail
   * there.
   */
  private static String user() {
    return System.getProperty("user.name").equals("root") ? "uid = 0\ngid = 0" : "";
  }

  private static boolean isInstalled() throws InterruptedException {
    try {
      return new ProcessBuilder("rsync", "--version")
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor(60, TimeUnit.SECONDS);
    } catch (IOException e) {
      return false;
    }
  }

  private boolean answers() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  @AfterEach
  void stop() throws Exception {
    if (daemon != null) {
      daemon.descendants().forEach(ProcessHandle::destroyForcibly);
      daemon.destroyForcibly().waitFor();
    }
    assertEquals(Set.of(), running);
  }

  private FetchResult fetch(String path, Validators known, Duration limit) throws IOException {
    return fetch(path, known, limit, System::nanoTime);
  }

  private FetchResult fetch(String path, Validators known, Duration limit, LongSupplier nanoTime)
      throws IOException {
    Path directory = Files.createDirectory(folder.resolve("fetch" + fetches.incrementAndGet()));
    return new RsyncFeedSource(
            FeedUrl.ofRsync("rsync://127.0.0.1:" + port + "/" + path), nanoTime, limit, running)
        .fetch(known, directory);
  }

  private FetchResult fetch(String path, Validators known) throws IOException {
    return fetch(path, known, Duration.ofMinutes(1));
  }

  private String failure(String path) throws IOException {
    FetchResult.Failed failed =
        assertInstanceOf(FetchResult.Failed.class, fetch(path, Validators.NONE));
    assertEquals(failed.message(), failed.log());
    return failed.message();
  }

  /** The file of a fetch that must succeed; a failure is shown in its own words. */
  private FetchResult.Fetched fetched(String path, Validators known) throws IOException {
    FetchResult result = fetch(path, known);
    return assertInstanceOf(FetchResult.Fetched.class, result, result::toString);
  }

  private static String text(FetchResult.Fetched fetched) throws IOException {
    return Files.readString(fetched.content().parts().getFirst());
  }

  @Test
  void theFileIsFetchedAndWhatDidNotChangeIsNot() throws Exception {
    Path list = Files.writeString(served.resolve("list.txt"), "203.0.113.7\n");
    Files.setLastModifiedTime(list, FileTime.from(Instant.parse("2026-11-22T10:00:00Z")));
    FetchResult.Fetched first = fetched("lists/list.txt", Validators.NONE);
    assertEquals("203.0.113.7\n", text(first));
    assertInstanceOf(FetchResult.NotModified.class, fetch("lists/list.txt", first.validators()));
    // Of the same size, and newer.
    Files.writeString(list, "203.0.113.8\n");
    Files.setLastModifiedTime(list, FileTime.from(Instant.parse("2026-11-22T11:00:00Z")));
    FetchResult.Fetched second = fetched("lists/list.txt", first.validators());
    assertEquals("203.0.113.8\n", text(second));
    Files.writeString(list, "203.0.113.8\n203.0.113.9\n");
    assertEquals(
        "203.0.113.8\n203.0.113.9\n", text(fetched("lists/list.txt", second.validators())));
  }

  @Test
  void whatIsNoRegularFileIsNotTaken() throws Exception {
    Files.createDirectory(served.resolve("folder"));
    Files.createSymbolicLink(served.resolve("link"), Path.of("/etc/passwd"));
    assertTrue(failure("lists/folder").contains("there is no regular file"));
    assertTrue(failure("lists/link").contains("there is no regular file"));
    try (RandomAccessFile huge = new RandomAccessFile(served.resolve("huge").toFile(), "rw")) {
      huge.setLength((1L << 30) + 1);
    }
    assertTrue(failure("lists/huge").contains("of at most 1 GiB"));
  }

  @Test
  void aFailureSaysWhy() throws Exception {
    assertTrue(
        failure("nothing/x").endsWith("the server refused: @ERROR: Unknown module 'nothing'"));
    assertTrue(failure("closed/x").contains("the server refused: @ERROR: access denied"));
    assertTrue(failure("secret/x").contains("the server refused: @ERROR: auth failed"));
    assertTrue(failure("lists/none").contains("there is no such file, or it may not be read: "));
    stop();
    assertTrue(failure("lists/x").contains("no connection: "), failure("lists/x"));
  }

  @Test
  void aServerThatSaysNothingIsLeftInTime() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      port = silent.getLocalPort();
      FetchResult.Failed failed =
          assertInstanceOf(
              FetchResult.Failed.class,
              fetch("lists/list.txt", Validators.NONE, Duration.ofSeconds(1)));
      assertTrue(failed.message().contains("not there after 1 s"), failed.message());
    }
  }
}
