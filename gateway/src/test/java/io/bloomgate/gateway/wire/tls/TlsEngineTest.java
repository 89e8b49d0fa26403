package io.bloomgate.gateway.wire.tls;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.testkit.TestCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which engine a process uses, in a separate Java, because it is chosen once. */
final class TlsEngineTest {

  private static String said(String option) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                option,
                "-cp",
                System.getProperty("java.class.path"),
                TlsEngineTest.class.getName())
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertEquals(0, process.waitFor(), said);
    return said;
  }

  /** Sends an octet from a client to a server of the engine in use, and names the engine. */
  public static void main(String[] none) throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<Integer> read =
          CompletableFuture.supplyAsync(() -> {
            try (TlsSocket server =
                TestCertificate.shared("dns:localhost")
                    .server(TlsEngine.inUse())
                    .over(listener.accept(), "client")) {
              server.handshake();
              return server.getInputStream().read();
            } catch (IOException e) {
              throw new IllegalStateException(e);
            }
          });
      Socket plain = new Socket(listener.getInetAddress(), listener.getLocalPort());
      try (TlsSocket client = TlsContext.anyServer(TlsEngine.inUse()).over(plain, "localhost")) {
        client.handshake();
        client.getOutputStream().write('x');
        System.out.println(
            "engine " + TlsEngine.inUse() + ", read " + read.join() + ", " + TlsEngine.problem());
      }
    }
  }

  @Test
  void javaTakesThePlaceOfALibraryThatCannotBeLoadedAndTheLogSaysWhy(@TempDir Path folder)
      throws Exception {
    Path file = Files.createFile(folder.resolve("no-directory"));
    String said = said("-Dio.netty.native.workdir=" + file);
    assertTrue(said.contains("engine JDK, read 120, "), said);
    assertTrue(said.contains("BoringSSL cannot be loaded ("), said);
  }

  @Test
  void javaIsUsedWithoutAWordWhereTheAdministratorChoseIt() throws Exception {
    String said = said("-Dbloomgate.tls.engine=jdk");
    assertTrue(said.contains("engine JDK, read 120, \n"), said);
    assertTrue(!said.contains("BoringSSL"), said);
  }
}
