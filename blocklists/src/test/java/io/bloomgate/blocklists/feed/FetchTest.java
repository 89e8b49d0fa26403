package io.bloomgate.blocklists.feed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fetching as the settings say: keys, mirrors, parts, checksums, proxies, redirects. */
class FetchTest {

  private static final String KEY = "s3cret+Key/9";

  @TempDir private Path folder;
  private final FetchWorld world =
      new FetchWorld().name("world.example", "203.0.113.1").name("other.example", "203.0.113.2");
  private FakeFeedServer server;
  private FakeFeedServer other;
  private FetchStage stage;

  @BeforeEach
  void start() throws IOException {
    server = new FakeFeedServer();
    other = new FakeFeedServer();
    stage = new FetchStage(world, folder);
  }

  @AfterEach
  void stop() {
    stage.close();
    server.close();
    other.close();
  }

  private static FetchResult.Fetched fetched(FetchResult result) {
    return assertInstanceOf(FetchResult.Fetched.class, result, result::toString);
  }

  private static FetchResult.Failed failed(FetchResult result) {
    return assertInstanceOf(FetchResult.Failed.class, result);
  }

  private static String text(FetchResult result) throws IOException {
    StringBuilder text = new StringBuilder();
    for (Path part : fetched(result).content().parts()) {
      text.append(Files.readString(part));
    }
    return text.toString();
  }

  private Path secret(String content, String mode) throws IOException {
    Path file = folder.resolve("key-" + mode + content.hashCode());
    Files.writeString(file, content);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    return file;
  }

  private Path key() throws IOException {
    return secret(KEY + "\n", "rw-r-----");
  }

  private static String url(Object url) {
    return "url: \"" + url + "\"";
  }

  // Keys

  @Test
  void keysGoIntoHeaderAndAddress() throws IOException {
    server.serve("/list", "192.0.2.1\n");
    text(
        stage.fetch(
            Validators.NONE,
            url(server.uri("/list") + "?k={secret}"),
            "secret_file: " + key(),
            "headers: {Auth-Key: \"file:" + key() + "\", Accept: text/plain, User-Agent: me/1}"));
    assertEquals(List.of("/list?k=s3cret%2BKey%2F9"), server.targets());
    Map<String, List<String>> headers = server.requests().getFirst();
    assertEquals(List.of(KEY), headers.get("Auth-key"));
    assertEquals(List.of("text/plain"), headers.get("Accept"));
    assertEquals(List.of("me/1"), headers.get("User-agent"));
  }

  @Test
  void keysDoNotFollowARedirectToAnotherServerNorComeBackFromThere() throws IOException {
    String headers = "headers: {Auth-Key: \"file:" + key() + "\"}";
    server.status("/list", 302, Map.of("Location", other.uri("world.example", "/out").toString()));
    other.status("/out", 302, Map.of("Location", server.uri("/back").toString()));
    server.serve("/back", "192.0.2.1\n");
    text(stage.fetch(Validators.NONE, url(server.uri("/list")), headers));
    assertEquals(List.of(KEY), server.requests().get(0).get("Auth-key"));
    assertFalse(other.requests().getFirst().containsKey("Auth-key"));
    assertFalse(server.requests().get(1).containsKey("Auth-key"));
  }

  @Test
  void aRedirectThatCarriesTheKeyAwayIsRefused() throws IOException {
    server.on(
        "/list",
        exchange -> {
          String query = exchange.getRequestURI().getRawQuery();
          String away = other.uri("world.example", "/out?" + query).toString();
          exchange.getResponseHeaders().set("Location", away);
          exchange.sendResponseHeaders(302, -1);
        });
    FetchResult.Failed refused =
        failed(
            stage.fetch(
                Validators.NONE,
                url(server.uri("/list") + "?k={secret}"),
                "secret_file: " + key()));
    assertTrue(refused.message().contains("would show the key"), refused.message());
    assertEquals(List.of(), other.requests());
  }

