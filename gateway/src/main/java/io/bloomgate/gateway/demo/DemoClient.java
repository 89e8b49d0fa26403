package io.bloomgate.gateway.demo;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.relay.SimpleClient;
import io.bloomgate.gateway.wire.ProxyHeader;
import java.io.IOException;
import java.net.InetAddress;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Sends one mail as a client with another address would: the address is in a PROXY header of
 * version 2, then plain SMTP follows. Used by {@link Demo} on its thread.
 */
final class DemoClient {

  private static final int CLIENT_PORT = 40_025;

  /** The place of the text in a line of a reply. */
  private static final int TEXT = 4;

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
    try (SimpleClient client = new SimpleClient(port, proxied(mail).v2())) {
      Result last = result("connect", client.read(), began);
      if (last.accepted()) {
        last = result("helo", client.ask("EHLO " + mail.helo()), began);
      }
      if (last.accepted()) {
        String utf8 = mail.from().chars().allMatch(c -> c < 0x80) ? "" : " SMTPUTF8";
        last = result("mail", client.ask("MAIL FROM:<" + mail.from() + ">" + utf8), began);
      }
      if (last.accepted()) {
        last = result("rcpt", client.ask("RCPT TO:<" + mail.to() + ">"), began);
      }
      if (last.accepted()) {
        last = result("data", client.ask("DATA"), began);
      }
      if (last.accepted()) {
        client.write(message); // no line of it begins with a dot
        last = result("data", client.ask("."), began);
      }
      return last;
    }
  }

  private Result result(String stage, String reply, long began) {
    String text =
        reply
            .lines()
            .map(line -> line.length() > TEXT ? line.substring(TEXT) : "")
            .collect(Collectors.joining(" "));
    int code = Integer.parseInt(reply.substring(0, TEXT - 1));
    return new Result(stage, code, text, (nanoTime.getAsLong() - began) / 1e6);
  }

  private ProxyHeader proxied(DemoMail mail) {
    return new ProxyHeader.Proxied(
        IpAddress.parse(mail.client()).toOptional().orElseThrow(),
        CLIENT_PORT,
        IpAddress.of(InetAddress.getLoopbackAddress()),
        port);
  }
}
