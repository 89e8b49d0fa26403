package io.bloomgate.blocklists.content;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
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
        "a@bad.example <\"\"@>",
        "<ok@> a@bad.example",
        "=?utf-8?q?a=40bad.example?= <@>",
        "ok@, =?utf-8?q?a=40bad.example?=",
        "<a\uff20bad.example>",
        "a@bad\uff0eexample",
        "<a\uff20bad\u3002example>",
        "=?utf-8?q?a=EF=BC=A0bad=E3=80=82example?=",
        "=?utf-7?q?a+AEA-bad.example?=",
        "=?utf-8*en?Q?a=40bad?= =?UTF-8?q?.example?=",
        "=?utf-8?b?YUBi?= =?utf-8?b?YWQuZXhhbXBsZQ==?=",
        "<a@bad.example:>",
        "<a@bad.example:25>",
        "a@bad.example:25",
        "a@bad.example:;",
        "a@bad.example:",
        "<@route.example:a@bad.example>",
        "Team: a@bad.example;",
        "<a@bad.example\u0001>",
        "<a@bad.example\"\">",
        "<a@bad.example\\>",
        "a@bad.example\\",
      })
  void oneMailboxIsFound(String value) {
    assertEquals(List.of("from OPEN a@bad.example", "from_domain OPEN bad.example"), ofFrom(value));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<a@good.example> <b@bad.example>",
        "<a@good.example><b@bad.example>",
        "a@good.example b@bad.example",
        "x <a@good.example> b@bad.example",
        "b@bad.example, 'a@good.example'",
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
    // Encoded words are decoded in the first 8 KiB of a field.
    for (int octets : blank.contains("=?") ? List.of(7_000) : List.of(15_000, 30_000)) {
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

  @Test
  void aFieldThatBeginsLikeABoundaryEndsNoHeader() {
    String type = "Content-Type: multipart/mixed; boundary=b\n--b: x\n--bc : x\n";
    String mail = type + "From: a@bad.example\n\n--b\n\nx";
    assertEquals(List.of("from OPEN a@bad.example"), Mails.keys(mail).subList(0, 1));
  }
}