  @Test
  void mirrorsElsewhereGetNoHeadersAndNoKeyThatIsNotInTheirAddress() throws IOException {
    server.status("/list", 503, Map.of());
    other.serve("/list", "192.0.2.1\n");
    text(
        stage.fetch(
            Validators.NONE,
            url(server.uri("/list") + "?{secret}"),
            "secret_file: " + key(),
            "headers: {Auth-Key: \"file:" + key() + "\"}",
            "mirrors: [\"" + other.uri("/list") + "\"]"));
    assertEquals(List.of("/list"), other.targets());
    assertFalse(other.requests().getFirst().containsKey("Auth-key"));
  }

  @Test
  void nothingThatIsToldShowsTheKey() throws IOException {
    String address = url(server.uri("/") + "{secret}/list?k={secret}");
    String file = "secret_file: " + key();
    String headers = "headers: {Auth-Key: \"file:" + key() + "\", X-Key: plain-" + KEY + "}";
    server.status("/s3cret+Key/9/list", 403, Map.of());
    FetchResult.Failed refused = failed(stage.fetch(Validators.NONE, address, file, headers));
    String all = refused.toString() + FetchStage.source(address, file, headers);
    assertFalse(all.contains("s3cret"), all);
    assertTrue(refused.message().contains("/{secret}/list?... answered 403"), refused.message());
  }

  @Test
  void filesOfKeysAreCheckedAtEachFetch() throws IOException {
    server.serve("/list", "192.0.2.1\n");
    Map<Path, String> wrong =
        Map.of(
            secret(KEY, "rw-r--r--"),
            "chmod 640",
            secret("\n", "rw-------"),
            "is empty",
            secret("a\nb", "rw-------"),
            "more than one line",
            secret("x".repeat(5000), "rw-------"),
            "4096 octets",
            folder.resolve("none"),
            "no such file",
            folder,
            "no regular file");
    for (Map.Entry<Path, String> each : wrong.entrySet()) {
      FetchResult.Failed refused =
          failed(
              stage.fetch(
                  Validators.NONE,
                  url(server.uri("/list")),
                  "headers: {Auth-Key: \"file:" + each.getKey() + "\"}"));
      assertTrue(refused.message().contains(each.getValue()), refused.message());
      assertFalse(refused.toString().contains("s3cret"), refused.message());
    }
    assertEquals(List.of(), server.requests(), "nobody is asked without the key");
  }

  // Mirrors

  @Test
  void mirrorsAreAskedInOrderAndTheReportSaysWhoServed() throws IOException {
    server.status("/a", 500, Map.of());
    server.serve("/b", "<html>moved</html>\n");
    server.serve("/c", new byte[] {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, 0, 42});
    other.serve("/d", "192.0.2.1\n");
    FetchResult.Fetched result =
        fetched(
            stage.fetch(
                Validators.NONE,
                url(server.uri("/a")),
                "mirrors: ["
                    + server.uri("/b")
                    + ", "
                    + server.uri("/c")
                    + ", "
                    + other.uri("/d")
                    + "]"));
    assertEquals(List.of("/a", "/b", "/c"), server.targets());
    assertEquals(other.uri("/d").toString(), result.validators().servedBy());
    assertEquals("192.0.2.1\n", text(result));
    assertEquals(1, stage.filesLeft());
  }

  @Test
  void marksBelongToTheAddressThatGaveThem() throws IOException {
    String mirrors = "mirrors: [" + other.uri("/m") + "]";
    server.serve("/a", "192.0.2.1\n");
    other.serve("/m", "192.0.2.1\n");
    Validators known =
        fetched(stage.fetch(Validators.NONE, url(server.uri("/a")), mirrors)).validators();
    server.status("/a", 500, Map.of());
    FetchResult.Fetched mirrored = fetched(stage.fetch(known, url(server.uri("/a")), mirrors));
    assertFalse(other.requests().getFirst().containsKey("If-none-match"));
    Validators both = Validators.ofJson(known.and(mirrored.validators()).toJson());
    assertEquals(2, both.pages().size());
    assertInstanceOf(
        FetchResult.NotModified.class, stage.fetch(both, url(server.uri("/a")), mirrors));
    server.serve("/a", "192.0.2.1\n");
    assertInstanceOf(
        FetchResult.NotModified.class, stage.fetch(both, url(server.uri("/a")), mirrors));
  }

