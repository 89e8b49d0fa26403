package io.bloomgate.blocklists.content;

import static io.bloomgate.blocklists.content.Mails.base64;
import static io.bloomgate.blocklists.content.Mails.html;
import static io.bloomgate.blocklists.content.Mails.mail;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/**
 * Mails made so that a mail client shows a link that a scanner does not see: each must give the
 * host {@code bad.example.com}. Many are from the issue threads of rspamd and SpamAssassin.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class EvasionTest {

  private static final String BAD = "http://bad.example.com/x";
  private static final String LINK = "<a href=\"" + BAD + "\">go</a>";

  private record Evasion(String name, String mail) {}

  private static Evasion of(String name, String mail) {
    return new Evasion(name, mail);
  }

  private static String multipart(String type, String body) {
    return "From: a@b.example\nMIME-Version: 1.0\nContent-Type: " + type + "\n\n" + body;
  }

  private static Evasion mixed(String name, String parameter, String body) {
    return of(name, multipart("multipart/mixed; " + parameter, body));
  }

  private static List<Evasion> multiparts() {
    String part = "Content-Type: text/html\n\n" + LINK + "\n";
    String encoded =
        "Content-Type: text/html\nContent-Transfer-Encoding: base64\n\n" + base64(LINK) + "\n";
    return List.of(
        mixed("no closing boundary", "boundary=b", "--b\n" + part),
        mixed("unquoted boundary with an equals sign", "boundary=a=b", "--a=b\n" + part),
        mixed("boundary in single quotes", "boundary='b'", "--'b'\n" + part),
        mixed("boundary with escapes", "boundary=\"a\\\"b\"", "--a\"b\n" + part),
        mixed("boundary behind a comment", "(c;\") boundary=b", "--b\n" + part),
        mixed("boundary behind an odd name", "x; =y; boundary = b", "--b\n" + part),
        of("boundary without a semicolon", multipart("multipart/mixed boundary=b", "--b\n" + part)),
        mixed("boundary in two pieces", "boundary*1=b; boundary*0=a", "--ab\n" + part),
        mixed("boundary in percent signs", "boundary*=utf-8''%61b", "--ab\n" + part),
        mixed(
            "boundary in two pieces around Base64",
            "boundary*0=\"a\"; boundary*1=\"b\"",
            "--ab\n" + encoded),
        mixed(
            "boundary in percent signs around Base64",
            "boundary*=us-ascii''a%62",
            "--ab\n" + encoded),
        of(
            "type that ends at a blank",
            multipart(
                "text/html charset=utf-8", "<a href=\"h&#116;tp://bad.example.com/x\">go</a>\n")),
        of(
            "type that ends at a comma",
            multipart("text/html, x", "<a href=\"h&#116;tp://bad.example.com/x\">go</a>\n")),
        mixed("boundary that is never closed by a quote", "boundary=\"b", "--b\n" + part),
        of("boundary folded", multipart("multipart/mixed;\n\tboundary\n =\n b", "--b\n" + part)),
        mixed("boundary with white space behind", "boundary=b", "--b \t\n" + part),
        mixed(
            "link in the line behind a boundary",
            "boundary=b",
            "--b\nContent-Type: text/html\n\n--bX " + LINK));
  }

  private static List<Evasion> files() {
    String binary =
        "Content-Type: application/octet-stream; name=p.bin\nContent-Transfer-Encoding: base64\n\n"
            + base64(LINK)
            + "\n";
    return List.of(
        mixed(
            "file that the disposition names, above a type that names another",
            "boundary=b",
            "--b\nContent-Disposition: attachment; filename=p.html\n" + binary),
        mixed(
            "file that the disposition names, below a type that names another",
            "boundary=b",
            "--b\n"
                + binary.replaceFirst(
                    "\n", "\nContent-Disposition: attachment; filename=p.html\n")),
        mixed(
            "file that the first of two dispositions names",
            "boundary=b",
            "--b\n"
                + "Content-Disposition: attachment; filename=p.html\n"
                + "Content-Disposition: attachment; filename=p.bin\n"
                + binary));
  }

  private static List<Evasion> multipartsInDoubt() {
    String part = "Content-Type: text/html\n\n" + LINK + "\n";
    String coded =
        "Content-Type: text/html\nContent-Transfer-Encoding: base64\n\n" + base64(LINK) + "\n";
    return List.of(
        mixed(
            "inner boundary behind one with text",
            "boundary=b",
            "--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\n--bX\n\n--c\n" + part),
        mixed(
            "second of two boundaries",
            "boundary=a; boundary=b",
            "--a\nContent-Type: image/png\n\n--b\n" + part + "--b--\n--a--\n"),
        mixed(
            "first of two boundaries",
            "boundary=a; boundary*=''b",
            "--b\nContent-Type: image/png\n\n--a\n" + part + "--b--\n--a--\n"),
        mixed(
            "boundary behind 16 KiB",
            "x=\"" + "\n yyyyyyyyy".repeat(1_800) + "\";\n boundary=c",
            "--c\n" + coded + "--c--\n"),
        mixed("boundary of hyphens", "boundary=\"--\"", "----\n" + part),
        mixed("empty boundary", "boundary=\"\"", "--\n" + part),
        mixed(
            "boundary that begins like the outer one",
            "boundary=b",
            "--b\nContent-Type: multipart/mixed; boundary=bb\n\n--bb\n" + part + "--bb--\n--b--\n"),
        mixed(
            "behind the end of a nested multipart",
            "boundary=b",
            "--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\nx\n--b\n" + part));
  }

  /** Types and headers that are written as nobody should. */
  private static List<Evasion> types() {
    String part = "Content-Type: text/html\n\n" + LINK + "\n";
    return List.of(
        of("multipart without a boundary", multipart("multipart/mixed", LINK)),
        of("type without a subtype", multipart("text", BAD)),
        of("type that is nothing", multipart("?", BAD)),
        of("two types", "Content-Type: text/html\nContent-Type: image/png\n\n" + LINK),
        of(
            "type in upper case",
            "CONTENT-TYPE: TEXT/HTML; CHARSET=\"UTF-8\"\n\n" + html("x").replace(html("x"), LINK)),
        of("type behind a comment", "Content-Type: (x) text/html (y)\n\n" + LINK),
        of(
            "space before the colon",
            "Content-Type : text/html\n\n<a href='&#104;ttp://bad.example.com/'>"),
        of(
            "encoding on a multipart",
            "Content-Transfer-Encoding: base64\n"
                + multipart("multipart/mixed; boundary=b", "--b\n" + part)),
        of("line of a mailbox file", "From bob Mon Nov 23\nContent-Type: text/html\n\n" + LINK),
        of(
            "related and alternative",
            multipart(
                "multipart/related; boundary=b",
                "--b\nContent-Type: multipart/alternative; boundary=c\n\n--c\n\nx\n--c\n"
                    + part
                    + "--c--\n--b--\n")),
        mixed(
            "part as an attachment",
            "boundary=b",
            "--b\nContent-Disposition: attachment; filename=x.html\n" + part),
        of(
            "digest",
            multipart(
                "multipart/digest; boundary=b", "--b\n\nContent-Type: text/html\n\n" + LINK)));
  }

  private static List<Evasion> encodings() {
    String page = "text/html; charset=utf-8";
    return List.of(
        of("href=3D", mail(page, "quoted-printable", "<a href=3D\"http://bad.example.com/\">")),
        of(
            "soft line breaks",
            mail(page, "quoted-printable", "<a href=3D\"http://ba=\nd.exam=  \nple.com/\">")),
        of("every octet escaped", mail(page, "quoted-printable", escaped(LINK))),
        of(
            "escapes in lower case",
            mail(page, "quoted-printable", escaped(LINK).toLowerCase(java.util.Locale.ROOT))),
        of("bad escapes", mail(page, "quoted-printable", "a=zz = =4 " + LINK.replace("=", "=3D"))),
        of("base64", mail(page, "base64", base64(LINK))),
        of(
            "base64 with foreign octets",
            mail(page, "base64", base64(LINK).replaceAll("(.)", "$1 !\n-"))),
        of("base64 with padding inside", mail(page, "base64", base64("xxxx") + base64(LINK))),
        of("base64 without padding", mail(page, "base64", base64(LINK).replace("=", ""))),
        of("encoding with a comment", mail(page, "base64 (yes)", base64(LINK))),
        of("encoding in quotes", mail(page, "\"base64\"", base64(LINK))),
        of("encoding with a semicolon", mail(page, "Base64;", base64(LINK))),
        of("unknown encoding", mail(page, "x-none", LINK)),
        of(
            "ASCII that is none",
            mail("text/html; charset=us-ascii", "8bit", "\u00e4\u00ff" + LINK)),
        of("broken UTF-8", mail(page, "8bit", "\u00f0\u009f" + LINK)),
        of(
            "an encoded mail",
            mail("message/rfc822", "base64", base64(mail(page, "base64", base64(LINK))))));
  }

  private static String escaped(String text) {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      all.append("=%02X".formatted((int) text.charAt(i)));
      if (all.length() % 72 == 0) {
        all.append("=\n");
      }
    }
    return all.toString();
  }

  private static List<Evasion> pages() {
    return Stream.of(
            of("unquoted", "<a href=http://bad.example.com/x>"),
            of("single quotes", "<a href='http://bad.example.com/x'>"),
            of("spaces around the equals sign", "<a href \n=\n \"http://bad.example.com/\">"),
            of("slash instead of space", "<a/href=\"http://bad.example.com/\">"),
            of("no space before an attribute", "<a title=\"x\"href=\"http://bad.example.com/\">"),
            of("upper case", "<A HREF=\"HTTP://BAD.EXAMPLE.COM/\">"),
            of("line breaks in a value", "<a href=\"ht\ntp://bad.exa\nmple.com/\">"),
            of("tab in a value", "<a href=\"http://bad.&Tab;example.com/\">"),
            of("white space before a value", "<a href=\"\n  http://bad.example.com/\">"),
            of(
                "decimal references",
                "<a href=\"&#104;&#116;&#116;&#112;&#58;//bad.example.com/\">"),
            of("hexadecimal references", "<a href=\"http://bad&#x2e;example&#X002E;com/\">"),
            of("references without semicolon", "<a href=\"http:&#47&#47bad.example.com/\">"),
            of(
                "zeros before a number",
                "<a href=\"http&#" + "0".repeat(90) + "58;//bad.example.com/\">"),
            of(
                "named references",
                "<a href=\"http&colon;&sol;&sol;bad&period;example&period;com\">"),
            of(
                "ampersand before",
                "<a href=\"&&#104;ttp\"><a href=\"//bad.example.com/?a&amp;b\">"),
            of("source", "<img src=\"http://bad.example.com/i.png\">"),
            of("action", "<form action=\"http://bad.example.com/\">"),
            of("formaction", "<button formaction=\"http://bad.example.com/\">"),
            of("data", "<object data=\"http://bad.example.com/\">"),
            of("xlink", "<svg><a xlink:href=\"http://bad.example.com/\">"),
            of("base", "<base href=\"http://bad.example.com/\"><a href=\"x/y\">"),
            of("refresh", "<meta content=\"0;URL='http://bad.example.com/'\" http-equiv=Refresh>"),
            of("no scheme", "<a href=\"//bad.example.com/\">"),
            of("backslashes", "<a href=\"http:\\\\bad.example.com\\x\">"),
            of("end tag missing", "<a href=\"http://bad.example.com/\" <b>"),
            of("comment that is empty", "<!-->" + LINK + "<!-- -->"),
            of("comment with one hyphen", "<!--->" + LINK + "<!-- -->"),
            of("comment ended by an exclamation mark", "<!-- x --!>" + LINK),
            of("comment of Outlook", "<!--[if mso]>" + LINK + "<![endif]-->"),
            of("declaration", "<!doctype html [<!x>" + LINK),
            of("processing instruction", "<?xml x?>" + LINK),
            of("behind a script", "<script>'</a>' <!-- </script >" + LINK),
            of("behind a style", "<STYLE>a > b {}</StYlE\n>" + LINK),
            of("less-than signs", "<<a <" + LINK),
            of("text", "see http://bad.example.com/x"),
            of("text in tags", "http<b>://bad</b>.exam<font color=red>ple.c</font>om/"),
            of("text with references", "http&colon;&#47;&#47;bad.example.com"),
            of("text with soft hyphens", "http://bad.exa&shy;mple&ZeroWidthSpace;.com/"),
            of("text between cells", "<td>http://bad.example.com/</td><td>x</td>"),
            of("full-width dots", "<a href=\"http://bad&#xff0e;example&#12290;com/\">"))
        .map(page -> of(page.name(), html(page.mail())))
        .toList();
  }

  @TestFactory
  Stream<DynamicTest> everyLinkIsFound() {
    return Stream.of(multiparts(), files(), multipartsInDoubt(), types(), encodings(), pages())
        .flatMap(List::stream)
        .map(evasion ->
            DynamicTest.dynamicTest(
                evasion.name(),
                () ->
                    assertTrue(
                        Mails.hosts(evasion.mail()).stream()
                            .anyMatch(host -> host.endsWith(" bad.example.com")),
                        () -> Mails.hosts(evasion.mail()) + " in\n" + evasion.mail())));
  }

  /** What no mail client shows gives no keys. */
  @TestFactory
  Stream<DynamicTest> whatIsNotShownIsNotFound() {
    return Stream.of(
            of("comment", html("<!-- " + LINK + " -->")),
            of("comment with a tag's end", html("<!-- > " + LINK + " -->")),
            of("style", html("<style>" + BAD + "</style>")),
            of("script", html("<script>var x = '" + BAD + "'</script>")),
            of("title", html("<title>" + BAD + "</title>")),
            of("attribute without meaning", html("<a title=\"" + BAD + "\">x</a>")),
            of("value that an end tag has", html("</a href=\"" + BAD + "\">x")),
            mixed("preamble", "boundary=b", BAD + "\n--b\n\nx\n--b--\n"),
            mixed("epilogue", "boundary=b", "--b\n\nx\n--b--\n" + BAD),
            of("image", mail("image/png", "8bit", BAD)))
        .map(mail ->
            DynamicTest.dynamicTest(
                mail.name(), () -> assertEquals(List.of(), Mails.hosts(mail.mail()))));
  }

  @Test
  void mailsInAMailAreNested() {
    String inner = "Content-Type: text/html\n\n" + LINK;
    for (String mail :
        List.of(
            "Content-Type: message/rfc822\n\n" + inner,
            multipart(
                "multipart/report; boundary=b", "--b\nContent-Type: message/rfc822\n\n" + inner),
            mail("message/rfc822", "base64", base64(inner)),
            multipart("multipart/digest; boundary=b", "--b\n\n" + inner))) {
      assertEquals(List.of("NESTED bad.example.com"), Mails.hosts(mail));
    }
    assertEquals(
        List.of("NESTED bad.example.com", "OPEN bad.example.com"),
        Mails.hosts(
            multipart(
                "multipart/mixed; boundary=b",
                "--b\n\n" + BAD + "\n--b\nContent-Type: message/rfc822\n\n" + inner)));
  }
}
