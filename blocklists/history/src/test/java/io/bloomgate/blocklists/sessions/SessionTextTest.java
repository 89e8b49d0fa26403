package io.bloomgate.blocklists.sessions;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Replies come back from a row as they were. */
final class SessionTextTest {

  private static final String ID = "7K3Q9ZT2AB";
  private static final IpAddress CLIENT = IpAddress.parse("203.0.113.7").toOptional().orElseThrow();

  private static String back(String reply, String id) {
    return SessionText.unmarked(SessionText.marked(reply, id, CLIENT), id, CLIENT);
  }

  @Test
  void idAndClientAreMarkedAndComeBack() {
    String reply = "554 5.7.1 Client host [203.0.113.7] blocked using drop [7K3Q9ZT2AB]";
    assertEquals(
        "554 5.7.1 Client host [\u0002] blocked using drop [\u0001]",
        SessionText.marked(reply, ID, CLIENT));
    assertEquals(reply, back(reply, ID));
    assertEquals("250 2.0.0 Ok []", back("250 2.0.0 Ok []", ""));
  }

  /** A mail server may answer anything. */
  @Test
  void marksInAReplyStandForNothing() {
    assertEquals("550 no  more", back("550 no \u0001\u0002 more", ID));
  }

  /** A plain name is not read; of any other, and of what is none, the parser says what is kept. */
  @Test
  void aDomainIsKeptAsTheParserReadsIt() {
    String letters = "abz09-._AX\u00e9";
    Random random = new Random(7);
    for (int i = 0; i < 20_000; i++) {
      String tail = i % 3 == 0 ? ".example" : i % 3 == 1 ? "xn--e1afmkfd.example." : "";
      StringBuilder text = new StringBuilder();
      for (int left = random.nextInt(8); left > 0; left--) {
        text.append(letters.charAt(random.nextInt(letters.length())));
      }
      String domain = text + tail;
      String read =
          DomainName.parse(domain)
              .toOptional()
              .map(DomainName::toString)
              .orElse(domain.toLowerCase(Locale.ROOT));
      assertEquals(read, SessionText.normal(domain), domain);
    }
  }
}
