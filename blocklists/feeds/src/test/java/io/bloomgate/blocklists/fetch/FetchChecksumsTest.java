package io.bloomgate.blocklists.fetch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Lists with checksums. */
class FetchChecksumsTest extends FetchCase {

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
}
