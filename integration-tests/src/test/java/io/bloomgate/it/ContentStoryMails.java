package io.bloomgate.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

/**
 * The mails of {@link ContentStoryTest}, each with what is listed in another place. All ways to
 * hide a link are in {@code EvasionTest}.
 */
final class ContentStoryMails {

  /** An attachment. */
  static final byte[] ATTACHED = "MZ this is no program. ".repeat(40).getBytes(ISO_8859_1);

  private static final String URL = "https://sites.google.com/view/evil-login";

  private ContentStoryMails() {}

  /**
   * A mail.
   *
   * @param name what it hides
   * @param text octets, with CRLF
   * @param said what the reply says
   * @param source the feed; {@code operator} for the operator's list
   * @param entry what {@code explain} shows of the entry
   * @param line of the entry in the list; 0 for entries of the operator
   */
  record Mail(String name, String text, String said, String source, String entry, int line) {
    @Override
    public String toString() {
      return name;
    }
  }

  static String sha256(byte[] octets) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(octets));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static String base64(byte[] octets) {
    return Base64.getMimeEncoder(76, new byte[] {'\r', '\n'}).encodeToString(octets) + "\r\n";
  }

  private static String base64(String text) {
    return base64(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String mail(String type, String encoding, String body) {
    return "From: Alice <a@partner.example>\r\nTo: bob@example.com\r\nSubject: your account\r\n"
        + "MIME-Version: 1.0\r\nContent-Type: "
        + type
        + "; charset=utf-8\r\nContent-Transfer-Encoding: "
        + encoding
        + "\r\n\r\n"
        + body
        + "\r\n";
  }

  private static String html(String body) {
    return mail("text/html", "7bit", "<p>Hello</p>" + body);
  }

  private static Mail listed(String name, String text) {
    return new Mail(
        name,
        text,
        "URL [sites.google.com/view/evil-login] blocked using urls [",
        "urls",
        "sites.google.com/view/evil-login",
        2);
  }

  private static String multipart(String part) {
    return "From: a@partner.example\r\nSubject: your account\r\nMIME-Version: 1.0\r\n"
        + "Content-Type: multipart/mixed; boundary=\"=_b\"\r\n\r\n--=_b\r\n"
        + "Content-Type: text/plain\r\n\r\nsee below\r\n--=_b\r\n"
        + part
        + "\r\n--=_b--\r\n";
  }

  private static String link(String target) {
    return "<a href=\"" + target + "\">log in</a>";
  }

  /** Mails that carry what a list or an entry names. */
  static List<Mail> refused() {
    return List.of(
        listed("text", mail("text/plain", "7bit", "please see " + URL + " now")),
        listed(
            "soft line breaks",
            mail(
                "text/html",
                "quoted-printable",
                "<a href=3D\"https://sites.goo=\r\ngle.com/view/e=  \r\nvil-login\">log in</a>")),
        listed("base64", mail("text/html", "base64", base64(link(URL)))),
        new Mail(
            "URL with a query",
            html(link("http://bad.example.net:80/pay/./now.html?id=7#x")),
            "URL [bad.example.net/pay/now.html?id=7] blocked using urls [",
            "urls",
            "bad.example.net/pay/now.html?id=7",
            3),
        new Mail(
            "attachment",
            multipart(
                "Content-Type: application/octet-stream; name=invoice.exe\r\n"
                    + "Content-Transfer-Encoding: base64\r\n\r\n"
                    + base64(ATTACHED)),
            "blocked using hashes [",
            "hashes",
            sha256(ATTACHED),
            3),
        own(
            "subject",
            "From: a@partner.example\r\nSubject: =?utf-8?Q?Re:_YOU_have_won_2,500,000?="
                + " =?utf-8?B?IERvbGxhcnMh?=\r\n\r\nx\r\n",
            ""),
        own(
            "From",
            "From: \"The Boss\" <CEO@fake.example.org>\r\nSubject: your account\r\n\r\nx\r\n",
            "ceo@fake.example.org"),
        own(
            "domain of From",
            "From: Bank\r\n <any@mail.fraud.example.org>\r\nSubject: your account\r\n\r\nx\r\n",
            "fraud.example.org"));
  }

  private static Mail own(String name, String text, String entry) {
    return new Mail(name, text, "", "operator", entry, 0);
  }

  /** A mail that names the URL in a way that no mail program makes a link of: a report of it. */
  static String harmless() {
    return mail("text/plain", "7bit", "see hxxps://sites[.]google[.]com/view/evil-login");
  }

  /** Mails that hold a listed URL where nobody clicks it. */
  static List<Mail> tagged() {
    String plain = "sites.google.com/view/evil-login";
    return List.of(
        listed(
            "nested mail",
            multipart(
                "Content-Type: message/rfc822\r\n\r\n"
                    + "From: x@y.example\r\n"
                    + "Subject: quoted\r\n\r\n"
                    + "see "
                    + URL
                    + "\r\n")),
        listed("without a scheme", mail("text/plain", "7bit", "see " + plain + " now")));
  }
}
