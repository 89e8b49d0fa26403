package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The section "HAProxy in front" of config/recipes.md, with a real HAProxy under Debian's defaults.
 */
class HaproxyRecipeTest {

  private static final String TITLE = "HAProxy in front";
  private static final Path HAPROXY = Path.of("/usr/sbin/haproxy");
  private static final Path DEBIAN = Path.of("/etc/haproxy/haproxy.cfg");
  private static final String CLIENT = "127.0.0.9";
  private static final String LISTED = "127.0.0.7";

  @TempDir Path folder;

  private final int front = FreePort.next();
  private final int behind = FreePort.next();

  @Test
  void recipeHolds() throws Exception {
    assumeTrue(Files.isExecutable(HAPROXY) && Files.exists(DEBIAN), "HAProxy is not installed");
    RecipePage page = RecipePage.load();
    try (ScriptedUpstream sink = RecipeProof.startSink();
        GatewayFixture gateway = gateway(page, sink)) {
      gateway.start();
      gateway.write("drop.txt", LISTED);
      gateway.control(new ControlRequest.FeedsRefresh(List.of(), true, false));
      Process haproxy = haproxy(page);
      try {
        holds(gateway, sink);
        // Each check of the gateway was answered: HAProxy would say DOWN otherwise.
        assertFalse(output().contains("DOWN"), this::output);
        assertTrue(haproxy.isAlive());
      } finally {
        haproxy.destroyForcibly().onExit().join();
      }
    }
  }

  private GatewayFixture gateway(RecipePage page, ScriptedUpstream sink) throws IOException {
    return page.into(
            GatewayFixture.in(Files.createDirectory(folder.resolve("gateway")), sink.port()),
            TITLE,
            "[::]:25",
            "127.0.0.1:" + behind,
            "10.0.0.1",
            "127.0.0.1")
        // Clients of this test are at loopback, which no list may name by default.
        .with("allow", "{never_block: []}");
  }

  private Process haproxy(RecipePage page) throws IOException {
    String debian = Files.readString(DEBIAN);
    String recipe =
        RecipePage.replaced(
            page.lines(TITLE, "/etc/haproxy/haproxy.cfg"),
            "bind :25",
            "bind 127.0.0.1:" + front,
            "10.0.0.2:25",
            "127.0.0.1:" + behind,
            "inter 10s",
            "inter 20ms");
    Path settings =
        Files.writeString(
            folder.resolve("haproxy.cfg"),
            "global\n  log stdout format raw daemon\n"
                + debian.substring(debian.indexOf("\ndefaults"))
                + recipe);
    Process haproxy =
        new ProcessBuilder(HAPROXY.toString(), "-db", "-f", settings.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("haproxy.out").toFile())
            .start();
    Conditions.await(
        "HAProxy listens", () -> !haproxy.isAlive() || UnpackedPackage.listens("127.0.0.1", front));
    assertTrue(haproxy.isAlive(), this::output);
    return haproxy;
  }

  private void holds(GatewayFixture gateway, ScriptedUpstream sink) throws IOException {
    try (SmtpClient client = RecipeProof.from(CLIENT, "127.0.0.1", front)) {
      RecipeProof.into(gateway, sink).mailPasses(client, CLIENT);
      client.command("MAIL FROM:<a@partner.example>");
      String relayed = client.command("RCPT TO:<x@foreign.example>");
      assertTrue(relayed.startsWith("554 5.7.1 "), relayed);
    }
    try (SmtpClient client = RecipeProof.from(LISTED, "127.0.0.1", front)) {
      String reply = client.rcpt("mail.partner.example", "a@partner.example", "bob@example.com");
      assertTrue(reply.startsWith("554 5.7.1 "), reply);
      assertTrue(reply.contains("[" + LISTED + "]"), reply);
    }
    assertEquals(1, sink.deliveredCount());
    // Who is not the proxy cannot name a client.
    try (SmtpClient client = RecipeProof.from("127.0.0.66", "127.0.0.1", behind)) {
      client.raw("PROXY TCP4 " + LISTED + " 127.0.0.1 40000 25\r\n");
      assertTrue(client.reply().startsWith("220 "));
      String reply = client.reply();
      assertTrue(reply.startsWith("5"), reply);
    }
  }

  private String output() {
    try {
      return Files.readString(folder.resolve("haproxy.out"));
    } catch (IOException e) {
      return e.toString();
    }
  }
}
