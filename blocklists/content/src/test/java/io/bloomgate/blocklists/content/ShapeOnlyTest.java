package io.bloomgate.blocklists.content;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.bloomgate.config.name.Check;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A mail of one part is not read for its shape alone: what is said of its shape stays the same. */
final class ShapeOnlyTest {

  private static final MimeLimits NARROW = new MimeLimits(1, 2, 3, 4);

  private static final List<String> PIECES =
      List.of(
          "Content-Type: ",
          "multipart/mixed; boundary=b",
          "MultiPart/mixed;\n boundary=b",
          "\"mult\\ipart/mixed\"; boundary=b",
          "message/rfc822",
          "message /rfc822",
          "message(x)/rfc822",
          "Message-ID: <1@example.com>",
          "text/plain; a=1; b=2; c=3; d=4",
          "Subject: a message; for, you",
          "To: a@x.example, b@x.example, c@x.example, d@x.example, e@x.example",
          "Cc: (a,b,c,d,e",
          "From a@b.example Mon",
          " folded; words",
          "no field",
          "--b",
          "--b--",
          ":",
          "X: y",
          "\r",
          "\n",
          "\n",
          "\n",
          "\n");

  @Test
  void theShapeIsTheSameWhetherContentIsWantedOrNot() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int i = 0; i < 6_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int left = random.nextInt(25); left > 0; left--) {
        text.append(PIECES.get(random.nextInt(PIECES.size())));
        text.append(random.nextInt(3) == 0 ? "" : "\n");
      }
      byte[] mail = Mails.octets(text.toString());
      int cut = random.nextInt(mail.length + 1);
      assertEquals(
          excess(mail, cut, Set.of(Check.FROM_DOMAIN)),
          excess(mail, cut, Set.of()),
          () -> "seed " + seed + ", cut at " + cut + ", mail " + text);
    }
  }

  @Test
  void aLargeMailOfOnePartIsNeitherKeptNorReadByAThread() {
    byte[] head = Mails.octets("From: a@b.example\nSubject: x\n\n");
    byte[] body = new byte[4 * MailReader.MAX_WAITING_OCTETS];
    try (MailReader reader = new MailReader(NARROW, Set.of(), 7, false, _ -> fail("a thread"))) {
      reader.put(head, 0, head.length);
      reader.put(body, 0, body.length);
      assertTrue(reader.keptOctets() < MailReader.MAX_WAITING_OCTETS);
      assertEquals(1, reader.end().parts());
    }
  }

  private static @Nullable MimeExcess excess(byte[] mail, int cut, Set<Check> wanted) {
    try (MailReader reader = new MailReader(NARROW, wanted, 7, false, Thread.ofVirtual()::start)) {
      reader.put(mail, 0, cut);
      reader.put(mail, cut, mail.length - cut);
      reader.end();
      return reader.excess();
    }
  }
}
