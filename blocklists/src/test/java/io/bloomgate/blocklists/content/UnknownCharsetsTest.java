package io.bloomgate.blocklists.content;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.settings.Check;
import java.nio.charset.Charset;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A mail can name any number of charsets that nobody knows. To ask the JDK for each takes 0.3 ms,
 * so it is asked for none; and a charset behind them is read anyway.
 */
final class UnknownCharsetsTest {

  private static final int NAMES = 400;

  /** Names in front of one that is known. */
  private static final int BEFORE = 25;

  private static void assertNoneIsAsked(String mail) {
    long before = CountedCharsets.ASKED.get();
    Mails.hosts(mail);
    assertEquals(before, CountedCharsets.ASKED.get());
    assertFalse(Charset.isSupported("counted-x"));
    assertTrue(before < CountedCharsets.ASKED.get(), "none is counted");
  }

  private static String each(IntFunction<String> line) {
    return some(NAMES, line);
  }

  private static String some(int names, IntFunction<String> line) {
    return IntStream.range(0, names).mapToObj(line).collect(Collectors.joining());
  }

  private static String word(String charset, String text) throws Exception {
    byte[] octets = text.getBytes(Charset.forName(charset));
    return "=?" + charset + "?b?" + Base64.getEncoder().encodeToString(octets) + "?=";
  }

  @Test
  void namesOfFiles() {
    assertNoneIsAsked(
        "Content-Type: application/x"
            + each(i -> "; name=\"=?counted-" + i + "?q?a?=\"")
            + "\n\nhello\n");
  }

  @Test
  void namesOfManyFiles() {
    assertNoneIsAsked(
        "Content-Type: multipart/mixed; boundary=b\n\n"
            + each(i ->
                "--b\nContent-Disposition: attachment; filename=\"=?counted-"
                    + i
                    + "?q?a?=\"\n\nx\n")
            + "--b--\n");
  }

  @Test
  void textsAndSubjects() {
    assertNoneIsAsked(
        "Subject:"
            + each(i -> " =?counted-s" + i + "?q?a?=")
            + "\nContent-Type: multipart/mixed; boundary=b\n\n"
            + each(i -> "--b\nContent-Type: text/html; charset=counted-" + i + "\n\n<p>x\n")
            + "--b--\n");
  }

  @Test
  void mailsInMails() {
    assertNoneIsAsked(
        "Content-Type: multipart/mixed; boundary=b\n\n"
            + each(i ->
                "--b\nContent-Type: message/rfc822\n\nContent-Type: text/html; charset=counted-"
                    + i
                    + "\n\n<p>x\n")
            + "--b--\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "koi8-r",
        "windows-1251",
        "utf-16be",
        "utf-16le",
        "utf-32",
        "CP866",
        "ibm-1025",
        "gb18030"
      })
  void subjectsBehindThem(String charset) throws Exception {
    String subject =
        word(
            charset,
            "\u0434\u0435\u0448\u0435\u0432\u044b\u0435"
                + " \u0442\u0430\u0431\u043b\u0435\u0442\u043a\u0438");
    List<String> alone = Mails.keys("Subject: " + subject + "\n\n");
    assertEquals(1, alone.size());
    String names = some(BEFORE, i -> "=?x-" + i + "?q??= ");
    assertEquals(alone, Mails.keys("Subject: " + names + subject + "\n\n"));
  }

  @Test
  void fileNamesBehindThem() throws Exception {
    String link =
        Base64.getEncoder().encodeToString("<a href='http://bad.example/'>".getBytes(UTF_8));
    String names = some(BEFORE, i -> "=?x-" + i + "?q??= ");
    String mail =
        """
        Content-Type: application/octet-stream; name="%s%s"
        Content-Transfer-Encoding: base64

        %s
        """;
    String name = word("utf-16be", "pay.html");
    assertEquals(List.of("OPEN bad.example"), Mails.hosts(mail.formatted("", name, link)));
    assertEquals(List.of("OPEN bad.example"), Mails.hosts(mail.formatted(names, name, link)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"gbk", "shift_jis", "euc-kr", "big5", "iso-2022-jp", "utf-16", "cp037"})
  void textsBehindThem(String charset) throws Exception {
    boolean wide = !charset.startsWith("utf") && !charset.startsWith("cp");
    String host =
        wide ? "\uff42\uff41\uff44.\uff45\uff58\uff41\uff4d\uff50\uff4c\uff45" : "bad.example";
    byte[] link =
        ("<a href='http://" + host + "/login'>pay here</a>").getBytes(Charset.forName(charset));
    String mail =
        "Content-Type: multipart/mixed; boundary=b\n\n"
            + some(BEFORE, i -> "--b\nContent-Type: text/html; charset=x-" + i + "\n\n\n")
            + "--b\nContent-Type: text/html; charset="
            + charset
            + "\nContent-Transfer-Encoding: base64\n\n"
            + Base64.getEncoder().encodeToString(link)
            + "\n--b--\n";
    assertEquals(List.of("OPEN bad.example"), Mails.hosts(mail));
  }

  /** Octets that a charset does not have cost the JDK much: behind many only ASCII is read. */
  @ParameterizedTest
  @ValueSource(strings = {"gbk", "shift_jis", "euc-kr", "big5", "iso-2022-jp", "windows-1253"})
  void aTextThatIsNotOfItsCharset(String charset) {
    String bad = charset.startsWith("windows") ? "\u00d2" : "\u00ff";
    String type = "Content-Type: text/html; charset=" + charset + "\n\n";
    String link = "<a href=\"http://bad.example/\">";
    MailEvidence some = html(type + bad.repeat(TextDecoder.MOST_UNREADABLE) + link);
    assertEquals(List.of(), some.notLookedAt());
    assertEquals(1, some.keys().size());
    MailEvidence more = html(type + (bad.repeat(100) + "\n").repeat(1_000) + link);
    assertEquals(List.of(Skipped.UNREADABLE.text()), more.notLookedAt());
    assertEquals(some.keys(), more.keys());
  }

  private static MailEvidence html(String mail) {
    return Mails.evidence(Mails.octets(mail), Set.of(Check.URL_HOST));
  }
}
