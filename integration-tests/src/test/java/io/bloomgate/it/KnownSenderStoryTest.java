package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.senders.KnownSenders;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole gateway whose rule spares senders that it knew before it was started again. */
class KnownSenderStoryTest {

  private static final String CLIENT = "198.51.100.9";

  @TempDir private Path folder;

  @Test
  void aRuleSparesWhoIsKnownFromTheStartOn() throws IOException {
    Path state = Files.createDirectories(folder.resolve("state"));
    KnownSenders before = KnownSenders.open(state.resolve(KnownSenders.FILE_NAME), problem -> {});
    before.accepted(ip(CLIENT), "ann@partner.example", Instant.now());
    before.save();
    try (ScriptedUpstream upstream = ScriptedUpstream.start();
        GatewayFixture gateway = GatewayFixture.in(folder, upstream.port())) {
      gateway.with(
          "feeds",
          "{guard: {known_after: 0, breaker: none}, sources: {watch: {file: "
              + folder
              + "/grey.txt, format: ips, checks: [client_ip], allow_bogons: true}}}");
      gateway.with("rules", "{strangers: {any: 1, of: [watch], action: reject, unless: known}}");
      gateway.start();
      assertEquals("250 2.1.5 Ok", gateway.rcpt(CLIENT, "bob@partner.example"));
      assertEquals("250 2.1.5 Ok", gateway.rcpt("198.51.100.10", "ann@partner.example"));
      String refused = gateway.rcpt(CLIENT, "ann@stranger.example");
      assertTrue(refused.contains("blocked using watch ["), refused);
      String explained =
          Json.write(
              gateway
                  .control(
                      new ControlRequest.Explain(CLIENT, null, "ann@partner.example", null, null))
                  .items()
                  .getFirst());
      assertTrue(explained.contains("\"verdict\":\"accept\""), explained);
      assertTrue(explained.contains("(unless: known)"), explained);
    }
  }

  private static IpAddress ip(String text) {
    return IpAddress.parse(text).toOptional().orElseThrow();
  }
}
