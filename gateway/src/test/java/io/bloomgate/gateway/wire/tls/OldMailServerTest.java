package io.bloomgate.gateway.wire.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.bloomgate.gateway.testkit.TestCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Mail servers that know one suite of TLS 1.2 only, as old ones of Exchange do. */
final class OldMailServerTest {

  @ParameterizedTest
  @CsvSource({
    "NATIVE, TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
    "NATIVE, TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
    "NATIVE, TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA",
    "NATIVE, TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA",
    "JDK, TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384",
    "JDK, TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256",
    "JDK, TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA",
    "JDK, TLS_DHE_RSA_WITH_AES_256_GCM_SHA384",
    "JDK, TLS_DHE_RSA_WITH_AES_256_CBC_SHA256",
    "JDK, TLS_DHE_RSA_WITH_AES_128_CBC_SHA",
  })
  void isTakenByTheEngineThatKnowsItsSuite(TlsEngine engine, String suite) throws Exception {
    try (SSLServerSocket server = server(suite)) {
      CompletableFuture<String> agreed = CompletableFuture.supplyAsync(() -> answer(server));
      Socket plain = new Socket(server.getInetAddress(), server.getLocalPort());
      TlsContext client = TlsContext.anyServer(TlsEngine.NATIVE);
      TlsContext used = engine == TlsEngine.NATIVE ? client : client.byJava();
      assertNotNull(used);
      try (TlsSocket tls = used.over(plain, "localhost")) {
        tls.handshake();
        assertEquals('x', tls.getInputStream().read());
      }
      assertEquals(suite, agreed.get());
    }
  }

  private static SSLServerSocket server(String suite) throws IOException {
    SSLServerSocket server =
        (SSLServerSocket)
            TestCertificate.shared("dns:localhost", "RSA")
                .server()
                .getServerSocketFactory()
                .createServerSocket(0, 1, InetAddress.getLoopbackAddress());
    server.setEnabledProtocols(new String[] {"TLSv1.2"});
    server.setEnabledCipherSuites(new String[] {suite});
    return server;
  }

  private static String answer(SSLServerSocket server) {
    try (SSLSocket client = (SSLSocket) server.accept()) {
      client.getOutputStream().write('x');
      return client.getSession().getCipherSuite();
    } catch (IOException e) {
      return e.toString();
    }
  }
}
