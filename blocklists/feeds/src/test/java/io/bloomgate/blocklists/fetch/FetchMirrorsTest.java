package io.bloomgate.blocklists.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.bloomgate.config.json.JsonRecords;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** When the next mirror is asked, and what is remembered of each. */
class FetchMirrorsTest extends FetchCase {

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
