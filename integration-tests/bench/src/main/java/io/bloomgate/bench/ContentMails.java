package io.bloomgate.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

/** The mails of {@link ContentRun}: one as people write it, a large one, and shape bombs. */
final class ContentMails {

  private static final int MIB = 1 << 20;
  private static final String HEADER =
      """
      Received: from mail.partner.example (mail.partner.example [203.0.113.9]) by mx.company.example
       with ESMTPS id 4bX9 for <person@company.example>; Mon, 23 Nov 2026 08:00:00 +0000
      Received: from desk.partner.example by mail.partner.example; Mon, 23 Nov 2026 07:59:58 +0000
      DKIM-Signature: v=1; a=rsa-sha256; d=partner.example; s=m1; h=from:to:subject; bh=abc=;
       b=dGhpcyBpcyBub3QgYSBzaWduYXR1cmUsIGl0IG9ubHkgaGFzIHRoZSBsZW5ndGggb2Ygb25l
       dGhpcyBpcyBub3QgYSBzaWduYXR1cmUsIGl0IG9ubHkgaGFzIHRoZSBsZW5ndGggb2Ygb25l
      From: "Bob of Partner" <bob@partner.example>
      Reply-To: orders@partner.example
      To: person@company.example
      Subject: =?utf-8?Q?Your_order_of_November_is_on_its_way_=E2=80=93_track_it?=
      Message-ID: <20261123075958.1@partner.example>
      MIME-Version: 1.0
      """;

  private ContentMails() {}

  /**
   * About 4 kB: a text and HTML in quoted-printable with six links.
   *
   * @param seed of the order of the words
   */
  static byte[] alternative(int seed) {
    StringBuilder text = new StringBuilder();
    StringBuilder html =
        new StringBuilder("<html><head><style>p {color: #333}</style></head><body>");
    String[] words =
        "your order was packed today and leaves our house tomorrow so that the parcel comes by friday"
            .split(" ", -1);
    Random random = new Random(seed);
    for (int line = 0; line < 14; line++) {
      StringBuilder sentence = new StringBuilder();
      while (sentence.length() < 62) {
        sentence.append(words[random.nextInt(words.length)]).append(' ');
      }
      text.append(sentence).append("=C3=A9\\n".replace("\\n", "\n"));
      html.append("<p class=3D\"x\">").append(sentence).append("&eacute; &amp; more</p>\n");
      if (line % 5 == 0) {
        String link = "https://track.partner.example/parcel/" + line + "?a=1&b=2";
        text.append(link.replace("=", "=3D")).append('\n');
        html.append("<a href=3D\"")
            .append(link.replace("=", "=3D"))
            .append("\">track it</a>=\n<br>");
      }
    }
    return octets(
        HEADER
            + "Content-Type: multipart/alternative; boundary=\"----=_Part_17_42.1764\"\n\n"
            + "------=_Part_17_42.1764\n"
            + "Content-Type: text/plain; charset=utf-8\n"
            + "Content-Transfer-Encoding: quoted-printable\n\n"
            + text
            + "------=_Part_17_42.1764\n"
            + "Content-Type: text/html; charset=utf-8\n"
            + "Content-Transfer-Encoding: quoted-printable\n\n"
            + html
            + "</body></html>\n------=_Part_17_42.1764--\n");
  }

  /** One MiB whose greatest part is base64. */
  static byte[] attachment() {
    byte[] file = new byte[(MIB - 4_096) / 78 * 57];
    new Random(1).nextBytes(file);
    return octets(
        HEADER
            + "Content-Type: multipart/mixed; boundary=mixed\n\n"
            + "--mixed\n"
            + "Content-Type: text/plain\n\n"
            + "see https://files.partner.example/\n"
            + "--mixed\n"
            + "Content-Type: application/pdf\n"
            + "Content-Transfer-Encoding: base64\n"
            + "Content-Disposition: attachment; filename=\"order.pdf\"\n\n"
            + Base64.getMimeEncoder(76, new byte[] {'\n'}).encodeToString(file)
            + "\n--mixed--\n");
  }

