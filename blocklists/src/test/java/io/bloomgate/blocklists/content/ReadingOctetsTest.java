package io.bloomgate.blocklists.content;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.settings.Check;
import java.util.List;
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

  private static final String EARLY = "<a href=x>".repeat(4_090);

  /** A part that goes on behind its end for some readers, each of both read in several ways. */
  private static String readings(String links) {
    String part =
        "Content-Type: application/xhtml+xml\n\n"
            + "<html><meta charset=windows-1251><svg></svg><textarea></textarea>";
    return "Content-Type: multipart/mixed; boundary=B\n\n\n--B\n%s\n--Bx\n%1$s%s"
        .formatted(part, links);
  }

  @Test
  void linksInFrontOfTheirBaseAreCountedUntilTheirTextEnds() {
    MailScanner scanner = scanner();
    String part = "--B\nContent-Type: text/html\n\n";
    long before = held(scanner, "Content-Type: multipart/mixed; boundary=B\n\n" + part);
    for (int i = 0; i < 3; i++) {
      long open = held(scanner, EARLY);
      assertTrue(open >= before + 2 * 2 * 4_090, () -> open + " octets");
      long closed = held(scanner, "\n" + part);
      assertTrue(closed < before + 1_024, () -> closed + " octets");
    }
    held(scanner, EARLY + "<base href=\"http://a.example/b/\">");
    MailEvidence evidence = scanner.end();
    assertEquals(List.of(), evidence.notLookedAt());
    assertTrue(Mails.keys(evidence).toString().contains("a.example/b/x"), evidence::toString);
  }

  @Test
  void linksInFrontOfTheirBaseAreBoundedForTheWholeMail() {
    long open = held(scanner(), readings(EARLY));
    assertTrue(open >= 2 * 2 * 4_090 && open <= 48 * 1_024, () -> open + " octets");
    MailScanner scanner = scanner();
    held(scanner, readings("<a href=x>".repeat(2_040) + "<base href=\"http://a.example/\">"));
    assertTrue(scanner.end().limited(), "more than the mail has room for");
  }

  @Test
  void theContentOfARefreshIsCountedBesideItsValue() {
    String page = "Content-Type: text/html\n\n<meta content=\"" + LONG;
    long open = held(scanner(), page);
    long both = held(scanner(), page + "\" x=\"");
    assertTrue(both >= open + 2 * 16_000, () -> both + " octets, of the value " + open);
  }
}
