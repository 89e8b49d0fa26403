package io.bloomgate.blocklists.fetch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.json.JsonRecords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** Keys, checksums and mirrors of a fetch: where keys go, what is proven, who is asked next. */
class FetchKeysTest extends FetchCase {

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
    text(fetch("/list", headers, "insecure: true"));
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
    failed(
        "would show the key",
        stage.fetch(
            Validators.NONE, url(server.uri("/list") + "?k={secret}"), "secret_file: " + key()));
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
  void noOutputShowsTheKey() throws IOException {
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
              each.getValue(),
              fetch("/list", "headers: {Auth-Key: \"file:" + each.getKey() + "\"}"));
      assertFalse(refused.toString().contains("s3cret"), refused.message());
    }
    assertEquals(List.of(), server.requests(), "nobody is asked without the key");
  }

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
      failed(each.getValue(), stage.fetch(Validators.NONE, lines));
      assertEquals(0, stage.filesLeft());
    }
    server.status("/sum", 404, Map.of());
    failed("no checksum", stage.fetch(Validators.NONE, lines));
  }

  @Test
  void aMirrorWithTheRightChecksumServesWhereThePublisherIsDamaged() throws Exception {
    server.serve("/list", "192.0.2.9\n");
    other.serve("/list", "192.0.2.1\n");
    server.serve("/sum", "SHA512 (dir/list) = " + hex("SHA-512", "192.0.2.1\n"));
    assertEquals(
        "192.0.2.1\n",
        text(
            fetch(
                "/list",
                "mirrors: [" + other.uri("/list") + "]",
                "checksum_url: " + server.uri("/sum"))));
  }

  @Test
  void theStrongestChecksumOfAFileCounts() throws Exception {
    server.serve("/list", "192.0.2.1\n");
    String right = hex("SHA-256", "192.0.2.1\n");
    String[] lines = {url(server.uri("/list")), "checksum_url: " + server.uri("/sum")};
    server.serve("/sum", "MD5 (list) = " + hex("MD5", "other") + "\nSHA256 (list) = " + right);
    assertEquals("192.0.2.1\n", text(stage.fetch(Validators.NONE, lines)));
    server.serve("/sum", hex("MD5", "192.0.2.1\n") + "  list\n" + hex("SHA-256", "x") + "  list");
    failed(stage.fetch(Validators.NONE, lines));
    server.serve("/sum", "SHA3-256 (list) = " + hex("SHA-256", "x") + "\n" + right + "  list");
    assertEquals("192.0.2.1\n", text(stage.fetch(Validators.NONE, lines)));
  }

  @Test
  void mirrorsAreAskedInOrderAndTheReportSaysWhoServed() throws IOException {
    server.status("/a", 500, Map.of());
    server.serve("/b", "<html>moved</html>\n");
    server.serve("/c", new byte[] {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, 0, 42});
    other.serve("/d", "192.0.2.1\n");
    FetchResult.Fetched result =
        fetched(
            fetch(
                "/a",
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
    Validators known = fetched(fetch("/a", mirrors)).validators();
    server.status("/a", 500, Map.of());
    FetchResult.Fetched mirrored = fetched(stage.fetch(known, url(server.uri("/a")), mirrors));
    assertFalse(other.requests().getFirst().containsKey("If-none-match"));
    Validators both =
        JsonRecords.tryRead(Validators.class, JsonRecords.of(known.and(mirrored.validators())))
            .orElseThrow();
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
      FetchResult.Failed refused = failed(fetch("/a", "mirrors: [" + other.uri("/m") + "]"));
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
    FetchResult result = fetch("/bomb", "mirrors: [" + other.uri("/m") + "]");
    assertEquals("192.0.2.1\n", text(result));
  }
}
