package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.smtp.Reply;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Everything that SubEthaSMTP's own command loop gets wrong, tried through a socket. */
final class LibraryTrapsTest {

  private static final String INJECTED =
      "MAIL FROM:<injected@evil.example>\r\nRCPT TO:<bob@example.com>\r\nDATA\r\n";

  @Test
  void refusedContentIsNeverRunAsCommands() throws Exception {
    try (TestGateway gateway = TestGateway.plain();
        SmtpClient client = gateway.connect().upToContent()) {
      client.raw("Subject: x\r\n\r\nbare\nline\r\n" + INJECTED + "\r\n.\r\n");
      assertEquals("550 5.5.2 Content is malformed: bare <LF> in line 3", client.reply());
      expect("250", client.ask("NOOP"));
      expect("503", client.ask("DATA"));
      expect("250", client.ask("MAIL FROM:<next@sender.example>"));
      assertEquals(List.of(), gateway.upstream.taken);
      assertFalse(gateway.upstream.commands.contains("MAIL injected@evil.example"));
    }
  }

  @Test
  void refusalOfTheUpstreamInsideContentIsDrainedToo() throws Exception {
    ScriptedUpstream upstream =
        new ScriptedUpstream() {
          @Override
          Reply onFinalDot() {
            return Reply.of(550, "5.7.1", "Content rejected");
          }
        };
    try (TestGateway gateway = TestGateway.plain(upstream);
        SmtpClient client = gateway.connect().upToContent()) {
      client.raw("x\r\n" + INJECTED + ".\r\n");
      assertEquals("550 5.7.1 Content rejected", client.reply());
      // The transaction is over: a new one needs no RSET.
      expect("250", client.ask("MAIL FROM:<next@sender.example>"));
    }
  }

  @Test
  void bdatChunksAreDiscarded() throws Exception {
    try (TestGateway gateway = TestGateway.plain();
        SmtpClient client = gateway.connect().upToRcpt()) {
      client.raw("bdat " + INJECTED.length() + " last\r\n" + INJECTED + "NOOP\r\n");
      assertEquals("502 5.5.1 Command not implemented", client.reply());
      assertEquals("250 2.0.0 Ok", client.reply());
      client.raw("BDAT 100 LAST\r\nhalf of it");
      expect("502", client.reply());
      client.socket().shutdownOutput();
      assertEquals(SmtpClient.END, client.reply());
      gateway.awaitQuiet();
      assertEquals(List.of(), gateway.upstream.taken);
    }
  }

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

  @ParameterizedTest
  @CsvSource({
    "SIZE=99999999999, 552 5.3.4",
    "SIZE=99999999999999999999, 552 5.3.4",
    "SIZE=99999999999999999999999999, 552 5.3.4",
    "SIZE=30000001 BODY=8BITMIME, 552 5.3.4",
    "SIZE=10, 250 2.1.0",
    "BOGUS=1, 555 5.5.4",
    "SIZE=99999999999 SIZE=1, 250 2.1.0",
    "SIZE=1 SIZE=99999999999, 552 5.3.4",
  })
  void mailParametersAreReadAndEnforced(String parameters, String reply) throws Exception {
    try (TestGateway gateway = TestGateway.limited("message_size: 30000000B");
        SmtpClient client = gateway.connect()) {
      expect("220", client.reply());
      expect("250", client.ask("EHLO client.example"));
      expect(reply, client.ask("MAIL FROM:<a@b.example> " + parameters));
    }
  }

  @Test
  void sizeIsEnforcedOnWhatComes() throws Exception {
    try (TestGateway gateway = TestGateway.limited("message_size: 1KiB");
        SmtpClient client = gateway.connect().upToContent()) {
      client.raw("A: b\r\n\r\n" + "0123456789\r\n".repeat(100) + INJECTED + ".\r\n");
      expect("552 5.3.4", client.reply());
      expect("250", client.ask("NOOP"));
      assertEquals(List.of(Limit.MESSAGE_SIZE), gateway.telemetry.limits);
      assertFalse(gateway.upstream.commands.contains("."));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"EHLOX foo", "QUITX", "DATAFOO", "RSETTLE", "MAILFROM:<a@b.example>"})
  void verbsAreWholeWords(String line) throws Exception {
    try (TestGateway gateway = TestGateway.plain();
        SmtpClient client = gateway.connect()) {
      expect("220", client.reply());
      expect("500 5.5.1", client.ask(line));
      expect("250", client.ask("NOOP"));
    }
  }

