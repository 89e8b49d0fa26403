package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.gateway.testkit.Addition;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients of {@code policy.exempt_networks} pass although a list names them; who looks for the
 * reason finds the setting, in the log, by {@code explain} and by {@code block add}.
 */
class ExemptNetworkStoryTest {

  private static final String LISTED = "203.0.113.7";
  private static final String NOTE =
      "the client is exempt: 203.0.113.0/28 is in policy.exempt_networks, so nothing refuses its"
          + " mail";

  @TempDir Path folder;

  @Test
  void theExemptionIsNamedWhereverSomebodyLooksForIt() throws IOException {
    try (ScriptedUpstream upstream = ScriptedUpstream.start();
        GatewayFixture gateway =
            GatewayFixture.in(folder, upstream.port())
                .with("policy", "{exempt_networks: [203.0.113.0/28]}")
                .with("allow", "{never_block: [loopback, downstream]}")
                .start()) {
      SmtpClient.expect("250", gateway.send(LISTED, "a@b.example", "Subject: m\r\n\r\nbody\r\n"));
      Conditions.await(
          "the log names the list and the exemption",
          () -> Files.readString(gateway.logFile()).contains(" listed=drop exempt=network"));

      JsonObject listed = gateway.explain(LISTED);
      assertEquals("accept", listed.text("verdict").orElse(""));
      JsonObject listing = (JsonObject) listed.elements("listings").getFirst();
      assertEquals("drop", listing.text("feed").orElse(""));
      assertEquals(
          "the client is exempt (policy.exempt_networks)", listing.text("pardon").orElse(""));
      assertTrue(listed.elements("notes").toString().contains(NOTE), listed.toString());
      JsonObject notListed = gateway.explain("203.0.113.9");
      assertTrue(notListed.elements("notes").toString().contains(NOTE), notListed.toString());

      JsonObject shown = gateway.control(new ControlRequest.FeedsShow("drop")).only();
      assertTrue(
          shown
              .elements("reasons")
              .toString()
              .contains("live, but not for a protected host inside"),
          shown.toString());

      String refused = block(gateway, LISTED);
      assertTrue(
          refused.contains(
              LISTED
                  + " is in 203.0.113.0/28 of policy.exempt_networks, and nothing refuses its"
                  + " mail"),
          refused);
    }
  }

  private static String block(GatewayFixture gateway, String subject) {
    ControlRequest add = Addition.block(subject).reason("a test").request();
    return String.valueOf(
        assertThrows(UncheckedIOException.class, () -> gateway.control(add)).getCause());
  }
}
