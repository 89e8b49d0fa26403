package io.bloomgate.blocklists.content;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.settings.Check;
import java.util.List;
import java.util.Set;
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

  @Test
  void longFieldsAndTheTextInFrontOfPartsAreCounted() {
    MailScanner scanner = scanner();
    long field = held(scanner, "Subject: " + "s".repeat(20_480));
    assertTrue(field >= 20_000, () -> field + " octets");
    String multipart = "\nContent-Type: multipart/mixed; boundary=B\n\n";
    long both = held(scanner, multipart + LONG);
    assertTrue(both >= field + 16_384, () -> both + " octets, of the field " + field);
  }

  @Test
  void theHeadersOfEncodedMailsAreCountedUntilTheyEnd() {
    MailScanner scanner = scanner();
    long before = held(scanner, "Content-Type: multipart/mixed; boundary=B\n\n");
    for (int i = 0; i < 3; i++) {
      String part = "\n--B\nContent-Type: message/rfc822\nContent-Transfer-Encoding: 8bit\n\n";
      String coded = part.replace("8bit", "quoted-printable") + "Subject: ";
      long open = held(scanner, coded + ("s".repeat(70) + "=\n").repeat(300));
      assertTrue(open >= before + 20_000, () -> open + " octets");
      long closed = held(scanner, "\n--B\n\nx\n");
      assertTrue(closed < before + 1_024, () -> closed + " octets");
    }
  }

  @Test
  void linksThatAreRememberedAreCountedUntilMemoryIsShort() {
    MailScanner scanner = new MailScanner(MimeLimits.DEFAULTS, Set.of(Check.URL_HOST), 7);
    StringBuilder links = new StringBuilder("\n");
    for (int i = 0; i < 1_000; i++) {
      links.append("http://a%d.example/%s\n".formatted(i, "p".repeat(200)));
    }
    long held = held(scanner, links.toString());
    assertTrue(held >= 100_000 && held <= 200_000, () -> held + " octets");
    scanner.keepOnlyListed();
    long then = scanner.readingOctets();
    assertTrue(then < 5_000, () -> then + " octets");
  }

  @Test
  void theFingerprintOfABodyIsCountedBesideTheRest() {
    MailScanner without = new MailScanner(MimeLimits.DEFAULTS, Set.of(Check.URL), 7);
    assertTrue(scanner().basicOctets() >= without.basicOctets() + 8_192);
  }
}
