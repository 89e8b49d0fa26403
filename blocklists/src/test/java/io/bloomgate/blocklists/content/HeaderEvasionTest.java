package io.bloomgate.blocklists.content;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.settings.Check;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What mail clients show of header fields that are not what they should be. */
final class HeaderEvasionTest {

  private static final String SUBJECTS =
      """
      Subject: good morning all
      Subject: good evening all
      Subject: minutes of today
      Subject: minutes of yesterday
      """;

  private static List<String> ofFrom(String value) {
    return Mails.keys("From: " + new String(value.getBytes(UTF_8), ISO_8859_1) + "\n\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'a@bad.example'",
        "<'a@bad.example'>",
        "`a@bad.example`",
        "\u2018a@bad.example\u2019",
        "\"'a@bad.example'\"",
        "a@bad.example'",
        "a\uff20bad.example",
        "a\ufe6bbad.example",
        "a@bad.example <>",
        "\"a@bad.example\" <>",
        "a@bad.example < >",
        "a@bad.example <@>",
        "a@bad.example <ok@>",
        "a@bad.example <ok@ >",
        "a@bad.example <'@'>",
        "a@bad.example <\"\"@>",
        "<ok@> a@bad.example",
        "=?utf-8?q?a=40bad.example?= <@>",
        "ok@, =?utf-8?q?a=40bad.example?=",
        "<a\uff20bad.example>",
        "a@bad\uff0eexample",
        "<a\uff20bad\u3002example>",
        "=?utf-8?q?a=EF=BC=A0bad=E3=80=82example?=",
        "=?utf-8?b?YUBi?= =?utf-8?b?YWQuZXhhbXBsZQ==?=",
        "=?utf-8?b?YUBiY?= =?utf-8?b?WQuZXhhbXBsZQ==?=",
        "<a@bad.example:>",
        "<a@bad.example:25>",
        "a@bad.example:25",
        "a@bad.example:;",
        "a@bad.example:",
        "<@route.example:a@bad.example>",
        "Team: a@bad.example;",
        "<a@bad.example\u0001>",
        "<a@bad.example\"\">",
        "<a@bad.example[x]>",
        "<a@bad.example\\>",
        "a@bad.example\\",
        "a@bad.example/x",
        "[a@bad.example]",
      })
  void oneMailboxIsFound(String value) {
    assertEquals(List.of("from OPEN a@bad.example", "from_domain OPEN bad.example"), ofFrom(value));
  }

  /** A domain without a local part hides no name in front of it, and is a domain. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "a@bad.example <@good.example>",
        "=?utf-8?q?a=40bad.example?= <@good.example>",
        "\"a@bad.example\" <@good.example>",
      })
  void domainsAloneAreFoundBesideNames(String value) {
    assertEquals(
        List.of(
            "from OPEN a@bad.example",
            "from_domain OPEN bad.example",
            "from_domain OPEN good.example"),
        ofFrom(value));
    assertEquals(List.of("from_domain OPEN bad.example"), ofFrom("<@bad.example>"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<a@good.example> <b@bad.example>",
        "<a@good.example><b@bad.example>",
        "a@good.example b@bad.example",
        "x <a@good.example> b@bad.example",
        "b@bad.example, 'a@good.example'",
        "b\uff20bad.example, a@good.example",
        "<b@bad.example<a@good.example>",
        "<b@bad.example a@good.example>",
      })
  void allMailboxesAreFound(String value) {
    assertEquals(
        List.of(
            "from OPEN a@good.example",
            "from OPEN b@bad.example",
            "from_domain OPEN bad.example",
            "from_domain OPEN good.example"),
        ofFrom(value));
  }

  /** What is in front of the brackets is a name. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "'b@bad.example' <a@good.example>",
        "b@bad.example <a@good.example>",
        "b@bad.example Bob <a@good.example>",
        "b\uff20bad.example <a@good.example>",
        "<a@good.example> b@bad.example <a@good.example>",
        "b@bad.example: Bob <a@good.example>",
      })
  void namesAreNoMailboxes(String value) {
    assertEquals(
        List.of("from OPEN a@good.example", "from_domain OPEN good.example"), ofFrom(value));
  }

  /** Some mail clients join words before they decode them, others do not: both are keys. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "=?utf-8?B?aGVsbG?= =?UTF-8?B?8gd29ybGQgZnJpZW5k?=",
        "=?utf-8?B?aGVsb?=\n =?utf-8?b?G8gd29ybG?= =?utf-8?B?QgZnJpZW5k?=",
        "=?utf-8?Q?hello_=7?= =?utf-8?q?7orld_friend?=",
        "hello =?utf-8?b?d29ybGQ?= =?utf-8?b?gZnJpZW5k?=",
      })
  void wordsAreJoined(String subject) {
    List<String> whole = Mails.keys("Subject: hello world friend\n\n");
    assertEquals(1, whole.size());
    List<String> keys = Mails.keys("Subject: " + subject + "\n\n");
    assertTrue(keys.containsAll(whole), keys::toString);
  }

  /** Blanks and what nobody sees take no room from the words behind them. */
  @ParameterizedTest
  @ValueSource(strings = {" ", "\u200b", "\u00a0 "})
  void wordsBehindBlanksAreRead(String blank) {
    String blanks = new String(blank.repeat(2_500).getBytes(UTF_8), ISO_8859_1);
    assertEquals(
        Mails.keys("Subject: hello world friend\n\n"),
        Mails.keys("Subject: " + blanks + "hello world friend\n\n"));
  }

