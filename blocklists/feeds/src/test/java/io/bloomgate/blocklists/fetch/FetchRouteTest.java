package io.bloomgate.blocklists.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which servers a fetch ends at: redirects, certificates, proxies. */
class FetchRouteTest extends FetchCase {

  @Test
  void theAddressThatWasCheckedIsTheOneThatIsAsked() throws IOException {
    world.name("rebind.example", "203.0.113.7", "127.0.0.1");
    other.serve("/list", "192.0.2.1\n");
    server.status(
        "/list", 302, Map.of("Location", other.uri("rebind.example", "/list").toString()));
    text(stage.fetch(Validators.NONE, url(server.uri("/list")), "insecure: true"));
    assertEquals(List.of("127.0.0.1", "203.0.113.7"), world.connections());
    assertEquals(1, world.lookups().stream().filter("rebind.example"::equals).count());
    FetchResult.Failed second = failed(stage.fetch(Validators.NONE, url(server.uri("/list"))));
    assertTrue(second.message().contains("private address"), second.message());
    assertEquals(1, other.requests().size());
  }

  @Test
  void namesThatLeadInsideAreRefusedUnlessAllowed() throws IOException {
    other.serve("/list", "192.0.2.1\n");
    int port = other.uri("/").getPort();
    for (String inside :
        List.of("127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "127.1", "2130706433")) {
      server.status("/list", 302, Map.of("Location", "http://" + inside + ":" + port + "/list"));
      FetchResult.Failed refused = failed(stage.fetch(Validators.NONE, url(server.uri("/list"))));
      assertTrue(
          refused.message().contains("private address")
              || refused.message().contains("not a web address"),
          refused.message());
    }
    assertEquals(List.of(), other.requests());
    server.status("/list", 302, Map.of("Location", other.uri("/list").toString()));
    assertEquals(
        "192.0.2.1\n",
        text(
            stage.fetch(
                Validators.NONE, url(server.uri("/list")), "allow_private_redirects: true")));
    server.status("/list", 302, Map.of("Location", "http://nobody.example/list"));
    assertTrue(
        failed(stage.fetch(Validators.NONE, url(server.uri("/list"))))
            .message()
            .contains("name without address"));
  }

  @Test
  void certificatesAreCheckedForTheNameWhateverTheAddress() throws Exception {
    ThrowawayCertificate certificate = new ThrowawayCertificate(folder, "world.example");
    world.trusting(certificate.trusting());
    try (FakeFeedServer secure = new FakeFeedServer(certificate.server());
        FetchStage trusting = new FetchStage(world, Files.createDirectory(folder.resolve("t")))) {
      secure.serve("/list", "192.0.2.1\n");
      assertEquals(
          "192.0.2.1\n",
          text(trusting.fetch(Validators.NONE, url(secure.uri("world.example", "/list")))));
      assertEquals(List.of("203.0.113.1"), world.connections());
      FetchResult.Failed wrongName =
          failed(trusting.fetch(Validators.NONE, url(secure.uri("other.example", "/list"))));
      assertTrue(wrongName.message().contains("TLS failed"), wrongName.log());
      secure.status("/down", 302, Map.of("Location", other.uri("world.example", "/").toString()));
      FetchResult.Failed down =
          failed(trusting.fetch(Validators.NONE, url(secure.uri("world.example", "/down"))));
      assertTrue(down.message().contains("from https to http"), down.message());
      secure.status("/on", 302, Map.of("Location", "/down"));
      assertTrue(
          failed(trusting.fetch(Validators.NONE, url(secure.uri("world.example", "/on"))))
              .message()
              .contains("from https to http"));
      assertEquals(List.of(), other.requests());
    }
    try (FakeFeedServer secure = new FakeFeedServer(certificate.server());
        FetchStage doubting =
            new FetchStage(
                new FetchWorld().name("world.example", "203.0.113.1"),
                Files.createDirectory(folder.resolve("d")))) {
      FetchResult.Failed unknown =
          failed(doubting.fetch(Validators.NONE, url(secure.uri("world.example", "/list"))));
      assertTrue(unknown.message().contains("TLS failed"), unknown.log());
    }
  }

  @Test
  void aProxyCarriesHttpAndHttps() throws Exception {
    ThrowawayCertificate certificate = new ThrowawayCertificate(folder, "far.example");
    world.trusting(certificate.trusting());
    Path credentials = secret("me:pass\n", "rw-------");
    try (FakeProxy proxy = new FakeProxy("bWU6cGFzcw==");
        FakeFeedServer secure = new FakeFeedServer(certificate.server());
        FetchStage through = new FetchStage(world, Files.createDirectory(folder.resolve("p")))) {
      secure.serve("/list", "192.0.2.1\n");
      server.serve("/list", "192.0.2.2\n");
      String by = "proxy: http://127.0.0.1:" + proxy.port();
      String with = "proxy_credentials_file: " + credentials;
      String far = url(secure.uri("far.example", "/list"));
      String plain = url(server.uri("far.example", "/list"));
      assertEquals("192.0.2.1\n", text(through.fetch(Validators.NONE, far, by, with)));
      assertEquals(
          "192.0.2.2\n", text(through.fetch(Validators.NONE, plain, by, with, "insecure: true")));
      assertEquals(List.of("127.0.0.1", "127.0.0.1"), world.connections(), "the proxy alone");
      assertEquals(List.of(), world.lookups().stream().filter("far.example"::equals).toList());
      assertTrue(proxy.heads().get(0).startsWith("CONNECT far.example:"), proxy.heads().get(0));
      assertTrue(proxy.heads().get(1).startsWith("GET http://far.example:"), proxy.heads().get(1));
      assertFalse(secure.requests().getFirst().containsKey("Proxy-authorization"));
      FetchResult.Failed unknown = failed(through.fetch(Validators.NONE, far, by));
      assertTrue(unknown.message().contains("proxy_credentials_file"), unknown.message());
      failed(through.fetch(Validators.NONE, plain, by, "insecure: true"));
      secure.status("/in", 302, Map.of("Location", "https://127.0.0.1:1/"));
      String in = url(secure.uri("far.example", "/in"));
      for (String inside :
          List.of(
              "127.0.0.1", "10.0.0.5", "[fd00::5]", "intranet", "Printer.local.", "a.internal")) {
        secure.status("/in", 302, Map.of("Location", "https://" + inside + ":1/"));
        FetchResult.Failed refused = failed(through.fetch(Validators.NONE, in, by, with));
        assertTrue(refused.message().contains("private"), inside + ": " + refused.message());
      }
      secure.status("/in", 302, Map.of("Location", secure.uri("far.example", "/list").toString()));
      assertEquals("192.0.2.1\n", text(through.fetch(Validators.NONE, in, by, with)));
    }
  }

  @Test
  void plainHttpInTheWorldIsFollowedOnlyWhereTheOperatorTakesThatRisk() throws IOException {
    other.serve("/list", "192.0.2.1\n");
    server.status("/list", 302, Map.of("Location", other.uri("world.example", "/list").toString()));
    String url = url(server.uri("/list"));
    for (String more : List.of("insecure: false", "allow_private_redirects: true")) {
      FetchResult.Failed refused = failed(stage.fetch(Validators.NONE, url, more));
      assertTrue(refused.message().contains("redirect to plain http"), refused.message());
    }
    assertEquals(List.of(), other.requests());
    assertEquals("192.0.2.1\n", text(stage.fetch(Validators.NONE, url, "insecure: true")));
  }

  @Test
  void aReferenceIsReadAsBrowsersDo() throws IOException {
    server.on(
        "/dir/list",
        exchange -> {
          boolean first = exchange.getRequestURI().getQuery() == null;
          exchange.getResponseHeaders().set("Location", "?t=1");
          exchange.sendResponseHeaders(first ? 302 : 200, -1);
        });
    fetched(stage.fetch(Validators.NONE, url(server.uri("/dir/list"))));
    assertEquals(List.of("/dir/list", "/dir/list?t=1"), server.targets());
  }

  @Test
  void aNameThatIsNeverResolvedIsLeftAtTheTotalLimit() throws IOException {
    world.stalling("slow.example");
    server.status("/list", 302, Map.of("Location", "https://slow.example/"));
    try (FetchStage hasty =
        new FetchStage(world, Files.createDirectory(folder.resolve("h")), Duration.ofMillis(300))) {
      FetchResult.Failed late =
          failed(hasty.fetch(Validators.NONE, url(server.uri("/list")), "insecure: true"));
      assertTrue(late.message().contains("not done in time"), late.message());
    }
  }
}
