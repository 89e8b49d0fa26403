package io.bloomgate.blocklists.content;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.Check;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Mails that cost a reader hours or gigabytes that looks at their octets again and again. Each ends
 * within the time limit of tests, and says that it was not read whole.
 */
final class HostileShapesTest {

  private static final int MANY = 500_000;
  private static final String LINK = "<a href=http://bad.example.com/x>x</a>";
  private static final String FOUND = "url OPEN bad.example.com/x";

  private static Arguments field(String field) {
    return Arguments.of(field.substring(0, Math.min(30, field.length())), field + "\n\nx\n");
  }

  static Stream<Arguments> longFields() {
    return Stream.of(
        field("List-Unsubscribe: " + "<a".repeat(MANY)),
        field("List-Unsubscribe: " + "<".repeat(MANY)),
        field("From: " + "( ".repeat(MANY)),
        field("From: " + "(a\" ".repeat(MANY / 2)),
        field("From: " + "\"a ".repeat(MANY / 2)),
        field("From: " + "a".repeat(MANY / 2) + "[" + ":".repeat(MANY / 2)),
        field("Subject: " + "=?utf-8?q?".repeat(MANY / 10)),
        field("From: " + "=?utf-8?q?a?= ".repeat(MANY / 20)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("longFields")
  void aLongFieldIsReadInLinearTime(String name, String mail) {
    MailEvidence evidence = Mails.evidence(Mails.octets(mail), Check.OF_CONTENT);
    assertTrue(evidence.limited(), name);
  }

  /** A second each when a search for an address begins at each character. */
  @Test
  void aFieldWithoutAnAddressIsReadInLinearTime() {
    for (String field : List.of("From: ?", "Reply-To: ?", "From: a")) {
      byte[] mail = Mails.octets(field + "?".repeat(60_000) + "\n\nx\n");
      for (int i = 0; i < 60; i++) {
        assertEquals(List.of(), Mails.evidence(mail, Check.OF_CONTENT).keys());
      }
    }
  }

  /** 238,328 links of three letters behind one base of 4 kB are a gigabyte. */
  @Test
  void oneBaseOfManyLinksDoesNotFillTheMemory() {
    String letters = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    String links =
        IntStream.range(0, 238_328)
            .mapToObj(i ->
                ""
                    + letters.charAt(i % 62)
                    + letters.charAt(i / 62 % 62)
                    + letters.charAt(i / 62 / 62))
            .collect(Collectors.joining(" "));
    byte[] mail =
        Mails.octets(
            Mails.html(
                "<base href=\"http://a.example/"
                    + "p".repeat(4_000)
                    + "/\"><img srcset=\""
                    + links
                    + "\">"));
    try (MailReader reader = Mails.reader(Check.OF_CONTENT)) {
      reader.put(mail, 0, mail.length);
      assertTrue(reader.end().limited());
      assertTrue(reader.keptOctets() < 16 << 20, reader.keptOctets() + " octets");
    }
  }

  /**
   * Encoded words of unknown charsets, blanks before a carriage return, comments without an end.
   */
  static Stream<Arguments> slowShapes() {
    String mixed = "Content-Type: multipart/mixed; boundary=b\n\n";
    String file = "--b\nContent-Disposition: attachment; filename";
    return Stream.of(
        field("Content-Disposition: a; filename=\"" + "=?utf-7?q?a?= ".repeat(MANY / 8) + "\""),
        Arguments.of(
            "names", mixed + (file + "=\"" + "=?".repeat(4_000) + "\"\n\nx\n").repeat(120)),
        Arguments.of("sections", mixed + (file + "*=utf-7''a\n\nx\n").repeat(MANY / 25)),
        Arguments.of(
            "blanks", "Content-Transfer-Encoding: quoted-printable\n\n" + " \r".repeat(MANY)),
        Arguments.of("comments", Mails.html("<!---!>".repeat(MANY / 4))),
        Arguments.of(
            "attributes of a page",
            Mails.html(
                IntStream.range(0, MANY / 8)
                    .mapToObj(i -> "<html a" + i + "=b>")
                    .collect(Collectors.joining()))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("slowShapes")
  void whatTakesTheLibrariesQuadraticTimeIsRead(String name, String mail) {
    assertTrue(Mails.evidence(Mails.octets(mail), Check.OF_CONTENT).parts() > 0, name);
  }

  /** Who counts the memory of all mails asks before each call. */
  @Test
  void theTreeOfAPageCountsBeforeItIsMade() {
    for (String type : new String[] {"text/html", "text/plain"}) {
      byte[] mail = Mails.octets(Mails.mail(type, "8bit", "<p>word ".repeat(25_000)));
      try (MailReader reader = Mails.reader(Check.OF_CONTENT)) {
        reader.put(mail, 0, mail.length);
        long octets = reader.pageOctets();
        assertEquals(type.equals("text/html"), octets > 15L * mail.length, octets + " octets");
        reader.end();
        assertEquals(0, reader.pageOctets());
      }
    }
  }

  private static void assertFound(String html) {
    MailEvidence evidence = Mails.evidence(Mails.octets(Mails.html(html)), Set.of(Check.URL));
    assertTrue(Mails.keys(evidence).contains(FOUND), () -> Mails.keys(evidence).toString());
  }

  @Test
  void aLinkBehindMoreAttributesThanAreReadIsFound() {
    String attributes =
        IntStream.range(0, 520).mapToObj(i -> " a" + i).collect(Collectors.joining());
    assertFound("<a" + attributes + " href=http://bad.example.com/x>x</a>");
  }

  @Test
  void whatIsNoTagDoesNotHideALink() {
    assertFound("<!--" + "<".repeat(50_000) + "-->" + LINK);
    assertFound("< ".repeat(50_000) + LINK);
  }

  @Test
  void aLinkBehindTooManyTagsIsFoundInTheText() {
    MailEvidence evidence =
        Mails.evidence(Mails.octets(Mails.html("<i>".repeat(50_000) + LINK)), Set.of(Check.URL));
    assertTrue(Mails.keys(evidence).contains(FOUND), () -> Mails.keys(evidence).toString());
    assertTrue(evidence.limited());
  }

  /** mime4j fails at such a line in front of a multipart. */
  @Test
  void aMultipartRightBehindTheHeaderIsRead() {
    String type = "Content-Type: multipart/mixed; boundary=";
    String page = "Content-Type: text/html\n\n" + LINK + "\n--b--\n";
    for (String mail :
        List.of(
            type + "b\nThis is a message in MIME format.\n--b\n" + page,
            "From: a@b.example\n" + type + "b\n--b\n" + page,
            type + "a\n\n--a\n" + type + "b\nno field\n\n--b\n" + page + "--a--\n",
            "Subject : x\n folded\n" + type + "b\n\n--b\n" + page,
            ">From a@b.example Thu Jun 20 08:35:23 1996\nX: y\nZ\n" + page)) {
      MailEvidence evidence = Mails.evidence(Mails.octets(mail), Set.of(Check.URL));
      assertEquals(List.of(FOUND), Mails.keys(evidence), mail);
      assertTrue(evidence.malformed(), mail);
    }
  }

  /** Postfix makes a field of it, and mail programs show what follows. */
  @Test
  void aLineOfAMailboxHidesNoHeader() {
    for (String line : List.of("From a@b.example Thu Jun 20 08:35:23 1996\n", ">>From x\n")) {
      assertEquals(
          List.of(FOUND),
          Mails.keys(
              Mails.evidence(
                  Mails.octets(line + Mails.mail("text/html", "base64", Mails.base64(LINK))),
                  Set.of(Check.URL))));
    }
  }

  /** Postfix adds the empty line that is missing, and mail programs show the page. */
  @Test
  void aBodyRightBehindTheHeaderIsRead() {
    MailEvidence evidence =
        Mails.evidence(
            Mails.octets("From: a@b.example\nContent-Type: text/html\n" + LINK + "\n"),
            Set.of(Check.URL));
    assertEquals(List.of(FOUND), Mails.keys(evidence));
  }
}
