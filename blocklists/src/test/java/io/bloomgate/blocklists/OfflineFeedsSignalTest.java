package io.bloomgate.blocklists;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.blocklists.guard.FeedTest;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A command that fetches by rsync and gets SIGTERM. */
final class OfflineFeedsSignalTest {

  @TempDir private Path temporary;

  /** The command, in another process. */
  static final class Child {

    private Child() {}

    /** Arguments: the address, a directory. */
    public static void main(String[] arguments) throws Exception {
      try (OfflineFeeds feeds =
          new OfflineFeeds(null, Runnable::run, System::nanoTime, InstantSource.system())) {
        FeedTest.Request request = new FeedTest.Request(arguments[0], null, null, List.of());
        System.out.println(feeds.test(request, Path.of(arguments[1])));
      }
    }
  }

  private static boolean isInstalled() throws InterruptedException {
    try {
      return new ProcessBuilder("rsync", "--version")
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor(20, TimeUnit.SECONDS);
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void theProgramThatFetchesEndsToo() throws Exception {
    Assumptions.assumeTrue(isInstalled(), "rsync is not installed");
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      server.setSoTimeout(60_000);
      Process child =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx64m",
                  "-XX:TieredStopAtLevel=1",
                  "--enable-native-access=ALL-UNNAMED",
                  "-cp",
                  System.getProperty("java.class.path"),
                  Child.class.getName(),
                  "rsync://127.0.0.1:" + server.getLocalPort() + "/lists/list.txt",
                  temporary.toString())
              .inheritIO()
              .start();
      try (Socket rsync = server.accept()) {
        rsync.setSoTimeout(30_000);
        child.destroy();
        child.waitFor();
        assertEquals(-1, last(rsync), "the connection ends with the program");
      } finally {
        child.destroyForcibly().waitFor();
      }
    }
  }

  /** Reads what the program says until it ends. */
  private static int last(Socket rsync) throws IOException {
    InputStream in = rsync.getInputStream();
    try {
      int octet = in.read();
      while (octet != -1) {
        octet = in.read();
      }
      return octet;
    } catch (SocketException e) {
      return -1; // reset
    }
  }
}
