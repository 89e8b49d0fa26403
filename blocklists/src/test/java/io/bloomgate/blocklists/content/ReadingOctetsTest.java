package io.bloomgate.blocklists.content;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.settings.Check;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What readers hold of a mail that goes on counts as memory, so that many mails cannot fill it. */
final class ReadingOctetsTest {

  private static final String LONG = "v".repeat(17_000);

  private static long held(MailScanner scanner, String octets) {
    byte[] mail = Mails.octets(octets);
    scanner.put(mail, 0, mail.length);
    return scanner.readingOctets();
  }

  private static MailScanner scanner() {
    return new MailScanner(MimeLimits.DEFAULTS, Check.OF_CONTENT, 7);
  }

  @ParameterizedTest
  @ValueSource(strings = {"<x src=\"", "<x style=\"background:url(", "<p>http://a.example/"})
  void longValuesOfPagesAreCounted(String begin) {
    long held = held(scanner(), "Content-Type: text/html\n\n" + begin + LONG);
    assertTrue(held >= 2 * 16_384, () -> held + " octets");
  }

  @Test
  void longAddressesInBracketsAreCounted() {
    long word = held(scanner(), "\nhttp://a.example/" + LONG);
    long both = held(scanner(), "\n<http://a.example/" + LONG);
    assertTrue(both >= word + 16_384, () -> both + " octets, of a word " + word);
  }

  @Test
  void boundariesAreCountedAsLongAsTheirMultipartsAreOpen() {
    MailScanner scanner = scanner();
    String boundary = "b".repeat(1_000);
    StringBuilder mail = new StringBuilder();
    for (int i = 0; i < 50; i++) {
      mail.append(
          "Content-Type: multipart/mixed; boundary=%s%d\n\n--%1$s%2$d\n".formatted(boundary, i));
    }
    long open = held(scanner, mail.toString());
    assertTrue(open >= 49_000, () -> open + " octets");
    long closed = held(scanner, "\n\n--" + boundary + "0--\n\nx\n");
    assertTrue(closed < 5_000, () -> closed + " octets");
  }
}