  @Test
  void aPublisherWhoDoesNotWantUsIsNotGoneRound() throws IOException {
    other.serve("/m", "192.0.2.1\n");
    for (int status : new int[] {401, 403, 429}) {
      server.status("/a", status, Map.of("Retry-After", "60"));
      FetchResult.Failed refused =
          failed(
              stage.fetch(
                  Validators.NONE, url(server.uri("/a")), "mirrors: [" + other.uri("/m") + "]"));
      assertEquals(Optional.of(Duration.ofMinutes(1)), refused.retryAfter());
    }
    assertEquals(List.of(), other.requests());
  }

  @Test
  void aStallingPublisherLeavesTimeForItsMirror() throws IOException {
    server.stall("/a");
    other.serve("/m", "192.0.2.1\n");
    try (FetchStage hasty =
        new FetchStage(world, Files.createDirectory(folder.resolve("h")), Duration.ofSeconds(2))) {
      assertEquals(
          "192.0.2.1\n",
          text(
              hasty.fetch(
                  Validators.NONE, url(server.uri("/a")), "mirrors: [" + other.uri("/m") + "]")));
    }
  }

  // Parts

  @Test
  void numberedPartsAreOneVersion() throws IOException {
    server.serve("/list-08", "192.0.2.1\n");
    server.serve("/list-09", "");
    server.serve("/list-10", "192.0.2.3\n");
    String address = url(server.uri("/list-") + "{part:08..10}");
    FetchResult.Fetched all = fetched(stage.fetch(Validators.NONE, address));
    assertEquals("192.0.2.1\n192.0.2.3\n", text(all));
    assertInstanceOf(FetchResult.NotModified.class, stage.fetch(all.validators(), address));
    server.serve("/list-10", "192.0.2.4\n");
    assertEquals("192.0.2.1\n192.0.2.4\n", text(stage.fetch(all.validators(), address)));
    server.status("/list-09", 404, Map.of());
    FetchResult.Failed broken = failed(stage.fetch(Validators.NONE, address));
    assertTrue(broken.message().contains("/list-09 answered 404"), broken.message());
    assertEquals(0, stage.filesLeft(), "all parts or none");
  }

  @Test
  void anOpenRangeEndsWhereTheNextPartIsMissing() throws IOException {
    String address = url(server.uri("/x-") + "{part:aa..}");
    assertTrue(failed(stage.fetch(Validators.NONE, address)).message().contains("404"));
    server.serve("/x-aa", "192.0.2.1\n");
    server.serve("/x-ab", "192.0.2.2\n");
    FetchResult.Fetched two = fetched(stage.fetch(Validators.NONE, address));
    assertEquals("192.0.2.1\n192.0.2.2\n", text(two));
    server.serve("/x-ac", "192.0.2.3\n");
    FetchResult.Fetched three = fetched(stage.fetch(two.validators(), address));
    assertEquals("192.0.2.1\n192.0.2.2\n192.0.2.3\n", text(three));
    server.status("/x-ac", 404, Map.of());
    assertEquals("192.0.2.1\n192.0.2.2\n", text(stage.fetch(three.validators(), address)));
    server.status("/x-ab", 500, Map.of());
    assertTrue(failed(stage.fetch(Validators.NONE, address)).message().contains("500"));
  }

  @Test
  void anOpenRangeThatNeverEndsIsNoVersion() throws IOException {
    for (char c = 'a'; c <= 'z'; c++) {
      server.serve("/x-" + c, "192.0.2.1\n");
    }
    FetchResult.Failed endless =
        failed(stage.fetch(Validators.NONE, url(server.uri("/x-") + "{part:a..}")));
    assertTrue(endless.message().contains("more parts"), endless.message());
  }

  // Checksums

  private static String hex(String algorithm, String text) throws Exception {
    return HexFormat.of()
        .formatHex(MessageDigest.getInstance(algorithm).digest(text.getBytes(UTF_8)));
  }

  @Test
  void anUnchangedChecksumSavesTheDownload() throws Exception {
    server.serve("/list", "192.0.2.1\n");
    server.serve("/sum", hex("MD5", "192.0.2.1\n") + "\n");
    String[] lines = {url(server.uri("/list")), "checksum_url: " + server.uri("/sum")};
    FetchResult.Fetched first = fetched(stage.fetch(Validators.NONE, lines));
    assertEquals(1, stage.filesLeft());
    assertEquals(List.of("/sum", "/list"), server.targets());
    assertEquals(List.of("identity"), server.requests().get(1).get("Accept-encoding"));
    assertInstanceOf(FetchResult.NotModified.class, stage.fetch(first.validators(), lines));
    assertEquals(List.of("/sum", "/list", "/sum"), server.targets());
  }

