package io.bloomgate.blocklists.fetch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Lists in parts and lists with checksums. */
class FetchPartsTest extends FetchCase {

  @Test
  void numberedPartsAreOneVersion() throws IOException {
    server.serve("/list-08", "192.0.2.1\n");
    server.serve("/list-09", "");
    server.serve("/list-10", "192.0.2.3\n");
    String address = url(server.uri("/list-") + "{part:08..10}");
    FetchResult.Fetched all = fetched(stage.fetch(Validators.NONE, address));
    assertEquals("192.0.2.1\n192.0.2.3\n", text(all));
    assertEquals(2, stage.filesLeft(), "what is empty is not stored either");
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
    FetchResult.Failed fewer = failed(stage.fetch(three.validators(), address));
    assertTrue(fewer.message().contains("2 parts, and the live version has 3"), fewer.message());
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

  /** A publisher who replaces one file after the other lacks some for a moment. */
  @Test
  void aPartThatIsMissingForAMomentDoesNotCutTheList() throws IOException {
    String address = url(server.uri("/x-") + "{part:1..}");
    for (int part = 1; part <= 4; part++) {
      server.serve("/x-" + part, "192.0.2." + part + "\n");
    }
    server.status("/x-3", 404, Map.of());
    FetchResult.Failed hole = failed(stage.fetch(Validators.NONE, address));
    assertTrue(hole.message().contains("the part before it is missing"), hole.message());
    assertEquals(0, stage.filesLeft());
    server.serve("/x-3", "192.0.2.3\n");
    FetchResult.Fetched all = fetched(stage.fetch(Validators.NONE, address));
    server.status("/x-3", 404, Map.of());
    server.status("/x-4", 404, Map.of());
    failed(stage.fetch(all.validators(), address));
    server.serve("/x-3", "192.0.2.3\n");
    FetchResult.Failed other = failed(stage.fetch(all.validators(), address));
    assertTrue(other.message().contains("3 parts"), "as many as before only is believed");
    server.serve("/x-4", "192.0.2.4\n");
    assertInstanceOf(FetchResult.NotModified.class, stage.fetch(all.validators(), address));
    server.status("/x-4", 404, Map.of());
    failed(stage.fetch(all.validators(), address));
    fetched(stage.fetch(all.validators(), address));
  }

  @Test
  void partsOfTwoVersionsAreNone() throws IOException {
    String address = url(server.uri("/x-") + "{part:1..2}");
    server.serve("/x-1", "192.0.2.1\n");
    FakeFeedServer.Answer second =
        exchange -> {
          server.serve("/x-1", "192.0.2.11\n");
          exchange.sendResponseHeaders(200, -1);
        };
    server.on("/x-2", second);
    FetchResult.Failed torn = failed(stage.fetch(Validators.NONE, address));
    assertTrue(torn.message().contains("changed between its parts"), torn.message());
    assertEquals(0, stage.filesLeft());
    assertEquals("192.0.2.11\n", text(stage.fetch(Validators.NONE, address)));
  }

  /** Machines behind one name often mark equal files differently. */
  @Test
  void anotherMarkOnTheSamePartIsNoOtherVersion() throws IOException {
    int[] asked = {0};
    server.on(
        "/x-1",
        exchange -> {
          asked[0]++;
          exchange.getResponseHeaders().set("ETag", "\"" + asked[0] + "\"");
          byte[] body = "192.0.2.1\n".getBytes(UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
        });
    server.serve("/x-2", "192.0.2.2\n");
    String address = url(server.uri("/x-") + "{part:1..2}");
    assertEquals("192.0.2.1\n192.0.2.2\n", text(stage.fetch(Validators.NONE, address)));
    assertEquals(2, asked[0]);
    assertEquals(2, stage.filesLeft());
  }
}
