package io.bloomgate.gateway.message;

import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.InternetAddress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;

/**
 * Composes well-formed messages, for the demo and for tests that send mail. Pure; not on the path
 * of relayed mail.
 */
public final class SampleMessage {

  private SampleMessage() {}

  /**
   * A plain text message, every line ended by CRLF.
   *
   * @param from shown sender, an address
   * @param to shown recipient, an address
   * @param messageId without angle brackets
   * @throws IllegalArgumentException when an address is none
   */
  public static byte[] compose(
      String from, String to, String subject, String text, String messageId, Instant date) {
    try {
      NamedMessage message = new NamedMessage(messageId);
      message.setFrom(new InternetAddress(from));
      message.setRecipient(Message.RecipientType.TO, new InternetAddress(to));
      message.setSubject(subject, StandardCharsets.UTF_8.name());
      message.setSentDate(Date.from(date));
      message.setText(text.replace("\n", "\r\n"), StandardCharsets.UTF_8.name());
      return message.octets();
    } catch (MessagingException | IOException e) {
      throw new IllegalArgumentException("not a message: " + e.getMessage(), e);
    }
  }
}
