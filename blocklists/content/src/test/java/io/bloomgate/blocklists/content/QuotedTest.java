package io.bloomgate.blocklists.content;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.config.name.Check;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What tells of an address and does not lead to it is no more than evidence: reports, samples,
 * quotes of a reply, searches. What looks like that and is read as the mail's own text counts.
 */
final class QuotedTest {

  private static final String BAD = "http://bad.example.com/x";
  private static final String REPLY =
      "To: \"Bob Miller\" <bob@c.example>\nIn-Reply-To: <1@example.com>\n";

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

  /** On every host, wherever in its URL and however it is written there. */
  @Test
  void aWholeUrlInsideAnotherIsNested() {
    String once = "http%3A%2F%2Fbad.example.com%2Fx";
    String twice = once.replace("%", "%25");
    String base64 = Mails.base64(BAD).strip();
    Map<String, String> mails = new HashMap<>();
    for (String inner : List.of(BAD, once, twice, base64)) {
      for (String around : List.of("?a=1&to=%s", "go/%s", "#%s", "?to=%s&b=2", "go/%s/end")) {
        String link = "https://any.example/" + around.formatted(inner);
        mails.put(link, page("", "<a href='" + link + "'>x</a>"));
      }
    }
    assertPlaces("NESTED", mails);
  }