  @Test
  void longLinesAreSkippedAndCounted() throws Exception {
    try (TestGateway gateway = TestGateway.plain();
        SmtpClient client = gateway.connect()) {
      expect("220", client.reply());
      expect("500 5.5.2", client.ask("NOOP " + "x".repeat(100_000)));
      expect("250", client.ask("NOOP " + "x".repeat(2048 - "NOOP \r\n".length())));
      expect("500 5.5.2", client.ask("NOOP " + "x".repeat(2049 - "NOOP \r\n".length())));
      assertEquals(List.of(Limit.COMMAND_LINE, Limit.COMMAND_LINE), gateway.telemetry.limits);
    }
  }

  @Test
  void contentLinesHaveNoLimit() throws Exception {
    String line = "x".repeat(300_000);
    try (TestGateway gateway = TestGateway.plain();
        SmtpClient client = gateway.connect().upToContent()) {
      client.raw("A: b\r\n\r\n" + line + "\r\n.\r\n");
      expect("250", client.reply());
      assertTrue(gateway.upstream.taken.getFirst().content().endsWith(line + "\r\n"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"NOOP\0", "NOOP\u0001", "NOOP \u00ff\u00fe", "NOOP \r x"})
  void badOctetsInCommandsAreRefused(String line) throws Exception {
    try (TestGateway gateway = TestGateway.plain();
        SmtpClient client = gateway.connect()) {
      expect("220", client.reply());
      expect("500 5.5.2", client.ask(line));
      expect("250", client.ask("NOOP"));
    }
  }

  @Test
  void bareLineFeedEndsNoCommand() throws Exception {
    try (TestGateway gateway = TestGateway.plain();
        SmtpClient client = gateway.connect()) {
      expect("220", client.reply());
      client.raw("QUIT\nRSET\r\n");
      expect("500 5.5.2", client.reply());
      expect("250", client.ask("NOOP"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n.\n", "\n.\r\n", "\r\n.\n", "\r\n.\r", "\r.\r", "\r\n.\0\r\n"})
  void nothingElseEndsContent(String fakeEnd) throws Exception {
    try (TestGateway gateway = TestGateway.plain();
        SmtpClient client = gateway.connect().upToContent()) {
      client.raw("A: b\r\n\r\nx" + fakeEnd + INJECTED + "\r\n.\r\n");
      expect("550 5.5.2", client.reply());
      expect("250", client.ask("NOOP"));
      assertEquals(List.of(), gateway.upstream.taken);
    }
  }

  @Test
  void firstLineDotIsUnstuffed() throws Exception {
    try (TestGateway gateway = TestGateway.plain();
        SmtpClient client = gateway.connect().upToContent()) {
      client.raw("..first\r\n..second\r\n.\r\n");
      expect("250", client.reply());
      assertTrue(gateway.upstream.taken.getFirst().content().endsWith("\r\n.first\r\n.second\r\n"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "MAIL FROM:<a@b.example>, 503 5.5.1",
    "RCPT TO:<bob@example.com>, 503 5.5.1",
    "DATA, 503 5.5.1",
    "AUTH PLAIN AAAA, 502 5.5.1",
    "EXPN list, 502 5.5.1",
    "VRFY bob, 252 2.0.0",
    "HELP, 214 2.0.0",
    "RSET x, 501 5.5.4",
    "STARTTLS, 502 5.5.1",
    "XCLIENT ADDR=1.2.3.4, 500 5.5.1",
    "EHLO, 501 5.5.4",
    "EHLO two words, 250-mx.test.example",
  })
  void commandsOutOfPlaceAreAnsweredByTheBook(String line, String reply) throws Exception {
    try (TestGateway gateway = TestGateway.plain();
        SmtpClient client = gateway.connect()) {
      expect("220", client.reply());
      expect(reply, client.ask(line));
      assertEquals("221 2.0.0 Bye", client.ask("QUIT"));
      assertEquals(SmtpClient.END, client.reply());
    }
  }
}
