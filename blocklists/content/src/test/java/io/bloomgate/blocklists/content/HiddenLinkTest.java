package io.bloomgate.blocklists.content;

import static io.bloomgate.blocklists.content.Mails.base64;
import static io.bloomgate.blocklists.content.Mails.html;
import static io.bloomgate.blocklists.content.Mails.mail;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.Check;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/**
 * Links hidden by somebody who knows the bounds and the code of the scanner: each mail must give
 * the host {@code bad.example.com}.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class HiddenLinkTest {

  private static final String BAD = "http://bad.example.com/x";
  private static final String LINK = "<a href=\"" + BAD + "\">go</a>";

  private final Map<String, String> mails = new LinkedHashMap<>();

  private void far() {
    mails.put("behind 20,000 links", html("<a href=http://a.example/>".repeat(20_000) + LINK));
    mails.put("behind 20,000 names", "\n" + "a.com ".repeat(20_000) + BAD);
    String base = "<base href=\"//a.example/" + "p".repeat(3_900) + "/\">";
    mails.put("behind 5,000 relative links", html(base + "<a href=x>".repeat(5_000) + LINK));
    mails.put(
        "behind 2,000 parts",
        "Content-Type: multipart/mixed; boundary=b\n\n"
            + "--b\n\nx\n".repeat(2_000)
            + "--b\n\n"
            + BAD);
    StringBuilder deep = new StringBuilder();
    for (int i = 0; i < 60; i++) {
      deep.append("Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n".formatted(i, i));
    }
    mails.put("60 multiparts deep", deep + "\n" + BAD);
  }

  private void marked() {
    mails.put("levels of headings that are none", html("<svg><h7><style><p>" + LINK));
    mails.put("style that ends with a select", html("<select><style></select>" + LINK));
    mails.put("title that ends with a select", html("<select><title></select>" + LINK));
    mails.put("style in a glyph", html("<math><mi><mglyph><style><p>" + LINK));
    mails.put(
        "style in SVG, deep",
        html("<svg>" + "<g>".repeat(62) + "<foreignObject><svg><style><p>" + LINK));
    mails.put("style behind a condition", html("<svg><!--[if mso]><p>--><style><p>" + LINK));
    mails.put("frame behind a style", html("<frameset><style><frame src=" + BAD + ">"));
    mails.put(
        "CDATA in a font",
        html("<textarea><style></textarea><svg><font color=red><![CDATA[>" + LINK));
  }

  private void links() {
    for (String link :
        List.of(
            "http://" + "u".repeat(9_000) + "@bad.example.com/",
            "/".repeat(40_000) + "bad.example.com/",
            "http:" + "/".repeat(40_000) + "bad.example.com/",
            "ht\t" + "\n\t".repeat(9_000) + "tp://bad.example.com/",
            "https://t.co/?" + "a=b&".repeat(500) + "url=http://bad.example.com/",
            "https://t.co/?" + "u=http://a.example/".repeat(1) + manyTargets(),
            "view-source:http://bad.example.com/",
            "microsoft-edge:http://bad.example.com/",
            "ms-word:ofe|u|http://bad.example.com/a.docx",
            "ms-appinstaller:?source=http://bad.example.com/a.appx",
            "itms-services://?action=download-manifest&url=http%3A%2F%2Fbad.example.com%2Fx",
            "intent://bad.example.com/#Intent;scheme=https;end",
            "googlechrome://navigate?url=http://bad.example.com/",
            "feed:http://bad.example.com/",
            "feed://bad.example.com/",
            "webcal://bad.example.com/a.ics",
            "\\\\bad.example.com\\share",
            "x-safari-http://bad.example.com/",
            "http://" + "u@".repeat(20_000) + "bad.example.com/",
            "http://bad.example.com:" + "0".repeat(40_000) + "80/",
            "view-source:http://" + "u".repeat(40_000) + "@bad.example.com/")) {
      mails.put(
          link.substring(0, Math.min(50, link.length())) + mails.size(),
          html("<a href=\"" + link + "\">"));
    }
  }

  private static String manyTargets() {
    StringBuilder targets = new StringBuilder();
    for (int i = 0; i < 30; i++) {
      targets.append("&a").append(i).append("=http://a").append(i).append(".example/");
    }
    return targets + "&url=http://bad.example.com/";
  }

  private void pages() {
    for (String page :
        List.of(
            "<img srcset=\"a.png 1x, http://bad.example.com/b.png 2x\">",
            "<img srcset=\"a.png 1x,http://bad.example.com/b.png 2x\">",
            "<a href=# ping=\"http://a.example/ http://bad.example.com/\">",
            "<video poster=http://bad.example.com/>",
            "<q cite=http://bad.example.com/>",
            "<img longdesc=http://bad.example.com/>",
            "<p style=\"background:url(http://bad.example.com/a.png)\">",
            "<p style=\"background:URL( 'http://bad.example.com/a.png' )\">",
            "<p style='background: url(&quot;http://bad.example.com/a.png&quot;)'>",
            "<style>p { background: url(http://bad.example.com/a.png) }</style>",
            "<style>@import \"http://bad.example.com/a.css\";</style>",
            "<style>@import url(http://bad.example.com/a.css);</style>",
            "<style>@@import '//bad.example.com/a.css'</style>",
            "<style>/* don't */ p { background: url(//bad.example.com/a) }</style>",
            "<style>p { content: 'x\n; background: url(//bad.example.com/a) }</style>",
            "<style>p { background: u\\72 l(http\\3a//b\\000061d.example.com/a) }</style>",
            "<p style=\"a:url(/b);" + "c ".repeat(20_000) + ";d:url(//bad.example.com/)\">",
            "<img srcset=\"data:image/png;base64,/" + "A".repeat(20_000) + " 1x, " + BAD + " 2x\">",
            "<meta http-equiv=refresh content='" + "0".repeat(20_000) + ";url=" + BAD + "'>",
            "<meta http-equiv=refresh content=\"0;" + " ".repeat(20_000) + "url='" + BAD + "'\">",
            "<svg><image xlink:href=//bad.example.com/>")) {
      mails.put(page.substring(0, Math.min(90, page.length())), html(page));
    }
  }

  private void files() {
    String page = base64("<html>" + LINK.replace("://", "&#58;//"));
    String inner = base64("Subject: x\nContent-Type: text/html\n\n" + LINK);
    String shortcut = base64("[InternetShortcut]\nURL=" + BAD + "\n");
    for (String name :
        List.of(
            "name*0=\"a.h\"; name*1=tml",
            "name*=utf-8''a.ht%6Dl",
            "name*0*=''a.%68; name*1=tml",
            "name=\"=?utf-8?B?" + base64("a.html").strip() + "?=\"",
            "name=\"=?utf-8?q?a=2Ehtml?=\"",
            "name=\"a.html. \"")) {
      mails.put(
          "file " + name,
          "Content-Type: application/octet-stream; %s\nContent-Transfer-Encoding: base64\n\n%s"
              .formatted(name, page));
      mails.put(
          "text " + name,
          "Content-Type: text/plain\nContent-Disposition: attachment; %s\n"
                  .formatted(name.replace("name", "filename").replace("filefile", "file"))
              + "Content-Transfer-Encoding: base64\n\n"
              + page);
    }
    for (String name : List.of("a.eml", "a.EML", "a.mht", "a.mhtml")) {
      mails.put(name, mail("application/octet-stream; name=" + name, "base64", inner));
    }
    for (String name : List.of("a.url", "a.website", "a.rtf")) {
      mails.put(name, mail("application/octet-stream; name=" + name, "base64", shortcut));
    }
    for (String field : List.of("Location", "Base")) {
      String before = "Content-" + field + ": http://bad.example.com/\n";
      mails.put(before, before + "Content-Type: text/html\n\n<a href=x>");
    }
    mails.put("rich text", mail("application/rtf", "8bit", "{\\field HYPERLINK \"" + BAD + "\"}"));
    mails.put("a fragment", mail("message/partial; number=1; total=1; id=x", "8bit", BAD));
    mails.put("a report", mail("message/delivery-status", "8bit", "Status: see " + BAD));
  }

  private void texts() {
    String folded = "BEGIN:VCALENDAR\nURL:http://bad.exa\n mple.c\n\tom/x\n";
    mails.put("calendar", mail("text/calendar; method=REQUEST", "8bit", folded));
    mails.put("calendar of an application", mail("application/ics", "base64", base64(folded)));
    mails.put("card", mail("text/vcard", "8bit", folded));
    mails.put("file of a card", mail("application/x; name=a.vcf", "base64", base64(folded)));
    mails.put("UTF-7", mail("text/html; charset=utf-7", "7bit", seven(LINK)));
    mails.put("UTF-7 in capitals", mail("text/html; charset=\"UTF-7\"", "7bit", seven(LINK)));
    mails.put("line break in brackets", "\nsee <http://bad.exa\n  mple.com/x>");
    mails.put("blank in brackets", "\nsee <URL:http:// bad.exa mple.com/x> here");
    mails.put("plus signs", mail("text/plain; charset=utf-7", "7bit", "1 +- 1 " + BAD));
  }

  /** All characters of a text as UTF-7. */
  private static String seven(String text) {
    byte[] wide = text.getBytes(StandardCharsets.UTF_16BE);
    return "+" + Base64.getEncoder().withoutPadding().encodeToString(wide) + "-";
  }

  @TestFactory
  Stream<DynamicTest> everyLinkIsFound() {
    far();
    links();
    marked();
    pages();
    files();
    texts();
    return mails.entrySet().stream()
        .map(one ->
            DynamicTest.dynamicTest(
                one.getKey(),
                () -> {
                  for (int piece : new int[] {Integer.MAX_VALUE, 7}) {
                    assertTrue(
                        found(Mails.octets(one.getValue()), piece),
                        () -> Mails.hosts(one.getValue()).toString());
                  }
                }));
  }

  private static boolean found(byte[] mail, int piece) {
    MailReader reader = Mails.reader(Set.of(Check.URL_HOST));
    for (int i = 0; i < mail.length; i += Math.min(piece, mail.length - i)) {
      reader.put(mail, i, Math.min(piece, mail.length - i));
    }
    return reader.end().keys().stream()
        .anyMatch(key -> key.key().toString().equals("bad.example.com"));
  }

  /** Nor do redirectors, as many as come before it. */
  @Test
  void redirectorsHideNoLaterTarget() {
    String junk = "<a href=//t.co/?u=//t.co/?u=//t.co/?u=//a.example/>".repeat(5_000);
    byte[] mail = Mails.octets(html(junk + "<a href=//t.co/?u=//bad.example.com/>"));
    MailEvidence evidence = Mails.evidence(mail, Set.of(Check.URL_HOST));
    assertEquals("bad.example.com", evidence.keys().getLast().key().toString());
    assertEquals(List.of(), evidence.notLookedAt());
  }

  /** Of an address in encoded words there is nothing else that a mail client could show. */
  @Test
  void addressesInEncodedWordsAreFound() {
    for (String from :
        List.of("=?utf-8?q?x=40bad.example?=", "=?utf-8?q?a?= <=?utf-8?q?x=40bad.example?=>")) {
      List<String> keys = Mails.keys("From: " + from + "\n\n");
      assertTrue(keys.contains("from_domain OPEN bad.example"), keys::toString);
    }
    assertEquals(
        List.of("from OPEN a@good.example", "from_domain OPEN good.example"),
        Mails.keys("From: =?utf-8?q?x=40bad.example?= <a@good.example>\n\n"));
  }

  /** A mail that is a file is hashed as well, and what is in it is nested. */
  @Test
  void aMailThatIsAFileIsHashed() {
    String mail =
        mail(
            "application/octet-stream; name=a.eml",
            "base64",
            base64("Subject: x\n\n" + BAD + LINK));
    List<String> keys = Mails.keys(mail);
    assertTrue(keys.contains("url_host NESTED bad.example.com"), keys::toString);
    assertTrue(keys.stream().anyMatch(key -> key.startsWith("attachment OPEN")), keys::toString);
  }
}
