package io.bloomgate.blocklists.content;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int left = random.nextInt(25); left > 0; left--) {
        text.append(PIECES.get(random.nextInt(PIECES.size())));
        text.append(random.nextInt(3) == 0 ? "" : "\n");
      }
      byte[] mail = Mails.octets(text.toString());
      assertEquals(
          excess(mail, Set.of(Check.FROM_DOMAIN)),
          excess(mail, Set.of()),
          () -> "seed " + seed + ", mail " + text);
    }
  }

  private static @Nullable MimeExcess excess(byte[] mail, Set<Check> wanted) {
    try (MailReader reader =
        new MailReader(new MailReader.Setup(NARROW, wanted, 7, false), Thread.ofVirtual()::start)) {
      reader.put(mail, 0, mail.length);
      reader.end();
      return reader.excess();
    }
  }
}
