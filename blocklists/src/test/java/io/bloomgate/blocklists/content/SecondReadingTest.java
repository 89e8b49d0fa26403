package io.bloomgate.blocklists.content;

import static io.bloomgate.blocklists.content.Mails.base64;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.settings.Check;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Mails whose type or encoding some mail clients take from another field, or read more loosely:
 * each must give the host {@code bad.example.com}, however the others read it.
 */
final class SecondReadingTest {

  private static final String BAD = "http://bad.example.com/x";
  private static final String LINK = "<a href=\"" + BAD + "\">go</a>";
  private static final String PAGE = "Content-Type: text/html\n";
  private static final String ENCODING = "Content-Transfer-Encoding: ";

  /** No reader of plain text finds it. */
  private static final String HIDDEN = "<a href=\"h&#116;tp://bad.example.com/\">go</a>";

  private static final String BAD_HOST = "bad.example.com";
  private static final Set<Check> HOSTS = Set.of(Check.URL_HOST);
  private static final String UNKNOWN = Skipped.UNKNOWN_ENCODING.text();
  private static final String MANY = Skipped.MANY_READINGS.text();
  private static final String TWICE = Skipped.SECOND_TYPE.text();

  private static final String PART =
      "--b\n" + PAGE + ENCODING + "base64\n\n" + base64(LINK) + "\n--b--\n";

  private static Map<String, String> encodings() {
    Map<String, String> mails = new LinkedHashMap<>();
    for (String first : List.of("7bit", "8bit", "quoted-printable", "x-none")) {
      String both = PAGE + ENCODING + first + "\n" + ENCODING + "base64\n\n";
      mails.put("base64 behind " + first, both + base64(LINK));
    }
    for (String value :
        List.of(
            "base64/x",
            "base64=1",
            "base64.",
            "'base64'",
            ": base64",
            "\u0001base64",
            "\u000bbase64\u000b",
            "x base64",
            "=?us-ascii?q?base64?=")) {
      mails.put(value, PAGE + ENCODING + value + "\n\n" + base64(LINK));
    }
    for (String value : List.of("base64 x", "base64; x", "(x) base64", "base64, 7bit")) {
      mails.put(value + ", as it is", PAGE + ENCODING + value + "\n\n" + LINK);
    }
    mails.put("7bit behind base64", PAGE + ENCODING + "base64\n" + ENCODING + "7bit\n\n" + LINK);
    mails.put(
        "mail in base64 for some",
        "Content-Type: message/rfc822\n"
            + ENCODING
            + "7bit\n"
            + ENCODING
            + "base64\n\n"
            + base64(PAGE + "\n" + LINK));
    return mails;
  }

  private static Map<String, String> types() {
    Map<String, String> mails = new LinkedHashMap<>();
    String multipart = "Content-Type: multipart/mixed; boundary=b\n";
    mails.put("multipart behind text", "Content-Type: text/plain\n" + multipart + "\n" + PART);
    mails.put("multipart in front of text", multipart + "Content-Type: text/plain\n\n" + BAD);
    mails.put("page behind text", "Content-Type: text/plain\n" + PAGE + "\n" + HIDDEN);
    mails.put("page behind a picture", "Content-Type: image/png\n" + PAGE + "\n" + LINK);
    mails.put(
        "two multiparts",
        "Content-Type: multipart/mixed; boundary=a\n" + multipart + "\n--a\n\nx\n--a--\n" + PART);
    mails.put(
        "mail behind text",
        "Content-Type: text/plain\nContent-Type: message/rfc822\n\n" + PAGE + "\n" + HIDDEN);
    mails.put(
        "multipart behind text without an empty line",
        "Content-Type: text/plain\n" + multipart + PART);
    mails.put(
        "charset of the second",
        "Content-Type: text/html; charset=us-ascii\nContent-Type: text/html; charset=utf-7\n\n"
            + "+ADw-a href=+ACI-"
            + BAD
            + "+ACIAPg-");
    for (String name :
        List.of(
            "multipart / mixed",
            "multipart/ mixed",
            "multipart(x)/mixed",
            "multipart /(x) mixed",
            "\u000bmultipart/mixed",
            "multipart/mixed\u0001")) {
      mails.put(name, "Content-Type: " + name + "; boundary=b\n\n" + PART);
    }
    for (String name : List.of("text / html", "text/html\u0001", "text(x)/(y)html")) {
      mails.put(name, "Content-Type: " + name + "\n\n" + HIDDEN);
    }
    mails.put(
        "text for others",
        "Content-Type: multipart / mixed; boundary=b\n\n"
            + BAD
            + "\n"
            + PART.replace(base64(LINK), ""));
    mails.put(
        "name of a second disposition",
        "Content-Disposition: attachment; filename=a.txt\n"
            + "Content-Disposition: attachment; filename=a.html\n\n"
            + HIDDEN);
    return mails;
  }

