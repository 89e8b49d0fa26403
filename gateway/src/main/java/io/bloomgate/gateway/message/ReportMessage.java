package io.bloomgate.gateway.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeBodyPart;
import jakarta.mail.internet.MimeMultipart;
import jakarta.mail.internet.MimePart;
import java.io.IOException;
import java.time.Instant;
import java.util.Date;

/**
 * Composes the mails of the gateway itself: the daily report is the same as text and as HTML, of
 * which a mail program shows one (RFC 2046 section 5.1.4); alarms are text. Pure; used by {@code
 * gateway.report} and {@code gateway.alarm}.
 */
public final class ReportMessage {

  private ReportMessage() {}

  /**
   * The header fields of the mail.
   *
   * @param from an address, printable ASCII
   * @param to an address, printable ASCII
   * @param id of the message, without angle brackets
   */
  public record Head(String from, String to, String subject, String id, Instant date) {}

  /**
   * A message of 7-bit lines, so that every mail server takes it.
   *
   * @throws IllegalArgumentException when an address is none
   */
  public static byte[] compose(Head head, String text, String html) {
    try {
      NamedMessage message = begun(head);
      message.setContent(new MimeMultipart("alternative", part(text, "plain"), part(html, "html")));
      return message.octets();
    } catch (MessagingException | IOException e) {
      throw new IllegalArgumentException("not a message: " + e.getMessage(), e);
    }
  }

  /** The same of text alone. */
  public static byte[] compose(Head head, String text) {
    try {
      NamedMessage message = begun(head);
      fill(message, text, "plain");
      return message.octets();
    } catch (MessagingException | IOException e) {
      throw new IllegalArgumentException("not a message: " + e.getMessage(), e);
    }
  }

  private static NamedMessage begun(Head head) throws MessagingException, IOException {
    NamedMessage message = new NamedMessage(head.id());
    message.setFrom(new InternetAddress(head.from(), "Bloomgate", UTF_8.name()));
    message.setRecipient(Message.RecipientType.TO, new InternetAddress(head.to()));
    message.setSubject(head.subject(), UTF_8.name());
    message.setSentDate(Date.from(head.date()));
    // No vacation program answers it (RFC 3834 section 5).
    message.setHeader("Auto-Submitted", "auto-generated");
    return message;
  }

  private static MimeBodyPart part(String content, String subtype) throws MessagingException {
    MimeBodyPart part = new MimeBodyPart();
    fill(part, content, subtype);
    return part;
  }

  private static void fill(MimePart part, String content, String subtype)
      throws MessagingException {
    part.setText(content.replace("\n", "\r\n"), UTF_8.name(), subtype);
    part.setHeader("Content-Transfer-Encoding", "quoted-printable");
  }
}