  @Test
  void aWrongOrMissingChecksumIsNoVersion() throws Exception {
    server.serve("/list", "192.0.2.1\n");
    String[] lines = {url(server.uri("/list")), "checksum_url: " + server.uri("/sum")};
    Map<String, String> wrong =
        Map.of(
            hex("SHA-256", "other") + "  list\n",
            "does not have the checksum",
            hex("SHA-256", "a") + " *a\n" + hex("SHA-256", "b") + "  b\n",
            "do not name list",
            "<html></html>",
            "no SHA-256, SHA-512 or MD5");
    for (Map.Entry<String, String> each : wrong.entrySet()) {
      server.serve("/sum", each.getKey());
      FetchResult.Failed refused = failed(stage.fetch(Validators.NONE, lines));
      assertTrue(refused.message().contains(each.getValue()), refused.message());
      assertEquals(0, stage.filesLeft());
    }
    server.status("/sum", 404, Map.of());
    assertTrue(failed(stage.fetch(Validators.NONE, lines)).message().contains("no checksum"));
  }

  @Test
  void aMirrorWithTheRightChecksumServesWhereThePublisherIsDamaged() throws Exception {
    server.serve("/list", "192.0.2.9\n");
    other.serve("/list", "192.0.2.1\n");
    server.serve("/sum", "SHA512 (dir/list) = " + hex("SHA-512", "192.0.2.1\n"));
    assertEquals(
        "192.0.2.1\n",
        text(
            stage.fetch(
                Validators.NONE,
                url(server.uri("/list")),
                "mirrors: [" + other.uri("/list") + "]",
                "checksum_url: " + server.uri("/sum"))));
  }

  @Test
  void everyPartHasItsChecksum() throws Exception {
    server.serve("/x-1", "192.0.2.1\n");
    server.serve("/x-2", "192.0.2.2\n");
    String sums =
        hex("SHA-256", "192.0.2.1\n") + "  x-1\n" + hex("SHA-256", "192.0.2.2\n") + "  ./x-2\n";
    server.serve("/sums", sums);
    String[] lines = {
      url(server.uri("/x-") + "{part:1..2}"), "checksum_url: " + server.uri("/sums")
    };
    assertEquals("192.0.2.1\n192.0.2.2\n", text(stage.fetch(Validators.NONE, lines)));
    server.serve("/x-2", "192.0.2.3\n");
    FetchResult.Failed refused = failed(stage.fetch(Validators.NONE, lines));
    assertTrue(refused.message().contains("/x-2: it does not have"), refused.message());
  }

  // Redirects

  @Test
  void theAddressThatWasCheckedIsTheOneThatIsAsked() throws IOException {
    world.name("rebind.example", "203.0.113.7", "127.0.0.1");
    other.serve("/list", "192.0.2.1\n");
    server.status(
        "/list", 302, Map.of("Location", other.uri("rebind.example", "/list").toString()));
    text(stage.fetch(Validators.NONE, url(server.uri("/list"))));
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
              || refused.message().contains("no web address"),
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

  // TLS and proxies

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
      assertTrue(
          failed(through.fetch(Validators.NONE, in, by, with)).message().contains("private"));
    }
  }

  // Limits

  @Test
  void whatIsCompressedOnTheWayIsReadAndBombsAreNot() throws IOException {
    java.io.ByteArrayOutputStream packed = new java.io.ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      byte[] zeros = new byte[1 << 20];
      for (int i = 0; i < 64; i++) {
        gzip.write(zeros);
      }
    }
    server.serve("/bomb", packed.toByteArray());
    other.serve("/m", "192.0.2.1\n");
    FetchResult result =
        stage.fetch(
            Validators.NONE, url(server.uri("/bomb")), "mirrors: [" + other.uri("/m") + "]");
    assertEquals("192.0.2.1\n", text(result));
  }
}