  @TestFactory
  Stream<DynamicTest> everyLinkIsFound() {
    return Stream.of(encodings(), types())
        .flatMap(mails -> mails.entrySet().stream())
        .map(mail ->
            DynamicTest.dynamicTest(
                mail.getKey(),
                () ->
                    assertTrue(
                        Mails.hosts(mail.getValue()).stream()
                            .anyMatch(host -> host.endsWith(" bad.example.com")),
                        () -> Mails.hosts(mail.getValue()) + " in\n" + mail.getValue())));
  }

  /** The attachment counts as each reader decodes it. */
  @Test
  void attachmentsAreDecodedAsEachReaderDoes() {
    String file = "x".repeat(100);
    String coded = base64(file);
    String once = "Content-Type: image/png\n" + ENCODING + "base64\n\n" + coded;
    String plain = "Content-Type: image/png\n\n" + coded;
    String both =
        "Content-Type: image/png\n" + ENCODING + "7bit\n" + ENCODING + "base64\n\n" + coded;
    assertEquals(
        Stream.concat(files(once).stream(), files(plain).stream()).sorted().toList(), files(both));
  }

  private static List<String> files(String mail) {
    return Mails.evidence(Mails.octets(mail), Set.of(Check.ATTACHMENT)).keys().stream()
        .map(key -> key.key().toString())
        .sorted()
        .toList();
  }

  /**
   * Behind the fields of a gateway the first line of a mailbox file ends the header for Postfix and
   * Exim: the fields behind it are text.
   */
  @Test
  void fieldsBehindTheLineOfAMailboxFileAreText() {
    assertEquals(
        List.of("OPEN bad.example.com"), Mails.hosts("From bob\nX-See: " + BAD + "\n\nbody\n"));
    assertEquals(
        List.of("OPEN bad.example.com"),
        Mails.hosts("From bob\n" + PAGE + ENCODING + "base64\n\n" + base64(LINK)));
  }

  /** Each way costs as much as the first, so only three are gone at one time, and that is said. */
  @Test
  void textsAreReadInThreeWaysAtMost() {
    String types = PAGE + "Content-Type: text/plain\n";
    String encodings = ENCODING + "x quoted-printable base64\n\n";
    for (String way : List.of(LINK, LINK.replace("=", "=3D"), base64(LINK))) {
      List<MailEvidence> read =
          Stream.of(PAGE, types)
              .map(type -> Mails.evidence(Mails.octets(type + encodings + way), HOSTS))
              .toList();
      for (MailEvidence evidence : read) {
        assertTrue(
            evidence.keys().stream().anyMatch(key -> key.key().toString().endsWith(BAD_HOST)));
      }
      assertEquals(List.of(UNKNOWN), read.getFirst().notLookedAt());
      assertEquals(List.of(TWICE, MANY, UNKNOWN), read.getLast().notLookedAt());
    }
  }

  /** The ways of a part that ended are those of the next, in mails and encoded mails, too. */
  @Test
  void everyPartIsReadInThreeWays() {
    String three = ENCODING + "x quoted-printable base64\n";
    StringBuilder mail = new StringBuilder("Content-Type: multipart/mixed; boundary=b\n\n");
    for (int i = 0; i < 10; i++) {
      String page = PAGE + three + "\n" + base64("<a href=//h" + i + ".example.com/>");
      switch (i % 3) {
        case 0 -> mail.append("--b\n").append(page);
        case 1 -> mail.append("--b\nContent-Type: message/rfc822\n\n").append(page);
        default ->
            mail.append("--b\nContent-Type: message/rfc822\n")
                .append(ENCODING)
                .append("base64\n\n")
                .append(base64(page));
      }
      mail.append('\n');
    }
    MailEvidence evidence = Mails.evidence(Mails.octets(mail + "--b--\n"), HOSTS);
    assertEquals(10, evidence.keys().size());
    assertEquals(List.of(UNKNOWN), evidence.notLookedAt());
  }

  /** What is written twice and says the same is read once. */
  @Test
  void fieldsThatSayTheSameAreReadOnce() {
    String twice =
        (PAGE + ENCODING + "base64\n").repeat(2) + "\n" + base64("<a href=//one.example.com>");
    assertEquals(List.of("OPEN one.example.com"), Mails.hosts(twice));
  }
}
