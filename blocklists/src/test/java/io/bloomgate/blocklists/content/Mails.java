package io.bloomgate.blocklists.content;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.bloomgate.blocklists.decision.ContentKey;
import io.bloomgate.config.settings.Check;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Mails of tests and what the scanner says of them. */
final class Mails {

  private Mails() {}

  /** A text as octets of Latin-1, lines ended by CRLF. */
  static byte[] octets(String text) {
    return text.replace("\n", "\r\n").getBytes(ISO_8859_1);
  }

  static String base64(String text) {
    return Base64.getMimeEncoder(76, new byte[] {'\n'}).encodeToString(octets(text));
  }

  /** The evidence of a mail that is put in at once. */
  static MailEvidence evidence(byte[] mail, Set<Check> wanted) {
    MailScanner scanner = new MailScanner(MimeLimits.DEFAULTS, wanted, 7);
    scanner.put(mail, 0, mail.length);
    return scanner.end();
  }

  /** {@code check place key} of everything that is found, sorted, without the likeness. */
  static List<String> keys(String mail) {
    return keys(evidence(octets(mail), Check.OF_CONTENT));
  }

  static List<String> keys(MailEvidence evidence) {
    return evidence.keys().stream().map(Mails::shown).sorted().toList();
  }

  /** {@code place host} of every host that is found, sorted. */
  static List<String> hosts(String mail) {
    return evidence(octets(mail), Set.of(Check.URL_HOST)).keys().stream()
        .map(key -> key.place() + " " + key.key())
        .sorted()
        .toList();
  }

  private static String shown(ContentKey key) {
    return key.check().key() + " " + key.place() + " " + key.key();
  }

  /** A mail of one part. */
  static String mail(String type, String encoding, String body) {
    return """
    From: Bob <bob@partner.example>
    Subject: hello
    MIME-Version: 1.0
    Content-Type: %s
    Content-Transfer-Encoding: %s

    %s\
    """
        .formatted(type, encoding, body);
  }

  static String html(String body) {
    return mail("text/html; charset=utf-8", "8bit", body);
  }

  /** Mails that have everything the scanner looks at, small enough for every cut. */
  static List<String> samples() {
    return Stream.of(plain(), inDoubt(), early(), twice()).flatMap(List::stream).toList();
  }

  private static List<String> plain() {
    return List.of(
        html(
            "<a href=\"http://link.example.com/a?b=1&amp;c=2\">x</a>"
                + " http://te<b>xt</b>.example.com/"),
        mail(
            "text/html; charset=utf-8",
            "quoted-printable",
            "<a href=3D\"http://soft=\n.example.com/=C3=A4\">trailing   \nblank =  \nend=\n"),
        mail("text/plain", "base64", base64("see http://coded.example.com/path and more")),
        mail("text/plain; charset=utf-16le", "base64", utf16("see http://wide.example.com/")),
        nested(),
        """
        From bob@mailbox.example Thu Jan  1 00:00:00 1970
        Content-Type: multipart/mixed; boundary=q
        no field at all
        --q
        Content-Type: text/plain
        junk without colon http://junk.example.com/
        Content-Transfer-Encoding: base64

        %s
        --q
        --q\t
        not closed http://open.example.com/\
        """
            .formatted(base64("http://behind.example.com/")),
        """
        Content-Type: message/rfc822
        Content-Transfer-Encoding: base64

        %s\
        """
            .formatted(base64("Content-Type: text/html\n\n<a href='http://inside.example.com/'>")));
  }

