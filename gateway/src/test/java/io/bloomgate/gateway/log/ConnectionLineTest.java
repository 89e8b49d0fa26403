package io.bloomgate.gateway.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.LogSettings.Format;
import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.gateway.smtp.Reply;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Lines of connections, and the id that joins them with those of their mails. */
final class ConnectionLineTest {

  private static DecisionLine line(Format format, Privacy privacy, boolean connections) {
    return new DecisionLine(
        format, privacy, "mx1", "postfix/smtpd", 4121, false, ZoneOffset.UTC, connections);
  }

  private static final ConnectionEnd END =
      new ConnectionEnd(
          Decisions.NOW,
          "8M4R0AV3BC",
          IpAddress.parse("203.0.113.7").toOptional().orElseThrow(),
          "a b@spam.example",
          false,
          Reply.of(421, "4.7.0", "Too many errors"),
          2,
          Duration.ofMillis(1500));

  /** Neither the stock filter of fail2ban nor its stricter modes take it for a refusal. */
  @Test
  void theEndOfAConnectionIsALineLikeThatOfPostfix() {
    assertEquals(
        "Nov  1 07:39:01 mx1 postfix/smtpd[4121]: disconnect from unknown[203.0.113.7]"
            + " helo=<*@spam.example> connection=8M4R0AV3BC end=cut code=421 enhanced=4.7.0"
            + " transactions=2 ms=1500",
        line(Format.POSTFIX, Privacy.NO_LOCALPART, true).of(END));
    assertEquals(
        "ts=2026-11-01T07:39:01Z event=connection client_ip=203.0.113.7"
            + " helo=a\\x20b@spam.example connection=8M4R0AV3BC end=cut code=421 enhanced=4.7.0"
            + " transactions=2 ms=1500",
        line(Format.KV, Privacy.FULL, true).of(END));
    assertEquals(
        "{\"ts\":\"2026-11-01T07:39:01Z\",\"event\":\"connection\",\"client_ip\":\"203.0.113.7\","
            + "\"helo\":\"*\",\"connection\":\"8M4R0AV3BC\",\"end\":\"cut\",\"code\":421,"
            + "\"enhanced\":\"4.7.0\",\"transactions\":2,\"ms\":1500}",
        line(Format.JSON, Privacy.NO_ADDRESSES, true).of(END));
  }

  @ParameterizedTest
  @EnumSource(Format.class)
  void linesNameTheConnectionWhereTheSettingsAskForIt(Format format) {
    DecisionRecord plain = Decisions.refused("203.0.113.7", "drop");
    DecisionRecord record =
        Decisions.with(
            plain,
            plain.id(),
            plain.time(),
            new SessionTrace(
                "[::]:25", null, false, null, null, List.of(), "8M4R0AV3BC", "", null));
    assertEquals(
        line(format, Privacy.FULL, false).of(plain), line(format, Privacy.FULL, false).of(record));
    String named = line(format, Privacy.FULL, true).of(record);
    assertTrue(
        named.contains(
            format == Format.JSON ? "\"connection\":\"8M4R0AV3BC\"" : "connection=8M4R0AV3BC"),
        named);
  }
}