  /** Shapes that cost other parsers much, one MiB each. */
  static Map<String, byte[]> bombs() {
    Map<String, byte[]> all = new LinkedHashMap<>();
    StringBuilder deep = new StringBuilder();
    for (int i = 0; deep.length() < MIB; i++) {
      deep.append("Content-Type: multipart/mixed; boundary=b")
          .append(i)
          .append("\n\n--b")
          .append(i)
          .append('\n');
    }
    all.put("multiparts in each other", octets(deep.toString()));
    StringBuilder hundred = new StringBuilder();
    for (int i = 0; i < 99; i++) {
      hundred
          .append("Content-Type: multipart/mixed; boundary=b")
          .append(i)
          .append("\n\n--b")
          .append(i)
          .append('\n');
    }
    hundred.append('\n');
    all.put("lines like boundaries below 99 multiparts", filled(hundred.toString(), "--b\n"));
    all.put("hyphens below 99 multiparts", filled(hundred.toString(), "-".repeat(76) + "\n"));
    String mixed = "Content-Type: multipart/mixed; boundary=b\n\n";
    all.put("parts without a header", filled(mixed, "--b\n\n"));
    all.put(
        "parts with a header",
        filled(mixed, "--b\nContent-Type: text/html; charset=koi8-r\n\n<a>\n"));
    all.put("parts of unknown charsets", charsets(mixed));
    all.put("mails in each other", filled("", "Content-Type: message/rfc822\n\n"));
    all.put("one boundary again and again", filled("", mixed + "--b\n"));
    all.put("parameters", filled("Content-Type: text/plain", "; a=b"));
    all.put(
        "fields of parameters",
        filled("", "Content-Type: a/b; x*0*=\"c\"; y=(d)e f g; boundary*1=h\n"));
    all.put("pieces of a boundary", pieces());
    all.put("addresses", filled("To: ", "a@b.example, "));
    all.put("fields of addresses", filled("", "From: a@b.example\n"));
    all.put("words of addresses", filled("", "From: " + "a ".repeat(4_000) + "\n"));
    all.put("encoded words without an end", filled("", "Subject: " + "=?".repeat(8_000) + "\n"));
    all.put("encoded words", filled("", "Subject: " + "=?x?q?=?".repeat(2_000) + "?=\n"));
    all.put("one field", filled("Subject: ", "a "));
    all.put("one line of a body", filled("\n", "a "));
    all.put("comments of a field", filled("", "From: " + "(".repeat(10_000) + "\n"));
    String html = "Content-Type: text/html\n\n";
    all.put("tags that are not closed", filled(html, "<a href=\"http://a.example/ "));
    all.put("tags without a name", filled(html, "<<<<"));
    all.put("comments that are not closed", filled(html, "<!-- <!--"));
    all.put("comments of Outlook", filled(html, "<!--[if mso]>"));
    all.put("entities", filled(html, "&amp&#x41;&nosuchname;&"));
    all.put("numbers of entities", filled(html, "&#" + "9".repeat(100)));
    all.put("ends of scripts", filled(html + "<script>", "</scrip</"));
    all.put("attributes", filled(html + "<a ", "href=x "));
    all.put("links", filled(html, "<a href=http://a.example/>"));
    all.put("links to distinct hosts", hosts(html));
    all.put("refreshes", filled(html, "<meta http-equiv=refresh content=\"0;url=//a.example\">"));
    all.put("hosts in a text", filled("\n", "http://a.example/b "));
    all.put("dots in a text", filled("\n", "a.b.c.d.e."));
    all.put("schemes in a text", filled("\n", "http://http:// "));
    all.put("defanged text", filled("\n", "hxxp://a[.]b[.]c[.]"));
    hiding(all, html);
    String quoted = "Content-Transfer-Encoding: quoted-printable\n\n";
    all.put("equals signs", filled(quoted, "="));
    all.put("blanks of quoted-printable", filled(quoted, " "));
    all.put("soft line breaks", filled(quoted, "=\n"));
    all.put("base64 of padding", filled("Content-Transfer-Encoding: base64\n\n", "QQ=="));
    return all;
  }

