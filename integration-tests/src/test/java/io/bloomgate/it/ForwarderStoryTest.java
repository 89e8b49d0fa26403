package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.gateway.testkit.Addition;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Mail of a trusted forwarder in log, explain and entries: all name the client behind it. */
class ForwarderStoryTest {

  private static final String FORWARDER = "192.0.2.25";
  private static final String LISTED = "203.0.113.7";
  private static final Pattern ID = Pattern.compile(" id=([0-9A-Z]{10})");

  @TempDir Path folder;

  @Test
  void theClientBehindIsNamedEverywhere() throws IOException {
    try (ScriptedUpstream upstream = ScriptedUpstream.start();
        GatewayFixture gateway =
            GatewayFixture.in(folder, upstream.port())
                .with("policy", "{forwarders: [192.0.2.0/24]}")
                .start()) {
      String content =
          "Received: from x (unknown ["
              + LISTED
              + "]) by in.forwarder.example; now\r\nSubject: m\r\n\r\nbody\r\n";
      SmtpClient.expect("250", gateway.send(FORWARDER, "a@b.example", content));
      Conditions.await(
          "the log names the client behind the forwarder",
          () -> Files.readString(gateway.logFile()).contains(" forwarded_for=" + LISTED));
      String line =
          Files.readString(gateway.logFile())
              .lines()
              .filter(each -> each.contains("forwarded_for="))
              .findFirst()
              .get();
      assertTrue(line.contains("client_ip=" + FORWARDER) || line.contains(FORWARDER), line);
      assertTrue(line.contains("feed=drop") || line.contains("drop"), line);

      Matcher id = ID.matcher(line);
      assertTrue(id.find(), line);
      JsonObject explained = gateway.explain(id.group(1));
      assertEquals("tag", explained.text("verdict").orElse(""), explained.toString());
      assertEquals("tag", explained.text("now_verdict").orElse(""), explained.toString());
      assertEquals(LISTED, explained.text("subject").orElse(""), explained.toString());

      JsonObject about = gateway.explain(FORWARDER);
      assertTrue(
          about.elements("notes").toString().contains("192.0.2.0/24 is in policy.forwarders"),
          about.toString());

      gateway.control(Addition.allow().incident(id.group(1)).reason("a test").request());
      assertEquals("accept", gateway.explain(id.group(1)).text("now_verdict").orElse(""));
      assertEquals("accept", gateway.explain(LISTED).text("verdict").orElse(""));
    }
  }
}