  /** Nor do they in a field that is too long to be kept. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        " ",
        " \n ",
        "\t",
        "\u200b",
        "=?utf-8?q??= ",
        "=?utf-8?q?=E2=80=8B?=\n ",
      })
  void wordsOfLongFieldsAreRead(String blank) {
    String one = new String(blank.getBytes(UTF_8), ISO_8859_1);
    for (int octets : List.of(15_000, 17 * 1024, 30_000)) {
      String blanks = one.repeat(octets / one.length());
      for (String subject :
          List.of("%shello world friend", "Re: %shello world friend", "hello %sworld friend")) {
        assertEquals(
            Mails.keys("Subject: hello world friend\n\n"),
            Mails.keys("Subject: " + subject.formatted(blanks) + "\n\n"),
            octets + " in " + subject);
      }
    }
    String blanks = " ".repeat(20_000);
    assertEquals(
        Mails.keys("Subject: hello world friend\n\n"),
        Mails.keys("Subject: " + blanks + "\n hello world friend" + blanks + "\n\n"));
  }

  /** Blanks at the beginning of any field. */
  @Test
  void blanksInFrontTakeNoRoom() {
    String blanks = (" ".repeat(900) + "\n").repeat(25);
    assertEquals(ofFrom("a@bad.example"), ofFrom(blanks + " a@bad.example," + blanks + " x"));
    String link = "<p><a href=http://bad.example/>x";
    assertEquals(
        List.of("OPEN bad.example"),
        Mails.hosts("Content-Type:" + blanks + " text/html" + blanks + "\n\n" + link));
  }

  /** Mail programs show the first Subject or the last. */
  @Test
  void allSubjectsAreRead() {
    List<String> one = Mails.keys("Subject: hello world friend\n\n");
    String last = "Subject: hello world friend\n\n";
    assertEquals(one, Mails.keys("Subject:\n".repeat(300) + last));
    assertEquals(one, Mails.keys(("Subject: " + " \n".repeat(5)).repeat(300) + last));
    assertEquals(one, Mails.keys("Subject: x\n".repeat(20) + last));
    assertEquals(5, Mails.keys(SUBJECTS + last).size());
  }

  /** Words without padding that stand alone. */
  @Test
  void wordsAreReadOneByOne() {
    List<String> keys = Mails.keys("Subject: =?utf-8?b?aGVsbG8g?= =?utf-8?b?d29ybGQ?=\n\n");
    assertEquals(Mails.keys("Subject: hello world\n\n"), keys);
    keys = Mails.keys("Subject: =?utf-8?b?aGVsbG8gZA?= =?utf-8?b?d29ybGQ?=\n\n");
    assertTrue(keys.containsAll(Mails.keys("Subject: hello dworld\n\n")), keys::toString);
  }

  /** No number of mails in a mail makes more work of their mailboxes than one bound allows. */
  @Test
  void mailboxesOfAMailAreBounded() {
    String field = "From: " + "a@\u00c3\u00a4.example,".repeat(900) + "\n\n";
    String mail = "Content-Type: multipart/digest; boundary=b\n\n" + ("--b\n\n" + field).repeat(4);
    assertFalse(saysMailboxes(field + "x"));
    assertTrue(saysMailboxes(mail));
  }

  @Test
  void subjectsOfAMailAreBounded() {
    String digest = "Content-Type: multipart/digest; boundary=b\n\n";
    String part = "--b\n\nSubject: hello world friend\n\n";
    Set<Check> wanted = Set.of(Check.SUBJECT);
    int most = EvidenceKeys.MOST_READ_SUBJECTS;
    byte[] mail = Mails.octets(digest + part.repeat(most));
    assertEquals(List.of(), Mails.evidence(mail, wanted).notLookedAt());
    mail = Mails.octets(digest + part.repeat(most + 1));
    assertEquals(1, Mails.evidence(mail, wanted).notLookedAt().size());
  }

