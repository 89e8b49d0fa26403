package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.config.control.ControlReply;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code explain} of a mail that carries more than is sent to a gateway. */
class ExplainMailTest {

  @TempDir Path folder;

  private String mail(String text) throws Exception {
    Path file = folder.resolve("mail.eml");
    Files.writeString(file, text, StandardCharsets.ISO_8859_1);
    return file.toString();
  }

  private static JsonObject json(Shell.Result result) throws Exception {
    assertEquals(1, result.out().lines().count(), result.out() + result.err());
    return (JsonObject) Json.parse(result.out());
  }

  /** In a request each quotation mark of a URL takes two octets. */
  static List<String> mailsWithTooMuch() {
    StringBuilder quoted = new StringBuilder("Content-Type: text/html\r\n\r\n");
    for (int i = 0; i < 400; i++) {
      quoted.append("<a href='http://h.example/?" + i + "\"".repeat(1_800) + "'>x</a>\r\n");
    }
    StringBuilder many = new StringBuilder("Subject: x\r\n\r\n");
    for (int i = 0; i < 900; i++) {
      many.append("http://h" + i % 100 + ".example/" + i + "x".repeat(3_000) + "\r\n");
    }
    return List.of(quoted.toString(), many.toString());
  }

  @ParameterizedTest(name = "{index}")
  @MethodSource("mailsWithTooMuch")
  void moreThanIsSentOrKeptOfOneMailIsNamed(String text) throws Exception {
    Path socket = folder.resolve("s");
    JsonObject said = JsonValue.object().put("verdict", "accept").build();
    try (FakeGateway gateway =
        FakeGateway.answering(socket, new ControlReply.Item(said), new ControlReply.Done(0))) {
      JsonObject answer =
          json(Shell.run("-o", "json", "--socket", socket.toString(), "explain", mail(text)));
      int sent = ((ControlRequest.ExplainMail) gateway.asked().getFirst()).keys().size();
      assertEquals(sent, answer.elements("keys").size());
      Shell.assertHas(answer.elements("not_looked_at").toString(), "keys behind the first ");
    }
  }
}
