package io.bloomgate.blocklists.content;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A mail can name any number of charsets that nobody knows; to look up each takes 0.3 ms. */
final class UnknownCharsetsTest {

  private static final int NAMES = 400;

  /** Of each kind of reader 20, and no mail has ten kinds. */
  private static final int MOST_ASKED = 200;

  private static void assertBounded(String mail) {
    long before = CountedCharsets.ASKED.get();
    Mails.hosts(mail);
    long asked = CountedCharsets.ASKED.get() - before;
    assertTrue(asked > 0, "none is counted");
    assertTrue(asked <= MOST_ASKED, asked + " were asked for");
  }

  private static String each(IntFunction<String> line) {
    return IntStream.range(0, NAMES).mapToObj(line).collect(Collectors.joining());
  }

  @Test
  void namesOfFiles() {
    assertBounded(
        "Content-Type: application/x"
            + each(i -> "; name=\"=?counted-" + i + "?q?a?=\"")
            + "\n\nhello\n");
  }

  @Test
  void namesOfManyFiles() {
    assertBounded(
        "Content-Type: multipart/mixed; boundary=b\n\n"
            + each(i ->
                "--b\nContent-Disposition: attachment; filename=\"=?counted-"
                    + i
                    + "?q?a?=\"\n\nx\n")
            + "--b--\n");
  }

  @Test
  void textsAndSubjects() {
    assertBounded(
        "Subject:"
            + each(i -> " =?counted-s" + i + "?q?a?=")
            + "\nContent-Type: multipart/mixed; boundary=b\n\n"
            + each(i -> "--b\nContent-Type: text/html; charset=counted-" + i + "\n\n<p>x\n")
            + "--b--\n");
  }

  @Test
  void mailsInMails() {
    assertBounded(
        "Content-Type: multipart/mixed; boundary=b\n\n"
            + each(i ->
                "--b\nContent-Type: message/rfc822\n\nContent-Type: text/html; charset=counted-"
                    + i
                    + "\n\n<p>x\n")
            + "--b--\n");
  }
}