  private static List<String> inDoubt() {
    return List.of(
        mail(
            "text/plain; format=flowed; delsp=yes",
            "7bit",
            "http://flo \nwed.exam \nple.com/a \n> http://quo \n>ted.example.com/\n-- \nx"),
        mail(
            "text/html; name=a.html",
            "7bit",
            "<script>location='http:\\/\\/script.example.com/\\x61';// don't\n"
                + "open(\"//other.example.com/\")</script>"),
        """
        Content-Type: multipart/mixed; boundary=b

        --b
        Content-Type: text/html

        <svg/><style><a x="</style>http://one.example.com/
        --bX http://two.example.com/
        Content-Type: text/plain; name=a.html

        http://three.example.com/
        --b-- http://four.example.com/
        <textarea><a href=http://five.example.com/>
        --b--\
        """,
        """
        Content-Type: multipart/mixed
        junk http://one.example.com/
        List-Unsubscribe: <http://two.example.com/>

        http://three.example.com/
        --guess

        http://four.example.com/
        --guess--\
        """,
        "Content-Type: multipart/mixed; boundary=b\n\n-- http://one.example.com/\n-",
        mail("text/html; charset=iso-2022-jp", "8bit", "<p>\u001b$B$3\n<a href=//one.example.com>"),
        mail("text/calendar", "8bit", "a\\n\n\\\n nhttp://one.exam\n ple.com/\\"),
        "",
        "\n",
        "From: a@b.example",
        """
        Content-Type: multipart/mixed; boundary=""

        --

        empty http://e.example.com/
        ----
        """);
  }

  /** Multiparts without an empty line before their first boundary. */
  private static List<String> early() {
    return List.of(
        """
        Content-Type: multipart/mixed; boundary=b
        --b: http://one.example.com/
        --b
        Content-Type: multipart/mixed; boundary=c
        --c
        Content-Type: text/html

        <a href="http://two.example.com/">
        --c--
        --b--\
        """,
        """
        junk http://one.example.com/
        Content-Type: multipart/mixed
        --guess: no
        --guess
        Content-Type: text/html

        <a href="http://two.example.com/">\
        """);
  }

  /** Types and encodings that readers take from different fields. */
  private static List<String> twice() {
    return List.of(
        """
        Content-Type: text/plain
        Content-Type: multipart/mixed; boundary=b

        http://one.example.com/
        --b
        Content-Type: image/png
        Content-Type: text / html
        Content-Transfer-Encoding: 7bit
        Content-Transfer-Encoding: x base64

        %s
        --b--
        http://two.example.com/\
        """
            .formatted(base64("<a href='http://coded.example.com/'>")),
        """
        From bob
        Content-Type: message/rfc822
        Content-Type: text/plain
        Content-Transfer-Encoding: quoted-printable
        Content-Transfer-Encoding: 8bit

        Subject: http://one.example.com/

        http=3A//two.example.com/\
        """);
  }

  /** Addresses and encoded words in the header, and multiparts in each other. */
  private static String nested() {
    return """
    From: "x@name.example" <a@one.example>, (c) b@two.example,
     group: c@three.example, "quo,ted"@four.example;, <@route.example:d@five.example>
    Reply-To: <e@six.example>
    Subject: =?utf-8?B?w6TDtg==?= =?utf-8?q?w=C3?= =?utf-8?q?=A4rter_sind_hier_lang?=
    Content-Type: multipart/mixed; boundary="a b"

    preamble
    --a b
    Content-Type: multipart/alternative; boundary=a

    --a
    Content-Type: text/plain

    -- \n\
    http://signature.example.com/
    --ax
    --a
    Content-Type: text/html

    <!-- http://comment.example.com/ --><base href="http://base.example.com/x/">
    <style>http://style.example.com/</style><img src=y.png>&#104;ttp&colon;//entity.example.com
    --a--
    http://epilogue.example.com/
    --a b
    Content-Type: application/octet-stream
    Content-Transfer-Encoding: base64

    %s
    --a b
    Content-Type: message/rfc822

    From: inner@nested.example
    Subject: the subject of the mail inside

    http://nested.example.com/
    --a b--
    """
        .formatted(base64("x".repeat(100)));
  }

  private static String utf16(String text) {
    return Base64.getMimeEncoder(76, new byte[] {'\n'})
        .encodeToString(text.getBytes(java.nio.charset.StandardCharsets.UTF_16LE));
  }
}
