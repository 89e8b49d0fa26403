package io.bloomgate.gateway;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A client that speaks SMTP line by line with a gateway under test. */
final class SmtpLines implements AutoCloseable {

  private static final int TIMEOUT_MILLIS = 20_000;

  private final Socket socket;
  private final BufferedReader in;

  /** Connects; the greeting is not read yet. */
  SmtpLines(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    in =
        new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
  }

  /** The last line of the next reply; {@code null} as text at the end of the stream. */
  String read() throws IOException {
    String line = String.valueOf(in.readLine());
    while (line.length() > 3 && line.charAt(3) == '-') {
      line = String.valueOf(in.readLine());
    }
    return line;
  }

  /** Says a line and reads the reply. */
  String say(String line) throws IOException {
    socket.getOutputStream().write((line + "\r\n").getBytes(StandardCharsets.US_ASCII));
    return read();
  }

  /** Greeting, EHLO, MAIL and RCPT; the reply to RCPT. */
  String rcpt(String helo, String from, String to) throws IOException {
    read();
    say("EHLO " + helo);
    say("MAIL FROM:<" + from + ">");
    return say("RCPT TO:<" + to + ">");
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
