package io.bloomgate.blocklists.content;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.bloomgate.config.name.Check;
import java.util.Base64;
import java.util.List;
import java.util.Set;

/** Mails of tests and what the reader says of them. */
final class Mails {

  private Mails() {}

  /** A text as octets of Latin-1, lines ended by CRLF. */
  static byte[] octets(String text) {
    return text.replace("\n", "\r\n").getBytes(ISO_8859_1);
  }

  static String base64(String text) {
    return Base64.getMimeEncoder(76, new byte[] {'\n'}).encodeToString(octets(text));
  }

  static MailReader reader(Set<Check> wanted) {
    return new MailReader(MimeLimits.DEFAULTS, wanted, 7, false, Thread.ofVirtual()::start);
  }

  /** The evidence of a mail that is put in at once. */
  static MailEvidence evidence(byte[] mail, Set<Check> wanted) {
    try (MailReader reader = reader(wanted)) {
      reader.put(mail, 0, mail.length);
      return reader.end();
    }
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
}
