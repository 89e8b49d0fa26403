package io.bloomgate.blocklists.content;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.bloomgate.blocklists.content.MimeExcess.What;
import io.bloomgate.config.settings.Check;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Mails made to cost much: twice the octets cost at most about twice the memory, the limits of
 * {@code limits.mime} are seen, and bounds hold. Work that grows with the square of a mail of 1 MiB
 * would take a quarter of an hour, so the time limit of a test finds it. With {@code -Dtests.long}
 * the mails are four times as long.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class BombTest {

  private static final int MIB = 1 << 20;

  /** Octets of the shorter mail; the other one has twice as many. */
  private static final int SHORT = Boolean.getBoolean("tests.long") ? 2 * MIB : MIB / 2;

  private static final String MIXED = "Content-Type: multipart/mixed; boundary=b\n\n";
  private static final String HTML = "Content-Type: text/html\n\n";
  private static final String QUOTED = "Content-Transfer-Encoding: quoted-printable\n\n";
  private static final String FLOWED = "Content-Type: text/plain; format=flowed; delsp=yes\n\n";
  private static final String SCRIPT = "Content-Type: text/html; name=a.html\n\n<script>";
  private static final MimeLimits NO_LIMITS =
      new MimeLimits(1_000_000, Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE);

  /** A shape: the mail of about this number of octets. */
  private record Bomb(String name, IntFunction<String> mail) {}

  private static Bomb of(String name, String before, String piece) {
    return new Bomb(name, size -> before + piece.repeat(size / piece.length()));
  }

  private static Bomb numbered(String name, String before, String piece) {
    return new Bomb(
        name,
        size -> {
          StringBuilder mail = new StringBuilder(before);
          for (int i = 0; mail.length() < size; i++) {
            mail.append(piece.replace("#", Integer.toString(i)));
          }
          return mail.toString();
        });
  }

  private static List<Bomb> bombs() {
    StringBuilder hundred = new StringBuilder();
    for (int i = 0; i < 100; i++) {
      hundred.append("Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n".formatted(i, i));
    }
    hundred.append('\n');
    return List.of(
        numbered("deep", "", "Content-Type: multipart/mixed; boundary=b#\n\n--b#\n"),
        of("deep with one boundary", "", MIXED + "--b\n"),
        of("boundaries that begin like others", hundred.toString(), "--b1234567\n"),
        of("hyphens", hundred.toString(), "-".repeat(900) + "\n"),
        of("two hyphens", hundred.toString(), "--\n"),
        of("parts", MIXED, "--b\n\n"),
        of("ends", MIXED, "--b--\n--b\n"),
        numbered("charsets", MIXED, "--b\nContent-Type: text/plain; charset=x-#\n\nx\n"),
        of("nested mails", "", "Content-Type: message/rfc822\n\n"),
        of("parameters", "Content-Type: a/b", "; x*0*=y"),
        of("fields of parameters", "", "Content-Type: a/b; boundary*1*=\"c\"; y=(d)\"e\" f g\n"),
        of(
            "values of many words",
            "",
            "Content-Type: a/b; charset=\"\\a\"" + " \"\" a".repeat(3_000) + "\n"),
        of("addresses", "To: ", "a@b.example,"),
        of("fields of addresses", "", "Cc: a@b.example\n"),
        of("words of addresses", "", "From: a@b " + "c ".repeat(8_000) + "\n"),
        of("comments", "", "From: " + "(".repeat(15_000) + "\n"),
        of("encoded words without an end", "", "Subject: " + "=?a?q?".repeat(2_700) + "\n"),
        of("encoded words", "", "Subject: " + "=?a?q?a?= ".repeat(1_600) + "\n"),
        of("one field", "Subject: ", "=?"),
        of("no colon", "", "x"),
        of("junk lines", "", "junk\n"),
        of("folded lines", "Subject: x\n", " \n"),
        of("one line", "\n", "a"),
        of("open tags", HTML, "<a href=\"http://a.example/ "),
        of("open comments", HTML, "<!--<!"),
        of("less-than signs", HTML, "<"),
        of("entities", HTML, "&amp&#1;&nosuch;&"),
        of("long numbers", HTML, "&#" + "9".repeat(200)),
        of("scripts", HTML + "<script>", "</scrip</"),
        of("attributes", HTML + "<a ", "href=x "),
        numbered("links", HTML, "<a href=http://h#.example/>"),
        of("refreshes", HTML, "<meta http-equiv=refresh content=\"0;url=//a.example\">"),
        of("an address of a style", HTML + "<style>url(", "url("),
        of("a long attribute", HTML + "<a href=\"", "&#104;"),
        of("bases", HTML, "<base href=\"http://a.example/\">"),
        of("schemes", "\n", "http://"),
        of("dots", "\n", "a.b."),
        of("brackets", "\n", "hxxp://a[.]b[.]"),
        of("flowed lines", FLOWED, "> a \n"),
        of("quote marks", FLOWED, ">"),
        of("strings of scripts", SCRIPT, "'//a.example/'"),
        of("escapes of scripts", SCRIPT, "'\\x2f"),
        of("equals signs", QUOTED, "="),
        of("blanks", QUOTED, " "),
        of("soft line breaks", QUOTED, "= \n"),
        of("padding", "Content-Transfer-Encoding: base64\n\n", "QQ=="));
  }

  @TestFactory
  Stream<DynamicTest> costGrowsWithTheOctets() {
    return bombs().stream().map(bomb -> DynamicTest.dynamicTest(bomb.name(), () -> grows(bomb)));
  }

  private static void grows(Bomb bomb) {
    ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long[] allocated = new long[2];
    for (int i = 0; i < allocated.length; i++) {
      byte[] mail = bomb.mail().apply((1 + i) * SHORT).getBytes(ISO_8859_1);
      for (MimeLimits limits : List.of(NO_LIMITS, MimeLimits.DEFAULTS)) {
        long before = thread.getCurrentThreadAllocatedBytes();
        MailScanner scanner = new MailScanner(limits, Check.OF_CONTENT, 7);
        for (int at = 0; at < mail.length; at += 8_192) {
          scanner.put(mail, at, Math.min(8_192, mail.length - at));
        }
        MailEvidence evidence = scanner.end();
        allocated[i] = Math.max(allocated[i], thread.getCurrentThreadAllocatedBytes() - before);
        assertTrue(
            evidence.keys().size()
                <= EvidenceKeys.MOST_HOSTS + EvidenceKeys.MOST_URLS + EvidenceKeys.MOST_OTHERS + 2);
      }
    }
    // what is made once is below 1 MiB
    assertTrue(
        allocated[1] < 2.5 * allocated[0] + MIB,
        () -> allocated[0] + " octets for a mail, " + allocated[1] + " for one twice as long");
    assertTrue(allocated[1] < 100L * 2 * SHORT, () -> allocated[1] + " octets for " + 2 * SHORT);
  }

  /**
   * What follows a long path is not looked at again with every character: 24 MiB of these would
   * take minutes.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "<style>url(#url(",
        "<style>'#url(",
        "<a href=\"#&#104;",
        "<a href=\"http://a.example/#x",
        "<meta content=\"#a;",
        "<a href=\"//a/@#@"
      })
  void longAddressesAreReadOnce(String shape) {
    String[] parts = shape.split("#", 2);
    byte[] before = Mails.octets(HTML + parts[0]);
    byte[] piece = parts[1].repeat(8_192 / parts[1].length()).getBytes(ISO_8859_1);
    MailScanner scanner = new MailScanner(MimeLimits.DEFAULTS, Check.OF_CONTENT, 7);
    scanner.put(before, 0, before.length);
    for (int i = 0; i < 24 * MIB / piece.length; i++) {
      scanner.put(piece, 0, piece.length);
    }
    assertTrue(scanner.end().keys().size() <= 2);
  }

  private static MailScanner scanned(String mail) {
    MailScanner scanner = new MailScanner(MimeLimits.DEFAULTS, Set.of(), 7);
    byte[] octets = Mails.octets(mail);
    scanner.put(octets, 0, octets.length);
    scanner.end();
    return scanner;
  }

  private static void passes(What what, String within, String beyond) {
    assertNull(scanned(within).excess(), () -> what + ": " + within.substring(0, 60));
    MimeExcess excess = scanned(beyond).excess();
    assertNotNull(excess, what::key);
    assertEquals(what, excess.what());
  }

  /** A mail inside a mail inside a multipart. */
  private static String nested(String mail) {
    return MIXED + "--b\nContent-Type: message/rfc822\n\n" + mail;
  }

  @Test
  void depth() {
    passes(
        What.DEPTH,
        "Content-Type: message/rfc822\n\n".repeat(100) + "\n",
        "Content-Type: message/rfc822\n\n".repeat(101) + "\n");
    passes(What.DEPTH, deep(100), deep(101));
    passes(What.DEPTH, nested(deep(98)), nested(deep(99)));
  }

  private static String deep(int multiparts) {
    StringBuilder mail = new StringBuilder();
    for (int i = 0; i < multiparts; i++) {
      mail.append("Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n".formatted(i, i));
    }
    return mail + "\nx";
  }

  @Test
  void parts() {
    passes(What.PARTS, MIXED + "--b\n\n".repeat(9_999), MIXED + "--b\n\n".repeat(10_000));
    passes(What.PARTS, MIXED + "--b\n".repeat(9_999), MIXED + "--b\n".repeat(10_000));
  }

  /** CVE-2026-27859: parameters after RFC 2231, in one field or several. */
  @Test
  void parameters() {
    String field = "Content-Disposition: attachment%s\n\n";
    passes(
        What.PARAMETERS,
        field.formatted("; filename*0*=a".repeat(100)),
        field.formatted("; filename*0*=a".repeat(101)));
    passes(
        What.PARAMETERS,
        "Content-Type: text/plain; a=\"%s\"\n\n".formatted(";".repeat(1_000)),
        "Content-Type: text/plain; a=\"%s\n\n".formatted(";".repeat(1_000)));
    passes(
        What.PARAMETERS,
        "Content-Type: a/b; c=d\n".repeat(100) + "\n",
        "Content-Type: a/b; c=d\n".repeat(101) + "\n");
    passes(
        What.PARAMETERS,
        nested(field.formatted(";\n x=y".repeat(100))),
        nested(field.formatted(";\n x=y".repeat(101))));
    String large = "Content-Type: a/b; x=" + "y".repeat(20_000);
    passes(What.PARAMETERS, large + ";".repeat(99) + "\n\n", large + ";".repeat(101) + "\n\n");
  }

  /** CVE-2024-23184: addresses in one field, or fields with one. */
  @Test
  void addressFields() {
    passes(
        What.ADDRESS_FIELDS,
        "To: a@b.example" + ",\n a@b.example".repeat(999) + "\n\n",
        "To: a@b.example" + ",\n a@b.example".repeat(1_000) + "\n\n");
    passes(
        What.ADDRESS_FIELDS,
        "To: \"Doe, John\" <a@b.example>" + ", \"Doe, John\" <a@b.example>".repeat(999) + "\n\n",
        "Cc: \"" + ",".repeat(1_000) + "\n\n");
    for (String name : List.of("From", "To", "CC", "bcc", "Reply-To", "Sender", "Resent-To")) {
      passes(
          What.ADDRESS_FIELDS,
          (name + ": a@b.example\n").repeat(1_000) + "\n",
          (name + ": a@b.example\n").repeat(1_001) + "\n");
      passes(
          What.ADDRESS_FIELDS,
          nested((name + ":\n").repeat(1_000) + "\n"),
          nested((name + ":\n").repeat(1_001) + "\n"));
    }
    assertNull(scanned(MIXED + ("--b\n" + "To: x\n".repeat(900) + "\n").repeat(5)).excess());
  }

  /** As soon as it is known, so that a session need not wait for the end. */
  @Test
  void excessIsKnownAtOnce() {
    MailScanner scanner = new MailScanner(MimeLimits.DEFAULTS, Set.of(), 7);
    byte[] octets = ("To: " + "a@b.example, ".repeat(1_001)).getBytes(ISO_8859_1);
    scanner.put(octets, 0, octets.length);
    assertNotNull(scanner.excess());
  }

  /** What is deep is not looked at, and that is said. */
  @Test
  void boundsAreSaid() {
    String link = "http://bad.example.com/";
    String mails = "Content-Type: message/rfc822\n\n".repeat(100);
    assertEquals(1, Mails.hosts(mails + "\n" + link).size());
    String deeper = mails + "Content-Type: message/rfc822\n\n\n" + link;
    assertEquals(List.of(), Mails.hosts(deeper));
    assertEquals(
        List.of("parts deeper than limits.mime.depth"),
        Mails.evidence(Mails.octets(deeper), Check.OF_CONTENT).notLookedAt());
  }

  /** Half of an address would be another one. */
  @Test
  void cutFieldsGiveWholeAddresses() {
    String field =
        "From: " + "x@one.example,\n ".repeat(15) + "(" + "c".repeat(HeaderReader.MOST_OCTETS);
    int room = HeaderReader.MOST_OCTETS - "From: \r\n ".length();
    for (int cut = 1; cut < 16; cut++) {
      String mail =
          "From: " + "y@two.example," + " ".repeat(room - 15 - cut) + "z@three.example,\n\n";
      List<String> keys = Mails.keys(mail);
      assertTrue(
          Set.of("three.example", "two.example").stream()
              .anyMatch(name -> keys.toString().contains(name)));
      assertTrue(
          keys.stream()
              .allMatch(key -> key.endsWith("two.example") || key.endsWith("three.example")),
          keys::toString);
    }
    assertEquals(2, Mails.keys(field).size());
  }
}
