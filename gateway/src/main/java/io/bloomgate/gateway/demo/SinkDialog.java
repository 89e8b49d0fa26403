package io.bloomgate.gateway.demo;

import io.bloomgate.gateway.demo.MailSink.Delivered;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * One SMTP dialog of the demo's mail server (RFC 5321, and XCLIENT as Postfix describes it), just
 * enough for the one client that it has: the gateway. Runs on the connection's thread.
 */
final class SinkDialog {

  /** To this local part the server says 550. */
  static final String UNKNOWN_USER = "nobody";

  private static final int MAX_LINE_OCTETS = 4096;
  private static final String GREETING = "220 mail.company.example ESMTP";

  private final InputStream in;
  private final OutputStream out;
  private final Consumer<Delivered> inbox;
  private String client = "";
  private boolean hasRecipient;

  SinkDialog(Socket socket, Consumer<Delivered> inbox) throws IOException {
    this.in = new BufferedInputStream(socket.getInputStream());
    this.out = new BufferedOutputStream(socket.getOutputStream());
    this.inbox = inbox;
  }

  void run() throws IOException {
    say(GREETING);
    String line = readLine();
    while (!line.equalsIgnoreCase("QUIT")) {
      answer(line);
      line = readLine();
    }
    say("221 2.0.0 Bye");
  }

  private void answer(String line) throws IOException {
    String verb = line.split(" ", 2)[0].toUpperCase(Locale.ROOT);
    switch (verb) {
      case "EHLO" ->
          say(
              "250-mail.company.example",
              "250-PIPELINING",
              "250-SIZE 52428800",
              "250-8BITMIME",
              "250-SMTPUTF8",
              "250-ENHANCEDSTATUSCODES",
              "250 XCLIENT NAME ADDR PORT PROTO HELO");
      case "XCLIENT" -> {
        client = attribute(line, "ADDR");
        say(GREETING); // XCLIENT begins the session anew
      }
      case "RCPT" -> rcpt(path(line));
      case "DATA" -> data();
      case "RSET" -> {
        hasRecipient = false;
        say("250 2.0.0 Ok");
      }
      case "HELO", "MAIL", "NOOP" -> say("250 2.0.0 Ok");
      default -> say("502 5.5.1 Command not implemented");
    }
  }

  private void rcpt(String recipient) throws IOException {
    if (recipient.startsWith(UNKNOWN_USER + "@")) {
      say("550 5.1.1 <" + recipient + ">: Recipient address rejected: User unknown");
    } else {
      hasRecipient = true;
      say("250 2.1.5 Ok");
    }
  }

  private void data() throws IOException {
    if (!hasRecipient) {
      say("554 5.5.1 No valid recipients");
      return;
    }
    say("354 End data with <CR><LF>.<CR><LF>");
    inbox.accept(new Delivered(client, content()));
    hasRecipient = false;
    say("250 2.0.0 Ok: taken");
  }

  /** Lines up to the final dot, with the stuffed dots taken off (RFC 5321 section 4.5.2). */
  private byte[] content() throws IOException {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] line = readOctets(); !isDot(line); line = readOctets()) {
      int start = line.length > 0 && line[0] == '.' ? 1 : 0;
      content.write(line, start, line.length - start);
      content.write('\r');
      content.write('\n');
    }
    return content.toByteArray();
  }

  private static boolean isDot(byte[] line) {
    return line.length == 1 && line[0] == '.';
  }

  private String readLine() throws IOException {
    return new String(readOctets(), StandardCharsets.UTF_8);
  }

  private byte[] readOctets() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    int octet = in.read();
    while (octet != '\n') {
      if (octet < 0 || line.size() > MAX_LINE_OCTETS) {
        throw new EOFException("the client went away inside a line");
      }
      if (octet != '\r') {
        line.write(octet);
      }
      octet = in.read();
    }
    return line.toByteArray();
  }

  private void say(String... lines) throws IOException {
    out.write((String.join("\r\n", lines) + "\r\n").getBytes(StandardCharsets.US_ASCII));
    out.flush();
  }

  private static String path(String line) {
    int open = line.indexOf('<');
    int close = line.indexOf('>', open);
    return open < 0 || close < 0 ? "" : line.substring(open + 1, close);
  }

  /** IPv6 addresses carry a prefix there. */
  private static String attribute(String line, String name) {
    for (String word : line.split(" ", -1)) {
      if (word.startsWith(name + "=")) {
        return word.substring(name.length() + 1).replaceFirst("(?i)^IPV6:", "");
      }
    }
    return "";
  }
}
