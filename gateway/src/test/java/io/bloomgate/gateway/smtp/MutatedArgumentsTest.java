package io.bloomgate.gateway.smtp;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Arguments with a few other characters, against what the same value is read as again. */
final class MutatedArgumentsTest {

  /** Reads an argument. */
  private interface Parser<T> {
    T parse() throws ArgumentException;
  }

  private static <T> T valid(Parser<T> argument) {
    return assertDoesNotThrow(argument::parse);
  }

  @Test
  void whatIsReadOfMutatedArgumentsIsWhatTheySay() {
    long seed = 42;
    Random random = new Random(seed);
    String[] seeds = {
      "FROM:<a@b.example> SIZE=10 BODY=8BITMIME",
      "TO:<\"a\\b\"@[IPv6:2001:db8::1]> NOTIFY=NEVER",
      "FROM:<@a,@b:c@d> RET=FULL ENVID=+2B",
      "ADDR=1.2.3.4 NAME=+41 HELO=a.example"
    };
    for (int round = 0; round < 10_000; round++) {
      StringBuilder text = new StringBuilder(seeds[random.nextInt(seeds.length)]);
      for (int i = random.nextInt(4); i >= 0; i--) {
        int at = random.nextInt(text.length());
        if (random.nextBoolean()) {
          text.setCharAt(at, (char) (1 + random.nextInt(300)));
        } else {
          text.setLength(Math.max(1, at));
        }
      }
      String argument = text.toString();
      boolean smtpUtf8 = random.nextBoolean();
      MailCommand mail = ifRead(() -> MailCommand.parse(argument));
      if (mail != null) {
        assertEquals(mail, valid(() -> MailCommand.parse(written(mail))), argument);
      }
      HeloName helo = ifRead(() -> HeloName.parse(argument));
      if (helo != null) {
        assertEquals(helo, valid(() -> HeloName.parse(helo.text() + " more")), argument);
      }
      RcptCommand rcpt = ifRead(() -> RcptCommand.parse(argument, smtpUtf8));
      if (rcpt != null) {
        RcptCommand bare = valid(() -> RcptCommand.parse("TO:<" + rcpt.to() + ">", smtpUtf8));
        assertEquals(path(rcpt), path(bare), argument);
      }
      ifRead(() -> XclientCommand.parse(argument));
      assertEquals(
          new CommandInput.Line(
              "noop " + argument, "NOOP", argument.replaceAll("^[ \t]+|[ \t]+\\z", "")),
          CommandInput.Line.parse("noop " + argument),
          argument);
    }
  }

  private static List<Object> path(RcptCommand rcpt) {
    return List.of(rcpt.to(), rcpt.localPart(), rcpt.domain(), rcpt.spelling());
  }

  /** The same command with its parameters in another order. */
  private static String written(MailCommand mail) {
    MailCommand.Body body = mail.body();
    return "FROM:<"
        + mail.from()
        + ">"
        + (mail.envid() == null ? "" : " ENVID=" + mail.envid())
        + (mail.ret() == null ? "" : " RET=" + mail.ret())
        + (mail.smtpUtf8() ? " SMTPUTF8" : "")
        + (body == null ? "" : " BODY=" + body.keyword())
        + (mail.sizeOctets() < 0 ? "" : " SIZE=" + mail.sizeOctets());
  }

  /** {@code null} for an argument that is refused; no other exception may come. */
  private static <T> @Nullable T ifRead(Parser<T> argument) {
    try {
      return argument.parse();
    } catch (ArgumentException e) {
      return null;
    }
  }
}
