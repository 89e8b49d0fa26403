package io.bloomgate.blocklists.content;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * What tells of an address and does not lead to it is no more than evidence: reports, samples,
 * quotes of a reply, searches. What looks like that and is read as the mail's own text counts.
 */
final class QuotedTest {

  private static final String BAD = "http://bad.example.com/x";
  private static final String REPLY = "In-Reply-To: <1@example.com>\n";

  private static void assertPlaces(String place, Map<String, String> mails) {
    Map<String, List<String>> found = new TreeMap<>();
    mails.forEach((name, mail) ->
        found.put(
            name,
            Mails.hosts(mail).stream().filter(host -> host.endsWith("bad.example.com")).toList()));
    Map<String, List<String>> expected = new TreeMap<>();
    mails.keySet().forEach(name -> expected.put(name, List.of(place + " bad.example.com")));
    assertEquals(expected, found);
  }

  private static String part(String head, String body) {
    return "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nhello\n--b\n"
        + head
        + "\n\n"
        + body
        + "\n--b--\n";
  }

  private static String text(String head, String body) {
    return head + Mails.mail("text/plain", "8bit", body);
  }

  private static String page(String head, String body) {
    return head + Mails.html(body);
  }

  @Test
  void reportsAndSamplesAreNested() {
    String attached = "\nContent-Disposition: Attachment; filename=";
    assertPlaces(
        "NESTED",
        Map.of(
            "feedback report",
            part("Content-Type: message/feedback-report", "Reported-URI: " + BAD),
            "delivery status",
            part("Content-Type: message/delivery-status", "Diagnostic-Code: smtp; 554 " + BAD),
            "disposition notification",
            part("Content-Type: message/disposition-notification", "Failure: " + BAD),
            "header of a mail",
            part("Content-Type: text/rfc822-headers", "List-Unsubscribe: <" + BAD + ">"),
            "table of addresses",
            part("Content-Type: text/csv" + attached + "a.csv", "url\n" + BAD),
            "mail as a text",
            part("Content-Type: text/plain" + attached + "a.eml", "From: a@b\n\n" + BAD),
            "source of a quote",
            page("", "<q cite=\"" + BAD + "\">x</q>"),
            "location of the text",
            "Content-Location: " + BAD + "\n" + page("", "hello")));
  }

  @Test
  void whatIsReadAsTheTextCounts() {
    assertPlaces(
        "OPEN",
        Map.of(
            "nothing but a report",
            "Content-Type: message/delivery-status\n\nStatus: " + BAD,
            "nothing but a header of a mail",
            "Content-Type: text/rfc822-headers\n\nSubject: " + BAD,
            "table in the text",
            part("Content-Type: text/csv", BAD),
            "text with the name of a mail",
            part("Content-Type: text/plain; name=a.eml", BAD),
            "page that is attached",
            part(
                "Content-Type: text/html\nContent-Disposition: attachment", "<a href=" + BAD + ">"),
            "text of a report",
            "Content-Type: multipart/report; boundary=b\n\n--b\n\nsee " + BAD + "\n--b--\n"));
    assertEquals(
        List.of("NESTED bad.example.com", "OPEN bad.example.com"),
        Mails.hosts("Content-Location: http://bad.example.com/\n" + page("", "<a href=x>")).stream()
            .filter(host -> host.endsWith("bad.example.com"))
            .toList(),
        "links start from there");
  }

  @Test
  void quotesOfAReplyAreNested() {
    String written = "On Monday Bob wrote:\n";
    assertPlaces(
        "NESTED",
        Map.of(
            "lines", text(REPLY, written + "> see\n> " + BAD + "\n"),
            "lines behind blanks", text(REPLY, written + "\n \t> " + BAD),
            "deeper lines", text("References: <1@example.com>\n", written + ">> " + BAD),
            "quote of a page", page(REPLY, written + "<blockquote>" + BAD + "</blockquote>"),
            "link in a quote", page(REPLY, "yes<blockquote><i><a href=" + BAD + ">")));
  }

  /** Outlook draws a line and copies the mail below it. */
  @Test
  void whatIsBelowTheLineOfAReplyIsNested() {
    String outlook =
        "<div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'>"
            + "<p><b>From:</b> Bob<br>";
    assertPlaces(
        "NESTED",
        Map.of(
            "original message",
            text(REPLY, "yes\n-----Original Message-----\n" + BAD),
            "in another language",
            text(REPLY, "ja\n\n  -----Urspr\u00fcngliche Nachricht-----\na\n" + BAD),
            "line of underscores",
            text(REPLY, "yes\n" + "_".repeat(32) + "\nFrom: Bob\n" + BAD),
            "line of a page",
            page(REPLY, "<p>yes<hr tabindex=\"-1\"><div>" + BAD + "</div>"),
            "line of a style",
            page(REPLY, "<p>yes</p>" + outlook + BAD)));
    assertPlaces(
        "OPEN",
        Map.of(
            "no reply", text("", "yes\n-----Original Message-----\n" + BAD),
            "nothing else", text(REPLY, "-----Original Message-----\n" + BAD),
            "nothing else in a page", page(REPLY, "<hr>" + BAD),
            "signature", text(REPLY, "yes\n--\n" + BAD),
            "above the line", text(REPLY, BAD + "\n-----Original Message-----\nhello"),
            "above the line of a page", page(REPLY, "yes " + BAD + "<hr>a")));
  }

  /** Who answers writes something; who only quotes sends the link as new. */
  @Test
  void otherQuotesCount() {
    assertPlaces(
        "OPEN",
        Map.of(
            "no reply",
            text("", "hello\n> " + BAD),
            "nothing else",
            text(REPLY, "> " + BAD),
            "nothing else in a page",
            page(REPLY, " <p>&nbsp;<blockquote>" + BAD + "</blockquote>"),
            "behind the quote",
            text(REPLY, "hello\n> a\n" + BAD + "\n"),
            "in a quoted line of a page",
            page(REPLY, "hello<br>&gt; " + BAD),
            "behind the quote of a page",
            page(REPLY, "hello<blockquote>a</blockquote></blockquote>" + BAD),
            "reply of a mail inside",
            part("Content-Type: text/plain\n" + REPLY.strip(), "hello\n> " + BAD),
            "forwarded as text",
            text("", "FYI\n-------- Forwarded Message --------\n\n" + BAD)));
  }

  @Test
  void whatPagesOnlyHaveInTheirQueryIsNested() {
    assertPlaces(
        "NESTED",
        Map.of(
            "search", page("", "<a href='https://www.google.com/search?q=" + BAD + "'>"),
            "share", page("", "<a href='https://www.facebook.com/sharer.php?u=" + BAD + "'>"),
            "tweet", page("", "<a href='https://twitter.com/intent/tweet?url=" + BAD + "'>")));
  }

  /** Everybody writes it, and every mail program makes a link of it. */
  @Test
  void aNameWithoutASchemeIsSchemeless() {
    assertEquals(
        List.of("SCHEMELESS www.bad.example.com"),
        Mails.hosts(text("", "please block www.bad.example.com")).stream()
            .filter(host -> host.contains("bad"))
            .toList());
  }
}
