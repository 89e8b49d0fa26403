package io.bloomgate.blocklists.content;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.Check;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The one budget of a mail, its shape, and mails that are larger than what waits for their end. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class MailReaderTest {

  private static final String LINK = "<a href=http://bad.example.com/x>x</a>";
  private static final String FOUND = "url OPEN bad.example.com/x";

  private static MailEvidence inPieces(byte[] mail, int piece) {
    try (MailReader reader = Mails.reader(Check.OF_CONTENT)) {
      for (int at = 0; at < mail.length; at += piece) {
        reader.put(mail, at, Math.min(piece, mail.length - at));
      }
      return reader.end();
    }
  }

  private static String large() {
    return "From: a@b.example\n"
        + "Subject: hello wide world\n"
        + "Content-Type: multipart/mixed; boundary=b\n\n"
        + "--b\n"
        + "Content-Type: text/html\n\n"
        + LINK
        + "<p>some words of a text that is long enough ".repeat(20)
        + "\n--b\nContent-Type: application/pdf\nContent-Transfer-Encoding: base64\n\n"
        + "QUJDREVGR0hJSktMTU5PUFFSU1RVVldY\n".repeat(4_000)
        + "--b--\n";
  }

  @ParameterizedTest
  @ValueSource(ints = {1_000, 4_096, 70_000, 10_000_000})
  void everyCutGivesTheSame(int piece) {
    byte[] mail = Mails.octets(large());
    MailEvidence whole = Mails.evidence(mail, Check.OF_CONTENT);
    assertTrue(mail.length > 2 * MailReader.MAX_WAITING_OCTETS);
    assertTrue(Mails.keys(whole).contains(FOUND), () -> Mails.keys(whole).toString());
    assertNotNull(whole.print().body());
    assertEquals(whole, inPieces(mail, piece));
  }

  /** A text that has not ended is read as far as it came, before the mail server gets it. */
  @Test
  void whatCameSoFarIsKnown() {
    byte[] mail = Mails.octets(Mails.html(LINK + "x ".repeat(100_000)));
    for (int length : new int[] {10_000, 150_000}) {
      try (MailReader reader = Mails.reader(Set.of(Check.URL))) {
        for (int at = 0; at < length; at += 5_000) {
          reader.put(mail, at, 5_000);
        }
        assertEquals(List.of(FOUND), Mails.keys(reader.soFar()));
      }
    }
  }

  /** Links that come again and links that are none cost nothing. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "<a href=http://same.example/>x</a>",
        "<a href=/relative/>x</a>",
        "<a href='http://../x'>x</a>",
        "<img src=cid:1>",
      })
  void fillerHidesNothing(String filler) {
    for (int octets : new int[] {5_000, 60_000, 400_000, 520_000}) {
      String page = filler.repeat(octets / filler.length()) + LINK;
      MailEvidence evidence = inPieces(Mails.octets(Mails.html(page)), 8_192);
      assertTrue(Mails.keys(evidence).contains(FOUND), () -> octets + " octets");
      // The last size has more tags than are read as HTML: the rest is read as text.
      assertFalse(evidence.limited() && octets < 520_000, evidence.notLookedAt()::toString);
    }
  }

  @Test
  void whatIsBehindTheBudgetIsSaid() {
    StringBuilder links = new StringBuilder();
    for (int i = 0; i < MailKeys.MAX_KEYS; i++) {
      links.append("<a href=http://h").append(i).append(".example/>");
    }
    for (String page : List.of("x ".repeat(600_000), links.toString(), "<b>x".repeat(50_000))) {
      MailEvidence evidence = inPieces(Mails.octets(Mails.html(page + LINK)), 8_192);
      assertTrue(evidence.limited());
      assertEquals(1, evidence.notLookedAt().size(), () -> evidence.notLookedAt().toString());
      assertTrue(evidence.keys().size() <= MailKeys.MAX_KEYS + 2);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Content-Type: text/plain; charset=nobody | hello | unknown charset",
        "Content-Transfer-Encoding: x | hello | unknown Content-Transfer-Encoding",
        "Content-Transfer-Encoding: base64 | aGVs!bG8 | broken Base64 or quoted-printable",
        "Content-Type: multipart/mixed; boundary=a; boundary=b | --a | two boundaries of a"
            + " multipart",
        "no field at all | hello | broken MIME",
      })
  void whatIsAgainstTheRulesIsSaid(String field, String body, String note) {
    MailEvidence evidence =
        inPieces(Mails.octets("From: a@b.example\n" + field + "\n\n" + body + "\n"), 100);
    assertTrue(evidence.malformed());
    assertTrue(evidence.notLookedAt().contains(note), () -> evidence.notLookedAt().toString());
    assertFalse(evidence.limited());
  }

  @Test
  void aUsualMailIsNotMalformed() {
    MailEvidence evidence = inPieces(Mails.octets(large()), 8_192);
    assertFalse(evidence.malformed(), () -> evidence.notLookedAt().toString());
    assertEquals(List.of(), evidence.notLookedAt());
    assertEquals(3, evidence.parts());
    assertEquals(1, evidence.depth());
  }

  @Test
  void shapesBeyondTheLimitsAreNamed() {
    assertEquals(MimeExcess.What.PARTS, excess("--b\n\nx\n".repeat(10_001)));
    StringBuilder deep = new StringBuilder("--b\n");
    for (int i = 0; i < 150; i++) {
      deep.append("Content-Type: multipart/mixed; boundary=%d\n\n--%d\n".formatted(i, i));
    }
    assertEquals(MimeExcess.What.DEPTH, excess(deep.toString()));
    assertEquals(
        MimeExcess.What.PARAMETERS,
        excess("--b\nContent-Type: a/b" + "; x=y".repeat(101) + "\n\n"));
    assertNull(excess("--b\n\nx\n".repeat(100)));
  }

  private static MimeExcess.@Nullable What excess(String parts) {
    byte[] mail = Mails.octets("Content-Type: multipart/mixed; boundary=b\n\n" + parts);
    try (MailReader reader = Mails.reader(Set.of())) {
      reader.put(mail, 0, mail.length);
      MailEvidence ignored = reader.end();
      MimeExcess excess = reader.excess();
      return excess == null ? null : excess.what();
    }
  }

  /** A session that ends in the middle of a mail leaves no thread behind. */
  @Test
  void aMailThatIsBrokenOffEndsItsReading() {
    byte[] mail = Mails.octets(large());
    MailReader reader = Mails.reader(Check.OF_CONTENT);
    reader.put(mail, 0, 100_000);
    reader.close();
    reader.close();
    assertTrue(Mails.keys(reader.soFar()).contains(FOUND));
  }
}
