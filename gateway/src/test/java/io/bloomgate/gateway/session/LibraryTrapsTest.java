package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.testkit.SmtpClient;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Everything that SubEthaSMTP's own command loop gets wrong, tried through a socket. */
final class LibraryTrapsTest {

  private static final String INJECTED =
      "MAIL FROM:<injected@evil.example>\r\nRCPT TO:<bob@example.com>\r\nDATA\r\n";

  /** Nobody knows where such a chunk ends and the next command begins. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "BDAT",
        "BDAT x",
        "BDAT LAST",
        "BDAT -1",
        "BDAT 0x10",
        "BDAT 10LAST",
        "BDAT 10 FIRST",
        "BDAT 10 LAST LAST",
        "BDAT 1000000000000000 LAST",
        "BDAT 99999999999999999999 LAST",
      })
  void bdatWithoutAUsableSizeEndsTheSession(String command) throws Exception {
    try (TestGateway gateway = TestGateway.plain();
        SmtpClient client = gateway.connect().upToRcpt()) {
      client.raw(command + "\r\nDATA\r\n" + INJECTED + ".\r\n");
      assertEquals("502 5.5.1 Command not implemented", client.reply());
      expect("421 4.7.0 Protocol error", client.reply());
      assertEquals(SmtpClient.END, client.reply());
      gateway.awaitQuiet();
      assertEquals(List.of(), gateway.upstream.taken);
      assertEquals(List.of("abandoned"), gateway.telemetry.outcomes());
    }
  }

  @Test
  void contentLinesHaveNoLimit() throws Exception {
    String line = "x".repeat(300_000);
    try (TestGateway gateway = TestGateway.plain();
        SmtpClient client = gateway.connect().upToContent()) {
      expect("250", client.content("A: b\r\n\r\n" + line + "\r\n"));
      assertTrue(gateway.upstream.taken.getFirst().content().endsWith(line + "\r\n"));
    }
  }
}
