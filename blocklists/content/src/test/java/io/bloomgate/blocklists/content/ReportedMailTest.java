package io.bloomgate.blocklists.content;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Mails in reports of people and of programs. */
class ReportedMailTest {

  private static final long SEED = Long.getLong("seed", new Random().nextLong());

  private static final String SPAM =
      """
      Received: from mailserver.example.net
           (mailserver.example.net [192.0.2.1])
           by example.com with ESMTP id M63d4137594e46;
           Thu, 08 Mar 2005 14:00:00 -0400
      From: <somespammer@example.net>
      To: <Undisclosed Recipients>
      Subject: Earn money
      MIME-Version: 1.0
      Content-type: text/plain
      Message-ID: 8787KJKJ3K4J3K4J3K4J3.mail@example.net
      Date: Thu, 02 Sep 2004 12:31:03 -0500

      Spam Spam Spam
      Spam Spam Spam
      Spam Spam Spam
      Spam Spam Spam
      """;

  /** RFC 5965 appendix B.1 and B.2, with the fields of each. */
  private static String report(String fields, String type, String mail) {
    return """
    From: <abusedesk@example.com>
    Date: Thu, 8 Mar 2005 17:40:36 EDT
    Subject: FW: Earn money
    To: <abuse@example.net>
    MIME-Version: 1.0
    Content-Type: multipart/report; report-type=feedback-report;
         boundary="part1_13d.2e68ed54_boundary"

    --part1_13d.2e68ed54_boundary
    Content-Type: text/plain; charset="US-ASCII"
    Content-Transfer-Encoding: 7bit

    This is an email abuse report for an email message received from IP
    192.0.2.1 on Thu, 8 Mar 2005 14:00:00 EDT.  For more information
    about this format please see http://www.mipassoc.org/arf/.

    --part1_13d.2e68ed54_boundary
    Content-Type: message/feedback-report

    %s
    --part1_13d.2e68ed54_boundary
    Content-Type: %s
    Content-Disposition: inline

    %s
    --part1_13d.2e68ed54_boundary--
    """
        .formatted(fields, type, mail)
        .replace("\n", "\r\n");
  }

  private static List<ReportedMail> in(String report) {
    return ReportedMail.in(report.getBytes(ISO_8859_1));
  }

  private static String text(ReportedMail mail) {
    return new String(mail.octets(), ISO_8859_1);
  }

  @Test
  void theSimplestReportHasAMail() {
    List<ReportedMail> mails =
        in(
            report(
                "Feedback-Type: abuse\nUser-Agent: SomeGenerator/1.0\nVersion: 1\n",
                "message/rfc822",
                SPAM));
    assertEquals(1, mails.size());
    assertTrue(text(mails.getFirst()).startsWith("Received: from mailserver.example.net\r\n"));
    assertTrue(text(mails.getFirst()).contains("\r\n\r\nSpam Spam Spam\r\n"));
    assertEquals(Optional.empty(), mails.getFirst().client());
    assertEquals(Optional.empty(), ReportedMail.id(mails.getFirst().octets()));
  }

  @Test
  void aFullReportNamesClientAndSender() {
    ReportedMail mail =
        in(report(
                """
                Feedback-Type: abuse
                User-Agent: SomeGenerator/1.0
                Version: 1
                Original-Mail-From: <somespammer@example.net>
                Original-Rcpt-To: <user@example.com>
                Arrival-Date: Thu, 8 Mar 2005 14:00:00 EDT
                Reporting-MTA: dns; mail.example.com
                Source-IP: 192.0.2.1
                Authentication-Results: mail.example.com;
                               spf=fail smtp.mail=somespammer@example.com
                Reported-Domain: example.net
                Reported-Uri: http://example.net/earn_money.html
                Reported-Uri: mailto:user@example.com
                Removal-Recipient: user@example.com
                """,
                "text/rfc822-headers",
                SPAM.substring(0, SPAM.indexOf("\n\n") + 1)))
            .getFirst();
    assertEquals("192.0.2.1", mail.client().orElseThrow().toString());
    assertEquals("somespammer@example.net", mail.sender().orElseThrow().toString());
    assertTrue(text(mail).contains("Subject: Earn money"));
  }

