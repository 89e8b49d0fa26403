package io.bloomgate.gateway.message;

import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.MimeMessage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Properties;

/**
 * A message of our own with an id that was handed in: the library would make one of clock, counter
 * and host name. One thread.
 */
final class NamedMessage extends MimeMessage {

  private final String id;

  /**
   * An empty message.
   *
   * @param id without angle brackets
   */
  NamedMessage(String id) {
    super(Session.getInstance(new Properties()));
    this.id = id;
  }

  @Override
  protected void updateMessageID() throws MessagingException {
    setHeader("Message-ID", "<" + id + ">");
  }

  /** All of it, every line ended by CRLF. */
  byte[] octets() throws MessagingException, IOException {
    saveChanges();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    writeTo(out);
    out.writeBytes(new byte[] {'\r', '\n'});
    return out.toByteArray();
  }
}
