package io.bloomgate.gateway.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.relay.RawReply.Step;
import io.bloomgate.gateway.smtp.Reply;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the client gets for each reply. */
class RawReplyTest {

  @ParameterizedTest
  @CsvSource({
    "MAIL, 250, Ok, 250 2.0.0 Ok",
    "RCPT, 251, will forward, 251 2.0.0 will forward",
    "RCPT, 252, 2.1.5 cannot VRFY, 252 2.1.5 cannot VRFY",
    "RCPT, 550, 5.1.1 <x@y>: unknown, 550 5.1.1 <x@y>: unknown",
    "RCPT, 550, No such user, 550 5.0.0 No such user",
    "RCPT, 450, 5.1.1 class of another code, 450 4.0.0 5.1.1 class of another code",
    "RCPT, 550, 5.123.456 three digits, 550 5.123.456 three digits",
    "RCPT, 550, 5.1.1000 four digits, 550 5.0.0 5.1.1000 four digits",
    "RCPT, 550, 5..1 no subject, 550 5.0.0 5..1 no subject",
    "RCPT, 550, 5.1., 550 5.0.0 5.1.",
    "MAIL, 555, 5.5.4 unsupported, 555 5.5.4 unsupported",
    "DATA, 354, 2.0.0 go ahead, 354 go ahead",
    "FINAL_DOT, 550, 5.7.1, 550 5.7.1 ''",
    "FINAL_DOT, 529, 5.7.0 below 530, 529 5.7.0 below 530",
    "DATA, 503, 5.5.1 no valid recipients, 503 5.5.1 no valid recipients",
  })
  void passesOnWhatConcernsTheMail(Step step, int code, String text, String shown)
      throws UpstreamException {
    Reply reply = new RawReply(code, List.of(text)).forClient(step);
    assertEquals(shown.replace("''", ""), reply.toString());
  }

  @ParameterizedTest
  @CsvSource({
    "MAIL, 421, 4.3.2",
    "MAIL, 500, 4.3.0",
    "MAIL, 504, 4.3.0",
    "RCPT, 530, 4.3.0",
    "RCPT, 538, 4.3.0",
    "MAIL, 538, 4.3.0",
    "MAIL, 220, 4.3.0",
    "RCPT, 221, 4.3.0",
    "DATA, 300, 4.3.0",
    "FINAL_DOT, 530, 4.3.0",
    "FINAL_DOT, 251, 4.4.2",
    "FINAL_DOT, 354, 4.4.2",
  })
  void turnsTheRestInto451(Step step, int code, String enhanced) {
    UpstreamException e =
        assertThrows(
            UpstreamException.class, () -> new RawReply(code, List.of("whatever")).forClient(step));
    assertEquals(451, e.reply().code());
    assertEquals(enhanced, e.reply().enhanced());
    assertEquals(enhanced.equals("4.4.2"), e.outcomeUnknown());
    assertTrue(String.valueOf(e.getMessage()).contains(code + " whatever"), e.getMessage());
  }

  @Test
  void keepsLinesAndTakesTheEnhancedCodeOffEach() throws UpstreamException {
    Reply reply =
        new RawReply(550, List.of("5.1.1 one", "5.1.1 two", "5.7.1 other", ""))
            .forClient(Step.RCPT);
    assertEquals("5.1.1", reply.enhanced());
    assertEquals(List.of("one", "two", "5.7.1 other", ""), reply.lines());
  }

  @Test
  void makesTextsHarmlessAndShort() throws UpstreamException {
    String nasty = "5.1.1 a\tb\u0007\u001b[31m\u00e9\r" + "x".repeat(600);
    Reply reply = new RawReply(550, Collections.nCopies(50, nasty)).forClient(Step.RCPT);
    assertEquals(RawReply.MAX_LINES, reply.lines().size());
    for (String line : reply.lines()) {
      assertTrue(line.startsWith("a b??[31m??xxx"), line);
      assertEquals(Reply.MAX_LINE_OCTETS, "550-5.1.1 ".length() + line.length() + 2);
    }
  }

  @Test
  void anEarlyAnswerCountsOnlyAsARefusal() {
    assertTrue(new RawReply(552, List.of("too big")).earlyRefusal().isPresent());
    assertTrue(new RawReply(452, List.of("full")).earlyRefusal().isPresent());
    assertTrue(new RawReply(500, List.of("long")).earlyRefusal().isPresent());
    assertFalse(new RawReply(530, List.of("tls")).earlyRefusal().isPresent());
    assertFalse(new RawReply(250, List.of("ok")).earlyRefusal().isPresent());
    assertFalse(new RawReply(354, List.of("ok")).earlyRefusal().isPresent());
    assertFalse(new RawReply(421, List.of("bye")).earlyRefusal().isPresent());
  }
}