  /** Mail programs attach a mail as such, as a file, or as a file in another encoding. */
  @Test
  void mailsOfPeopleAreRead() {
    String parts =
        """
        From: alice@example.com
        MIME-Version: 1.0
        Content-Type: multipart/mixed; boundary=b

        --b
        Content-Type: text/plain

        these two
        --b
        Content-Type: message/rfc822

        %s
        --b
        Content-Type: application/octet-stream; name="Earn money.eml"
        Content-Transfer-Encoding: base64

        %s
        --b
        Content-Type: application/pdf; name="not this.pdf"

        %%PDF
        --b--
        """
            .formatted(SPAM, Base64.getMimeEncoder().encodeToString(SPAM.getBytes(ISO_8859_1)));
    List<ReportedMail> mails = in(parts);
    assertEquals(2, mails.size());
    mails.forEach(mail -> assertTrue(text(mail).contains("Subject: Earn money"), text(mail)));
  }

  @Test
  void aMailWithoutAnAttachedOneReportsNothing() {
    assertEquals(List.of(), in(SPAM));
    assertEquals(List.of(), in("Content-Type: message/rfc822\n\n" + SPAM));
    assertEquals(List.of(), in(""));
  }

  @Test
  void theIdIsOfTheTopmostFieldOfAGateway() {
    String received =
        """
        Received: from mx.example.com (localhost [127.0.0.1])
        	by mail.example.com (Postfix) with ESMTP id 4ABCD;
        Received: from spam.example (unknown [203.0.113.9])
         by mx.example.com (bloomgate) with ESMTPS id 7K3Q9ZT2AB
         for <bob@example.com>; Sat, 21 Nov 2026 07:30:00 +0000
        Received: from x (unknown [192.0.2.1]) by mx.example.com (bloomgate) with ESMTP id 0000000000;
        """;
    for (String end : List.of("\n", "\r\n")) {
      byte[] mail = (received + "Subject: x\n\nbody\n").replace("\n", end).getBytes(ISO_8859_1);
      assertEquals(Optional.of("7K3Q9ZT2AB"), ReportedMail.id(mail));
    }
    assertEquals(
        Optional.empty(), ReportedMail.id(("Subject: x\n\n" + received).getBytes(ISO_8859_1)));
  }

  /** Any octets: a report is cut, or nests without end. */
  @Test
  void brokenReportsAreRead() {
    Random random = new Random(SEED);
    String whole = report("Feedback-Type: abuse", "message/rfc822", SPAM);
    for (int i = 0; i < 2_000; i++) {
      byte[] octets = whole.substring(0, random.nextInt(whole.length())).getBytes(ISO_8859_1);
      for (int flips = random.nextInt(20); flips > 0 && octets.length > 0; flips--) {
        octets[random.nextInt(octets.length)] = (byte) random.nextInt();
      }
      assertTrue(ReportedMail.in(octets).size() <= ReportedMail.MOST, () -> "seed " + SEED);
    }
    StringBuilder deep = new StringBuilder();
    for (int i = 0; i < 500; i++) {
      deep.append("Content-Type: multipart/mixed; boundary=b%d.\n\n--b%d.\n".formatted(i, i));
    }
    assertEquals(List.of(), in(deep + "Content-Type: message/rfc822\n\n" + SPAM));
    String many = "--b\nContent-Type: message/rfc822\n\nSubject: x\n\n".repeat(500);
    assertEquals(
        ReportedMail.MOST, in("Content-Type: multipart/mixed; boundary=b\n\n" + many).size());
    String folds = "Received: (bloomgate" + ")\n (".repeat(30_000);
    assertEquals(Optional.empty(), ReportedMail.id(folds.getBytes(ISO_8859_1)));
  }
}