  @Test
  void whatIsNoLinkForAMailProgramIsNone() {
    for (String page :
        List.of(
            "<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0//EN' '" + BAD + "'><p>x",
            "<!doctype html system \"" + BAD + "\"><p>x",
            "<html xmlns='" + BAD + "'>x",
            "<a href='news://bad.example.com/x'>x</a>",
            "<a href='news:bad.example.com'>x</a>",
            "<a href='ftp://bad.example.com/x'>x</a>",
            "see hxxp://bad.example.com/x and ftp://bad.example.com/x")) {
      assertEquals(List.of(), Mails.hosts(Mails.html(page)), page);
    }
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

  /** Header of the other mail in text and HTML, attributions in several languages. */
  @Test
  void whatIsBelowTheHeaderOfTheOtherMailIsNested() {
    assertPlaces(
        "NESTED",
        Map.of(
            "English header",
            text(
                REPLY,
                "Thanks.\n\nFrom: Bob <b@c.example>\nSent: Tue\nTo: Joe\nSubject: x\n\n" + BAD),
            "German header",
            text(REPLY, "Danke.\n\nVon: Bob\nGesendet: Di\nAn: Joe\nBetreff: x\n\n" + BAD),
            "header of Outlook for Mac",
            page(
                REPLY,
                "<div>Thanks.</div><span><div><span>From: </span>Bob<br><span>Date: </span>Tue<br>"
                    + "<span>To: </span>Joe</div>"
                    + BAD
                    + "</span>"),
            "header of GMX",
            page(
                REPLY,
                "<div>Danke</div><div><b>Gesendet:</b> Di<br><b>Von:</b> Bob<br><b>An:</b>"
                    + " Joe</div>"
                    + BAD),
            "line of AOL in a page",
            page(REPLY, "<div>Thanks</div><div>-----Original Message-----<br>From: Bob<br>" + BAD),
            "header above a line",
            page(REPLY, "Ok.<p>From: Bob<br>To: Joe<br>Sent: Tue<p>" + BAD + "<hr>x"),
            "attribution",
            text(REPLY, "Thanks.\n\nOn Tue, Bob <b@c.example> wrote:\n\n" + BAD),
            "French attribution",
            text(REPLY, "Merci.\n\nLe mar. 3 f\u00e9vr., Bob a \u00e9crit :\n\n" + BAD)));
    assertPlaces(
        "OPEN",
        Map.of(
            "no header", text(REPLY, "Look.\nFrom: Bob\nsee " + BAD),
            "a list that is none", text(REPLY, "Look.\nPrice: 1\nSize: 2\nColour: 3\n" + BAD),
            "no reply", text("", "Thanks.\n\nFrom: Bob\nSent: Tue\nTo: Joe\n\n" + BAD)));
  }

  /** Header blocks of mail programs in languages that no list of words holds. */
  private static final List<String> BLOCKS =
      List.of(
          "De%1$s: Bob <b@c.example>|Envoy\u00e9%1$s: lundi|\u00c0%1$s: Joe|Objet%1$s: x"
              .formatted("\u00a0"),
          "De%1$s: Bob|Envoy\u00e9%1$s: 2 f\u00e9vr. 2026 10:00|\u00c0%1$s: Joe|Objet%1$s: x"
              .formatted("\u202f"),
          "De la: Bob|Trimis: luni|C\u0103tre: Joe|Subiect: x",
          "*De la:* Bob <b@c.example>|*Trimis:* luni|*C\u0103tre:* Joe|*Subiect:* x",
          "\u0e08\u0e32\u0e01: Bob|\u0e2a\u0e48\u0e07: x|\u0e16\u0e36\u0e07: Joe",
          "\u041e\u0434: A|\u041f\u043e\u0441\u043b\u0430\u0442\u043e: 2.2.2026."
              + " 10:00|\u0417\u0430: Joe",
          "\u00d3: Bob|Seolta: x|Chuig: joe|\u00c1bhar: x",
          "Fr\u00e1: A|Sent: m\u00e1nudagur, 2. febr\u00faar 2026 10:00|Til: Joe|Efni: x",
          "\u092a\u094d\u0930\u0947\u0937\u0915: Bob|\u092d\u0947\u091c\u093e \u0917\u092f\u093e: x"
              + "|\u092a\u094d\u0930\u0924\u093f: Joe",
          "\u0627\u0632: A|\u0627\u0631\u0633\u0627\u0644:"
              + " \u06f1\u06f4\u06f0\u06f4/\u06f1\u06f1/\u06f1\u06f3"
              + " \u06f1\u06f0:\u06f0\u06f0|\u0628\u0647: Joe",
          "Kellelt: Bob|Saadetud: x|Kellele: Joe|Teema: x",
          "L\u00e4hett\u00e4j\u00e4: A|L\u00e4hetetty: 2. helmikuuta 2026 10.00|Vastaanottaja: Joe",
          "\u200f\u05de\u05d0\u05ea: Bob|\u200f\u05e0\u05e9\u05dc\u05d7: x|\u200f\u05d0\u05dc:"
              + " Joe");

  /** Lines above a quote, with or without a word that says who wrote. */
  private static final List<String> CITATIONS =
      List.of(
          "On Mon, Feb 2, 2026 at 10:00 AM Bob <b@c.example> wrote:\u00a0",
          "On Feb 2, 2026, at 10:00\u202fAM, A wrote:",
          "Bob <b@c.example> ra\u0161\u0117:",
          "\u202b\u05d1\u05ea\u05d0\u05e8\u05d9\u05da 2 \u05d1\u05e4\u05d1\u05e8\u05f3 2026"
              + " \u05d1-10:00 \u202aA\u202c\u200f <\u202ab@c.example\u202c\u200f>:\u202c",
          "2026\u5e742\u67082\u65e5(\u6708) 10:00 A\uff1a",
          "ma 2. helmik. 2026 klo 10.00 A (b@c.example) kirjoitti:");

  private static String utf8(String text) {
    return new String(text.getBytes(UTF_8), ISO_8859_1);
  }

  @Test
  void aQuoteBelowAHeaderOrACitationNeedsNoLanguage() {
    Map<String, String> mails = new HashMap<>();
    Stream.concat(BLOCKS.stream(), CITATIONS.stream())
        .forEach(written -> {
          String lines = utf8(written.replace('|', '\n'));
          String html = utf8(written.replace("<", "&lt;").replace("\u00a0", "&nbsp;"));
          mails.put(
              "text: " + written,
              REPLY
                  + Mails.mail(
                      "text/plain; charset=utf-8", "8bit", "Ok.\n\n" + lines + "\n\nsee " + BAD));
          for (String between : List.of("<br>", "<br>\n", "</p>\n\n<p>", "</tr>\n<tr><td>")) {
            String page = html.replace("|", between);
            String cells = between.contains("td") ? page.replace(": ", ":</td><td>") : page;
            String block = between.contains("td") ? "<table><tr><td>" + cells + "</table>" : cells;
            mails.put(
                between + ": " + written,
                page(REPLY, "<p>Ok.</p><p>" + block + "</p><p><a href=" + BAD + ">x</a></p>"));
          }
        });
    assertPlaces("NESTED", mails);
  }

  /** The same where it is no quote: nothing above, the link above, and lines that name no mail. */
  @Test
  void whatOnlyLooksLikeTheHeaderOfAMailCounts() {
    Map<String, String> mails = new HashMap<>();
    for (String written : BLOCKS) {
      String lines = utf8(written.replace('|', '\n'));
      String type = "text/plain; charset=utf-8";
      mails.put("no reply: " + written, Mails.mail(type, "8bit", "Ok.\n\n" + lines + "\n" + BAD));
      mails.put("only: " + written, REPLY + Mails.mail(type, "8bit", lines + "\n\n" + BAD));
      mails.put(
          "above: " + written, REPLY + Mails.mail(type, "8bit", "Ok " + BAD + "\n\n" + lines));
    }
    for (String own :
        List.of(
            "Order: 5\nSize: 2\nColour: red\nPrice: 10.00",
            "User: bob@c.example\nHost: 192.168.10.20\nState: full",
            "Name: Joe\nPhone: 123 456 78 90\nWe open: 10:00\nWeb: x",
            "Dear Bob:",
            "Dear Bob, you have 3 messages:",
            "Your mailbox bob@c.example is full, look here:",
            "May 29 12:30:59 host tool[4446]: Traceback (last call last):\nx",
            "May 29 2026 12:30:59 host tool: last calls:\nx",
            "May 29 12:30:59 host tool[4446]:\nx",
            "Error: x\nMay 29 2026 12:30:59 Bob a: <b@c.example> b\nPath: a\nx\nPath: b",
            "From: Monday\nTo: Friday")) {
      mails.put(own, text(REPLY, "Look.\n\n" + own + "\n\n" + BAD));
    }
    assertPlaces("OPEN", mails);
  }

  /** A bounce of plain text has the null sender, which the session knows. */
  @Test
  void whatABounceReturnsIsNested() {
    assertBounce("I could not deliver:\n\n--- Below this line is a copy of the message.\n\n");
    assertBounce("   ----- Unsent message follows -----\n");
  }

  private static void assertBounce(String above) {
    byte[] bounce =
        Mails.octets(
            "From: mailer-daemon@mx.example\n\n"
                + above
                + "Return-Path: <b@c.example>\nFrom: Bob\nTo: Joe\nSubject: x\n"
                + "Message-ID: <1@c.example>\n\n"
                + BAD);
    for (boolean isReport : new boolean[] {true, false}) {
      try (MailReader reader =
          new MailReader(
              MimeLimits.DEFAULTS,
              Set.of(Check.URL_HOST),
              7,
              isReport,
              Thread.ofVirtual()::start)) {
        reader.put(bounce, 0, bounce.length);
        assertEquals(
            (isReport ? "NESTED" : "OPEN"), reader.end().keys().getFirst().place().toString());
      }
    }
  }
}
