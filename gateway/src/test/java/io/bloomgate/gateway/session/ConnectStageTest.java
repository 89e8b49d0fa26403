package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.settings.Mode;
import io.bloomgate.gateway.testkit.LogLines;
import io.bloomgate.gateway.testkit.SmtpClient;
import io.bloomgate.gateway.wire.ProxyHeaderTest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What happens before the first command: PROXY, XCLIENT, early talkers, refusals, places. */
final class ConnectStageTest {

  private static final String PROXIES = "proxy_protocol: both, trusted_proxies: [127.0.0.0/8]";

  // ---- PROXY

  @Test
  void proxyHeaderMayCarryMoreThanAddressesAndComeInPieces() throws Exception {
    byte[] extensions = new byte[138];
    extensions[0] = 4;
    extensions[2] = (byte) 135;
    byte[] header =
        ProxyHeaderTest.v2(
            0x21, 0x11, HexFormat.of().parseHex("cb007107c0000201c3500019"), extensions);
    try (TestGateway gateway = new TestGateway(PROXIES, "", new ScriptedUpstream());
        SmtpClient client = gateway.connect()) {
      for (byte octet : header) {
        client.raw(new byte[] {octet});
      }
      client.upToRcpt();
      assertEquals("203.0.113.7", gateway.upstream.identities.getFirst().address().toString());
      assertEquals(50_000, gateway.upstream.identities.getFirst().port());
    }
  }

  @Test
  void badProxyHeadersDoNotFillTheLog() throws Exception {
    try (TestGateway gateway = new TestGateway(PROXIES, "", new ScriptedUpstream());
        LogLines log = new LogLines(ConnectStage.class)) {
      for (int i = 0; i < 20; i++) {
        try (SmtpClient client = gateway.connect()) {
          client.raw("EHLO me\r\n");
          assertEquals(SmtpClient.END, client.reply());
        }
      }
      assertEquals(5, log.warnings().size(), log.warnings().toString());
      gateway.ahead.addAndGet(Duration.ofMinutes(1).toNanos());
      try (SmtpClient client = gateway.connect()) {
        client.raw("EHLO me\r\n");
        assertEquals(SmtpClient.END, client.reply());
      }
      assertEquals(6, log.warnings().size(), log.warnings().toString());
      String last = log.warnings().getLast();
      assertTrue(last.startsWith("WARN bad PROXY header from 127.0.0.1: "), last);
      assertTrue(last.endsWith(" (not logged since the last: 15)"), last);
    }
  }

  @Test
  void strangersAreNotAskedForAProxyHeader() throws Exception {
    try (TestGateway gateway =
            new TestGateway(
                "proxy_protocol: both, trusted_proxies: [192.0.2.0/24]",
                "",
                new ScriptedUpstream());
        SmtpClient client = gateway.connect()) {
      expect("220", client.reply());
      expect("500 5.5.1", client.ask("PROXY TCP4 203.0.113.7 192.0.2.1 40000 25"));
    }
  }

  // ---- connect stage

  @Test
  void theModeSaysWhatTheConnectStageDoes() throws Exception {
    try (TestGateway gateway =
        new TestGateway("", "policy: {reject_at: connect}", new ScriptedUpstream())) {
      gateway.lists.list("127.0.0.1", "drop");
      gateway.mode.set(Mode.SOFT);
      try (SmtpClient client = gateway.connect()) {
        expect("421 4.7.1", client.reply());
      }
      assertEquals(List.of(), gateway.upstream.named, "no name of a refused client is asked for");
      gateway.mode.set(Mode.OBSERVE);
      try (SmtpClient client = gateway.connect()) {
        client.upToRcpt();
      }
      assertEquals(1, gateway.upstream.named.size());
      gateway.awaitQuiet();
      assertEquals(List.of("refused", "would_refuse", "abandoned"), gateway.telemetry.outcomes());
    }
  }

  @Test
  void theBannerHasTheNameOfTheSettings() throws Exception {
    try (TestGateway gateway =
            new TestGateway("banner_name: Example Mail", "", new ScriptedUpstream());
        SmtpClient client = gateway.connect()) {
      String banner = client.reply();
      assertTrue(banner.endsWith(" ESMTP Example Mail"), banner);
    }
  }
}
