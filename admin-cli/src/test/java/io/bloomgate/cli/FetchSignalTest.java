package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A command that fetches by rsync and gets SIGTERM. */
final class FetchSignalTest {

  @TempDir private Path temporary;

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
                  "-Djava.io.tmpdir=" + temporary,
                  BloomgateCli.class.getName(),
                  "feeds",
                  "test",
                  "rsync://127.0.0.1:" + server.getLocalPort() + "/lists/list.txt")
              .inheritIO()
              .start();
      try (Socket rsync = server.accept()) {
        rsync.setSoTimeout(60_000);
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