  /** Links of somebody who hides one behind what costs much to read. */
  private static void hiding(Map<String, byte[]> all, String html) {
    String redirectors =
        "<a href=\"//t.co/?u=//t.co/?u=//t.co/?u=//t.co/?u=//t.co/?u=//h.example/\">";
    all.put("redirectors in each other", filled(html, redirectors));
    String broken = "u=//" + "\u00e4.".repeat(15) + "xn--a.example&";
    all.put(
        "targets that are no names",
        filled(html, "<a href=\"//t.co/?" + broken.repeat(60) + "\">"));
    all.put("user names", filled(html, "<a href=\"//" + "u".repeat(20_000) + "@a.example\">"));
    all.put("styles", filled(html + "<style>", "url(//a.example)"));
    all.put("names in a text", filled("\n", "a.example "));
    String page = "Content-Type: text/html; charset=utf-8\n\n";
    String text = "Content-Type: text/plain; charset=utf-8\n\n";
    all.put("labels of 1,000 letters", filled(page, "<a href=//" + letters(1_000) + ".example>"));
    all.put("labels of 62 letters", filled(page, "<a href=//" + letters(62) + ".example>"));
    all.put("500 labels", filled(page, "<a href=//" + (letters(1) + ".").repeat(500) + "example>"));
    all.put("long names in a text", filled(text, letters(300) + "." + letters(3) + "\n"));
    all.put("international hosts in a text", filled(text, "http://" + letters(5) + ".example "));
    all.put("letters behind a host", filled(text, "http://a.com" + letters(1) + "x "));
    all.put("colons", filled("\n", ": "));
    all.put("URLs in brackets", filled("\n", "<http://a. bc>"));
    String base = "<base href=\"//a.example/" + "p".repeat(3_900) + "/\">";
    all.put("links relative to a long base", filled(html + base, "<a href=a>"));
    all.put("strings of a style", filled(html + base + "<style>", "'.'"));
    all.put("escapes of a style", filled(html + "<style>", "url(\\2f\\2f a.bc)"));
    all.put("pages in attributes", filled(html, "<a href=\"data:html,<a href=http://a.bc>\">"));
    String many = letters(1) + "@" + letters(1) + ".bc,";
    all.put("mailboxes of mails", mails("From: " + many.repeat(999)));
    all.put("subjects of mails", mails("Subject: =?utf-8?b?" + "w7w".repeat(8) + "?=\n".repeat(4)));
    knowing(all, html, page);
  }

  /** Shapes of somebody who has the source. */
  private static void knowing(Map<String, byte[]> all, String html, String page) {
    String text = "Content-Type: text/plain; charset=utf-8\n\n";
    String long18 = new String("\ufdfa".repeat(2_000).getBytes(UTF_8), ISO_8859_1);
    all.put("subjects of letters that become eighteen", mails("Subject: " + long18));
    all.put("bodies of letters that become eighteen", filled(page, long18 + " "));
    String long20 = "From: " + ("a@" + letters(20) + ".bc,").repeat(240);
    all.put("international mailboxes", mails(long20));
    all.put("lines that are no field", filled("", "junk\n"));
    all.put("one line that is no field", filled("", "junk "));
    String user = "http://" + "u".repeat(200_000) + "@a.example ";
    all.put("names of users of 200,000 letters", filled("\n", user));
    all.put("the same in attributes", filled(html, "<a href=\"" + user + "\">"));
    String file = "Content-Type: application/xml; name=a.eml\n\n";
    all.put("XML files of mails in each other", filled(file + file, "<a href='http://a.bc'>b</a>"));
    String inner =
        Base64.getEncoder().encodeToString("<a href=http://a.bc>".repeat(500).getBytes(UTF_8));
    all.put(
        "Base64 pages in attributes",
        filled(html, "<a href=\"data:text/html;base64," + inner + "\">"));
    all.put("an address of a style without an end", filled(html + "<style>url(", "url("));
    all.put("an attribute without an end", filled(html + "<a href=\"", "&#104;"));
    all.put(
        "octets that GBK does not have",
        filled("Content-Type: text/html; charset=gbk\n\n", "\u00ff"));
    String eighteen = new String("\ufdfa".getBytes(UTF_8), ISO_8859_1);
    all.put("spoken names of letters that become eighteen", filled(text, " dot " + eighteen));
    severalWays(all);
  }

