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
    text(fetch("/list", "insecure: true"));
    assertEquals(List.of("127.0.0.1", "203.0.113.7"), world.connections());
    assertEquals(1, world.lookups().stream().filter("rebind.example"::equals).count());
    failed("private address", fetch("/list"));
    assertEquals(1, other.requests().size());
  }

  @Test
  void namesThatLeadInsideAreRefusedUnlessAllowed() throws IOException {
    other.serve("/list", "192.0.2.1\n");
    int port = other.uri("/").getPort();
    for (String inside :
        List.of("127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "127.1", "2130706433")) {
      server.status("/list", 302, Map.of("Location", "http://" + inside + ":" + port + "/list"));
      FetchResult.Failed refused = failed(fetch("/list"));
      assertTrue(
          refused.message().contains("private address")
              || refused.message().contains("not a web address"),
          refused.message());
    }
    assertEquals(List.of(), other.requests());
    server.status("/list", 302, Map.of("Location", other.uri("/list").toString()));
    assertEquals("192.0.2.1\n", text(fetch("/list", "allow_private_redirects: true")));
    server.status("/list", 302, Map.of("Location", "http://nobody.example/list"));
    failed("name without address", fetch("/list"));
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
      failed(
          "TLS failed", trusting.fetch(Validators.NONE, url(secure.uri("other.example", "/list"))));
      secure.status("/down", 302, Map.of("Location", other.uri("world.example", "/").toString()));
      failed(
          "from https to http",
          trusting.fetch(Validators.NONE, url(secure.uri("world.example", "/down"))));
      secure.status("/on", 302, Map.of("Location", "/down"));
      failed(
          "from https to http",
          trusting.fetch(Validators.NONE, url(secure.uri("world.example", "/on"))));
      assertEquals(List.of(), other.requests());
    }
    try (FakeFeedServer secure = new FakeFeedServer(certificate.server());
        FetchStage doubting =
            new FetchStage(
                new FetchWorld().name("world.example", "203.0.113.1"),
                Files.createDirectory(folder.resolve("d")))) {
      failed(
          "TLS failed", doubting.fetch(Validators.NONE, url(secure.uri("world.example", "/list"))));
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
      failed("proxy_credentials_file", through.fetch(Validators.NONE, far, by));
      failed(through.fetch(Validators.NONE, plain, by, "insecure: true"));
      secure.status("/in", 302, Map.of("Location", "https://127.0.0.1:1/"));
      String in = url(secure.uri("far.example", "/in"));
      for (String inside :
          List.of(
              "127.0.0.1", "10.0.0.5", "[fd00::5]", "intranet", "Printer.local.", "a.internal")) {
        secure.status("/in", 302, Map.of("Location", "https://" + inside + ":1/"));
        failed("private", through.fetch(Validators.NONE, in, by, with));
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
      failed("redirect to plain http", stage.fetch(Validators.NONE, url, more));
    }
    assertEquals(List.of(), other.requests());
    assertEquals("192.0.2.1\n", text(stage.fetch(Validators.NONE, url, "insecure: true")));
  }

  @Test
  void aNameThatIsNeverResolvedIsLeftAtTheTotalLimit() throws IOException {
    world.stalling("slow.example");
    server.status("/list", 302, Map.of("Location", "https://slow.example/"));
    try (FetchStage hasty =
        new FetchStage(world, Files.createDirectory(folder.resolve("h")), Duration.ofMillis(300))) {
      failed(
          "not done in time",
          hasty.fetch(Validators.NONE, url(server.uri("/list")), "insecure: true"));
    }
  }
}
