package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Shapes of messages that bring down mail servers, and the whole gateway in front of one. */
class ShieldStoryTest extends Story {

  private static final String REFUSED =
      "554 5.6.0 The structure of the message is beyond a limit of this server: ";

  private static void assertRefused(String reply, String... shape) {
    assertTrue(reply.startsWith(REFUSED), reply + " " + List.of(shape));
  }

  /** Multiparts in multiparts. */
  private static String nested(int depth) {
    StringBuilder mail = new StringBuilder("MIME-Version: 1.0\r\n");
    for (int i = 0; i < depth; i++) {
      mail.append("Content-Type: multipart/mixed; boundary=b" + i + "\r\n\r\n--b" + i + "\r\n");
    }
    return mail.append("\r\ntext\r\n").toString();
  }

  private static String parts(int parts) {
    return "Content-Type: multipart/mixed; boundary=b\r\n\r\n" + "--b\r\n\r\nx\r\n".repeat(parts);
  }

  /** RFC 2231 continuations of one name. */
  private static String parameters(int parameters) {
    StringBuilder mail = new StringBuilder("Content-Type: text/plain");
    for (int i = 0; i < parameters; i++) {
      mail.append(";\r\n name*" + i + "*=x");
    }
    return mail.append("\r\n\r\ntext\r\n").toString();
  }

  private static String addresses(int addresses) {
    return "To: " + "a@b.example,\r\n ".repeat(addresses - 1) + "a@b.example\r\n\r\ntext\r\n";
  }

  private static String fields(int fields) {
    return "To: a@b\r\n".repeat(fields) + "\r\ntext\r\n";
  }

  /** By what they are known for. */
  private static Map<String, String> shapes() {
    Map<String, String> shapes = new LinkedHashMap<>();
    shapes.put("CVE-2024-23184, fields", fields(100_000));
    shapes.put("CVE-2024-23184, one field", addresses(60_000));
    shapes.put("CVE-2020-12100", nested(10_000));
    shapes.put(
        "CVE-2020-12100, messages",
        "Content-Type: message/rfc822\r\n\r\n".repeat(10_000) + "Subject: x\r\n\r\ntext\r\n");
    shapes.put("CVE-2026-27859", parameters(10_000));
    shapes.put(
        "CVE-2026-27859, in a part",
        "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n" + parameters(10_000));
    shapes.put("parts", parts(100_000));
    return shapes;
  }

  /** Without any list. */
  private GatewayFixture before() {
    return gateway.with("feeds", "{sources: {}}");
  }

  private String send(String message) throws IOException {
    try (SmtpClient client = ContentEqualityTest.greeted(gateway)) {
      return ContentEqualityTest.deliver(client, "a@partner.example", message);
    }
  }

  @Test
  void noneOfThemReachesTheMailServer() throws IOException {
    gateway = before().start();
    for (Map.Entry<String, String> shape : shapes().entrySet()) {
      assertRefused(send(shape.getValue()), shape.getKey());
    }
    assertEquals(0, upstream.deliveredCount());
    assertTrue(send("Subject: x\r\n\r\ntext\r\n").startsWith("250 "));
    assertEquals(1, upstream.deliveredCount());
    Conditions.await(
        "the log",
        () -> Files.readString(gateway.logFile()).contains("554 5.6.0 The structure of the"));
  }

  @Test
  void modeObserveRelaysThemOctetForOctet() throws IOException {
    gateway = before().with("mode", "observe").start();
    for (Map.Entry<String, String> shape : shapes().entrySet()) {
      String message = shape.getValue();
      assertTrue(send(message).startsWith("250 "), shape.getKey());
      String arrived = upstream.nextDelivery().content();
      assertEquals(message, arrived.substring(arrived.length() - message.length()), shape.getKey());
    }
  }

  /** The last that each limit lets pass, and the first that it does not. */
  @Test
  void theLimitsAreThoseOfTheSettings() throws IOException {
    gateway =
        before()
            .with("limits", "{mime: {depth: 3, parts: 5, parameters: 7, address_fields: 9}}")
            .start();
    assertTrue(send(nested(3)).startsWith("250 "));
    assertRefused(send(nested(4)));
    assertTrue(send(parts(4)).startsWith("250 "), "the whole is a part too");
    assertRefused(send(parts(6)));
    assertTrue(send(parameters(7)).startsWith("250 "));
    assertRefused(send(parameters(8)));
    assertTrue(send(addresses(9)).startsWith("250 "));
    assertRefused(send(addresses(10)));
    assertTrue(send(fields(9)).startsWith("250 "));
    assertRefused(send(fields(10)));
  }
}