  /** Shapes that cost much, in a part on whose type and encoding readers differ. */
  private static void severalWays(Map<String, byte[]> all) {
    String encodings = "Content-Transfer-Encoding: ";
    String page = "Content-Type: text/html; charset=utf-8\n";
    String types = page + "Content-Type: text/plain; charset=utf-8\n";
    String three = page + encodings + "x quoted-printable base64\n\n";
    String two = types + encodings + "7bit\n" + encodings + "quoted-printable\n\n";
    String card = "Content-Type: text/calendar; charset=utf-8; name=a.html\n\n";
    Map<String, String> heads = new LinkedHashMap<>();
    heads.put("three encodings", three);
    heads.put("two types and two encodings", two);
    heads.put("calendar that is named like a page", card);
    heads.forEach((name, head) -> {
      all.put("links, " + name, filled(head, "<a href=//a.example/>"));
      all.put("international hosts, " + name, filled(head, "http://" + letters(5) + ".example "));
      all.put(
          "labels of 62 letters, " + name, filled(head, "<a href=//" + letters(62) + ".example>"));
      all.put("tags without a name, " + name, filled(head, "<<<<"));
      all.put("colons, " + name, filled(head, ": "));
    });
  }

  /** Mails with that header beside each other. */
  private static byte[] mails(String header) {
    String digest = "Content-Type: multipart/digest; boundary=b\n\n";
    return filled(digest, "--b\n\n" + header + "\n\n");
  }

  /** Chinese letters in UTF-8, no two of them alike, as the octets that {@link #octets} makes. */
  private static String letters(int number) {
    StringBuilder letters = new StringBuilder();
    for (int i = 0; i < number; i++) {
      letters.append((char) (0x4e00 + i * 7_919 % 20_000));
    }
    return new String(letters.toString().getBytes(UTF_8), ISO_8859_1);
  }

  private static byte[] charsets(String mixed) {
    StringBuilder mail = new StringBuilder(mixed);
    for (int i = 0; mail.length() < MIB; i++) {
      mail.append("--b\nContent-Type: text/plain; charset=none-").append(i).append("\n\nx\n");
    }
    return octets(mail.toString());
  }

  private static byte[] hosts(String html) {
    StringBuilder mail = new StringBuilder(html);
    for (int i = 0; mail.length() < MIB; i++) {
      mail.append("<a href=http://h").append(i).append(".example/>");
    }
    return octets(mail.toString());
  }

  private static byte[] pieces() {
    StringBuilder field = new StringBuilder("Content-Type: multipart/mixed");
    for (int i = 0; i < 99; i++) {
      field.append("; boundary*").append(i).append("*=%41%42").append("c".repeat(100));
    }
    return filled("", field + "\n\n");
  }

  /** So often the piece that the mail has one MiB. */
  private static byte[] filled(String before, String piece) {
    return octets(before + piece.repeat((MIB - before.length()) / piece.length()));
  }

  private static byte[] octets(String text) {
    return text.replace("\n", "\r\n").getBytes(ISO_8859_1);
  }
}