  /** A letter may become eighteen before it is folded. */
  @Test
  void lettersOfSubjectsOfAMailAreBounded() {
    String digest = "Content-Type: multipart/digest; boundary=b\n\n";
    String letters = new String("\ufdfa".repeat(2_000).getBytes(UTF_8), ISO_8859_1);
    String part = "--b\n\nSubject: " + letters + "\n\n";
    Set<Check> wanted = Set.of(Check.SUBJECT);
    int most = EvidenceKeys.MOST_SUBJECT_CHARACTERS / 2_000;
    byte[] mail = Mails.octets(digest + part.repeat(most));
    assertEquals(List.of(), Mails.evidence(mail, wanted).notLookedAt());
    String last = "--b\n\nSubject: hello world friend\n\n";
    mail = Mails.octets(digest + part.repeat(most + 1) + last);
    MailEvidence evidence = Mails.evidence(mail, wanted);
    assertTrue(evidence.limited());
    assertEquals(2, evidence.keys().size()); // also the one in ASCII behind it
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "multipart/mixed; boundary=b\n--b\nPART\n--b--\n",
        "multipart/mixed; boundary=\"b c\"\n--b c\nPART",
        "multipart/mixed; boundary=b\n-x: y\n--b: y\n--bc\nPART",
        "multipart/mixed\n--b\nPART",
        """
        multipart/mixed; boundary=a

        --a
        Content-Type: multipart/mixed; boundary=b
        --b
        PART
        --b--
        --a--
        """,
        """
        multipart/mixed; boundary=a
        --a
        Content-Type: multipart/mixed; boundary=b
        --b
        PART
        --b--
        --a--
        """,
      })
  void theEmptyLineBeforeABoundaryMayLack(String type) {
    String link = "<a href=\"http://bad.example/login\">x</a>";
    String part = "Content-Type: text/html\n\n" + link;
    String coded = "Content-Type: text/html\nContent-Transfer-Encoding: base64\n\n";
    String mail = "Content-Type: " + type;
    for (String one : List.of(part, coded + Mails.base64(link))) {
      String whole = mail.replace("PART", one);
      assertEquals(List.of("OPEN bad.example"), Mails.hosts(whole), whole);
      List<String> said = Mails.evidence(Mails.octets(whole), Set.of(Check.URL_HOST)).notLookedAt();
      assertTrue(said.toString().contains("without an empty line"), said::toString);
    }
  }

  @Test
  void aFieldThatBeginsLikeABoundaryEndsNoHeader() {
    String type = "Content-Type: multipart/mixed; boundary=b\n--b: x\n--bc : x\n";
    String mail = type + "From: a@bad.example\n\n--b\n\nx";
    assertEquals(List.of("from OPEN a@bad.example"), Mails.keys(mail).subList(0, 1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"B\\C\" BC",
        "\"B\\C\" B\\C",
        "\"B\\\\\\C\" B\\C",
        "\"B\u00e9\\\"\" B\u00e9\"",
        "B\"C B\"C",
        "B(c)C B(c)C",
        "\"B\"C \"B\"C",
      })
  void everyReadingOfABoundaryIsTaken(String both) {
    int blank = both.indexOf(' ');
    String boundary = both.substring(blank + 1);
    String coded = Mails.base64("<a href=http://bad.example/>" + "x".repeat(99));
    for (String more : List.of("", "; x=y", "; charset=z")) {
      String mail =
          "Content-Type: multipart/mixed; boundary="
              + both.substring(0, blank)
              + more
              + "\n\n--"
              + boundary
              + "\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\n"
              + coded
              + "\n--"
              + boundary
              + "--\n";
      assertEquals(List.of("OPEN bad.example"), Mails.hosts(mail), mail);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.ht\\ml", "a\\.html", "\\a.\\h\\t\\m\\l"})
  void aQuotedPairInANameIsRead(String name) {
    String type = "Content-Type: application/x; name=\"" + name + "\"\n\n";
    String link = "<a href=//bad.example/>x</a>";
    assertEquals(List.of("OPEN bad.example"), Mails.hosts(type + link));
  }

  @Test
  void aLongMultipartWithoutAPartIsSaid() {
    String type = "Content-Type: multipart/mixed; boundary=b\n\n";
    String text = "x".repeat(OpenLeaves.MOST_PREAMBLE);
    Set<Check> wanted = Set.of(Check.URL_HOST);
    assertEquals(List.of(), Mails.evidence(Mails.octets(type + text), wanted).notLookedAt());
    MailEvidence longer = Mails.evidence(Mails.octets(type + text + "x"), wanted);
    assertTrue(longer.limited());
    assertTrue(longer.notLookedAt().toString().contains("without a part"));
    String part = "\n--b\n\nx\n--b--\n"; // nobody shows what is in front of it
    byte[] parts = Mails.octets(type + text + "x" + part);
    assertEquals(List.of(), Mails.evidence(parts, wanted).notLookedAt());
  }

  private static boolean saysMailboxes(String mail) {
    return Mails.evidence(Mails.octets(mail), Set.of(Check.FROM_DOMAIN))
        .notLookedAt()
        .toString()
        .contains("mailboxes");
  }
}
