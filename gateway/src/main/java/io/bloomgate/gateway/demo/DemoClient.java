package io.bloomgate.gateway.demo;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.wire.ProxyHeader;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.function.LongSupplier;

/**
 * Sends one mail as a client with another address would: the address is in a PROXY header of
 * version 2, then plain SMTP follows. Used by {@link Demo} on its thread.
 */
final class DemoClient {

  private static final int TIMEOUT_MILLIS = 10_000;
  private static final int CLIENT_PORT = 40_025;

  private final int port;
  private final LongSupplier nanoTime;

  DemoClient(int port, LongSupplier nanoTime) {
    this.port = port;
    this.nanoTime = nanoTime;
  }

  /**
   * The last reply of a mail, and its stage.
   *
   * @param stage of the last reply: connect, helo, mail, rcpt or data
   * @param reply the last reply, its lines joined by spaces
   */
  record Result(String stage, int code, String reply, double millis) {
    boolean accepted() {
      return code < 400;
    }
  }

  /** Sends a mail; what is refused at a stage ends there. */
  Result send(DemoMail mail, byte[] message) throws IOException {
    long began = nanoTime.getAsLong();
    try (Socket socket = new Socket()) {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
      Dialog dialog = new Dialog(socket, began);
      dialog.write(proxied(mail).v2());
      return dialog.run(mail, message);
    }
  }

  private ProxyHeader proxied(DemoMail mail) {
    return new ProxyHeader.Proxied(
        IpAddress.parse(mail.client()).toOptional().orElseThrow(),
        CLIENT_PORT,
        IpAddress.of(InetAddress.getLoopbackAddress()),
        port);
  }

  private final class Dialog {
    private final BufferedReader in;
    private final OutputStream out;
    private final long began;

    Dialog(Socket socket, long began) throws IOException {
      this.in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      this.out = socket.getOutputStream();
      this.began = began;
    }

    Result run(DemoMail mail, byte[] message) throws IOException {
      Result last = read("connect");
      if (last.accepted()) {
        last = ask("helo", "EHLO " + mail.helo());
      }
      if (last.accepted()) {
        String utf8 = isAscii(mail.from()) ? "" : " SMTPUTF8";
        last = ask("mail", "MAIL FROM:<" + mail.from() + ">" + utf8);
      }
      if (last.accepted()) {
        last = ask("rcpt", "RCPT TO:<" + mail.to() + ">");
      }
      if (last.accepted()) {
        last = ask("data", "DATA");
      }
      if (last.accepted()) {
        write(message); // no line of it begins with a dot
        last = ask("data", ".");
      }
      ask("quit", "QUIT");
      return last;
    }

    private Result ask(String stage, String line) throws IOException {
      write((line + "\r\n").getBytes(StandardCharsets.UTF_8));
      return read(stage);
    }

    private Result read(String stage) throws IOException {
      StringBuilder text = new StringBuilder();
      String line = readLine();
      while (line.length() > 3 && line.charAt(3) == '-') {
        text.append(line.substring(4)).append(' ');
        line = readLine();
      }
      text.append(line.length() > 4 ? line.substring(4) : "");
      int code = Integer.parseInt(line.substring(0, 3));
      return new Result(stage, code, text.toString(), (nanoTime.getAsLong() - began) / 1e6);
    }

    private String readLine() throws IOException {
      String line = in.readLine();
      if (line == null || line.length() < 3) {
        throw new EOFException("the gateway closed the connection");
      }
      return line;
    }

    private void write(byte[] octets) throws IOException {
      out.write(octets);
      out.flush();
    }
  }

  private static boolean isAscii(String text) {
    return text.chars().allMatch(c -> c < 0x80);
  }
}
