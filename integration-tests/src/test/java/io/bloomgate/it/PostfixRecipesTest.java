package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The sections of config/recipes.md that need a Postfix: on the same machine, on another one, and
 * with rspamd behind.
 */
class PostfixRecipesTest {

  private static final String SAME = "Postfix on the same machine";
  private static final String OTHER = "Postfix on another machine";
  private static final String RSPAMD = "rspamd behind";

  @TempDir Path folder;

  private final int port = FreePort.next();

  /** As it is in use: it trusts loopback, relays for it, and sends all mail on. */
  private static String usual(ScriptedUpstream sink) {
    return """
    mynetworks = 127.0.0.0/8
    smtpd_relay_restrictions = permit_mynetworks, reject_unauth_destination
    relay_transport = smtp:[127.0.0.1]:%d
    default_transport = smtp:[127.0.0.1]:%d
    """
        .formatted(sink.port(), sink.port());
  }

  private PostfixServer postfix(String main, String listener) throws Exception {
    return PostfixServer.start(folder, main, listener + "smtp unix - - n - - smtp\n");
  }

  private GatewayFixture gateway(RecipePage page, String title, String... places)
      throws IOException {
    return page.into(
            GatewayFixture.in(Files.createDirectory(folder.resolve("gateway")), 1), title, places)
        .with("domains", "[example.com, foreign.example]");
  }

  @Test
  void postfixOnTheSameMachine() throws Exception {
    RecipePage page = RecipePage.load();
    try (ScriptedUpstream sink = RecipeProof.startSink();
        PostfixServer postfix =
            postfix(
                usual(sink) + page.lines(SAME, "/etc/postfix/main.cf"),
                RecipePage.replaced(
                    page.lines(SAME, "/etc/postfix/master.cf"), "10025", String.valueOf(port)));
        GatewayFixture gateway = gateway(page, SAME, "10025", String.valueOf(port)).start()) {
      RecipeProof.into(gateway, sink).holds();
      Conditions.await(
          "Postfix's log has the sender's address",
          () -> Files.readString(postfix.log()).contains("client=unknown[192.0.2.10]"));
    }
  }

  @Test
  void postfixOnAnotherMachine() throws Exception {
    RecipePage page = RecipePage.load();
    try (ScriptedUpstream sink = RecipeProof.startSink();
        PostfixServer _ =
            postfix(usual(sink) + page.lines(OTHER, "/etc/postfix/main.cf"), remote());
        GatewayFixture gateway = remoteGateway(page, OTHER).start()) {
      RecipeProof.into(gateway, sink).holds();
      // A stranger is not taken for the gateway, and is none whom Postfix trusts.
      try (SmtpClient stranger = RecipeProof.from("127.0.0.66", "127.0.0.5", port)) {
        stranger.lines();
        assertTrue(!stranger.ask("EHLO far.example").contains("XCLIENT"));
        String asGateway = stranger.ask("XCLIENT ADDR=192.0.2.99");
        assertTrue(asGateway.startsWith("550 5.7.0 "), asGateway);
        stranger.command("MAIL FROM:<a@partner.example>");
        String relayed = stranger.command("RCPT TO:<x@foreign.example>");
        assertTrue(relayed.startsWith("554 5.7.1 "), relayed);
      }
    }
  }

  private String remote() throws IOException {
    return RecipePage.replaced(
        RecipePage.load().lines(OTHER, "/etc/postfix/master.cf"),
        "10.0.0.5:10025",
        "127.0.0.5:" + port,
        "10.0.0.2",
        "127.0.0.1");
  }

  private GatewayFixture remoteGateway(RecipePage page, String title) throws IOException {
    return gateway(page, title, "10.0.0.5", "127.0.0.5", "10025", port + "\n  reverse_names: off");
  }

  @Test
  void rspamdBehindPostfix() throws Exception {
    RecipePage page = RecipePage.load();
    int milter = FreePort.next();
    Map<String, String> local =
        Map.of(
            "worker-proxy.inc",
            RecipePage.replaced(
                page.lines(RSPAMD, "/etc/rspamd/local.d/worker-proxy.inc"),
                "11332",
                String.valueOf(milter)),
            "multimap.conf",
            page.lines(RSPAMD, "/etc/rspamd/local.d/multimap.conf"));
    String main =
        RecipePage.replaced(
            page.lines(RSPAMD, "/etc/postfix/main.cf"), "11332", String.valueOf(milter));
    try (ScriptedUpstream sink = RecipeProof.startSink();
        RspamdServer rspamd = RspamdServer.startOrSkip(folder.resolve("rspamd"), local, milter);
        PostfixServer _ =
            postfix(usual(sink) + page.lines(OTHER, "/etc/postfix/main.cf") + main, remote());
        GatewayFixture gateway = remoteGateway(page, OTHER).start()) {
      RecipeProof.into(gateway, sink).holds();
      for (String address : RecipeProof.CLIENTS) {
        Conditions.await(
            "rspamd sees the sender's address",
            () -> rspamd.scans().stream().anyMatch(line -> line.contains("ip: " + address)));
      }
      assertTrue(rspamd.scans().stream().noneMatch(line -> line.contains("TAGGED")));
      // bulk.txt asks for a tag; the gateway's field is what rspamd counts, not the sender's.
      mail(gateway, "a@newsletter.example");
      mail(gateway, "a@partner.example");
      Conditions.await("rspamd has seen all", () -> rspamd.scans().size() >= 4);
      List<String> tagged =
          rspamd.scans().stream().filter(line -> line.contains("BLOOMGATE_TAGGED(5.00)")).toList();
      assertTrue(
          tagged.size() == 1 && tagged.getFirst().contains("from: <a@newsletter.example>"),
          tagged::toString);
    }
  }

  private static void mail(GatewayFixture gateway, String from) throws IOException {
    try (SmtpClient client = SmtpClient.proxied(gateway.port("mx"), "192.0.2.10")) {
      client.lines();
      client.command("EHLO mail.partner.example");
      String reply =
          ContentEqualityTest.deliver(
              client, from, "X-Bloomgate: verdict=tag; kind=x\r\n" + RecipeProof.CONTENT);
      assertTrue(reply.startsWith("250 "), reply);
    }
  }
}
