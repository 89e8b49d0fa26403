package io.bloomgate.blocklists.refresh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.database.FeedStates;
import io.bloomgate.blocklists.refresh.FeedCommands.RefreshResult;
import io.bloomgate.blocklists.score.FetchedOctets;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a fetch leaves behind: the server's name is reported, and a key is stored nowhere. */
class FetchStoryTest extends RefreshStories {

  private static final String KEY = "S3CRETKEY";

  @TempDir Path etc;

  private Path key() throws IOException {
    Path file = etc.resolve("key");
    Files.writeString(file, KEY);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    return file;
  }

  @Test
  void aMirrorThatServesIsNamedUntilThePublisherIsBack() throws Exception {
    server.status("/a", 500, Map.of());
    server.serve("/m", ips(0, 10));
    String mirrors = ", mirrors: [\"" + server.uri("/m") + "\"]";
    try (RefreshStage s = stage(url("x", "/a", mirrors))) {
      s.loop.tick();
      assertEquals("fresh", s.state("x"));
      assertEquals(server.uri("/m").toString(), shown(s).servedBy());
      assertEquals(server.uri("/a").toString(), shown(s).source());
      s.pass(HOUR.multipliedBy(2));
      s.loop.tick();
      assertEquals("unchanged", s.state("x"), "the mirror knows its own marks");
      server.serve("/a", ips(0, 10));
      s.pass(HOUR.multipliedBy(2));
      s.loop.tick();
      assertEquals("unchanged", s.state("x"), "the same list from elsewhere is no new one");
      assertEquals(server.uri("/a").toString(), shown(s).servedBy());
    }
  }

  /** What a check that found nothing new cost is next to nothing. */
  @Test
  void whatCameIsCounted() throws Exception {
    server.serve("/a", ips(0, 10));
    try (RefreshStage s = stage(url("x", "/a", ""))) {
      s.loop.tick();
      long first = ips(0, 10).length();
      assertEquals(first, fetched());
      s.pass(HOUR.multipliedBy(2));
      s.loop.tick();
      assertEquals("unchanged", s.state("x"));
      assertEquals(first, fetched());
      server.serve("/a", ips(0, 11));
      s.pass(HOUR.multipliedBy(2));
      s.loop.tick();
      assertEquals(first + ips(0, 11).length(), fetched());
    }
  }

  private long fetched() throws IOException {
    return new FetchedOctets(FeedStates.read(stateDir)).since("x", Instant.EPOCH).orElse(0L);
  }

  private static FeedStatus.Details shown(RefreshStage s) {
    return s.show("x");
  }

  @Test
  void aKeyIsInNoReportAndInNoStoredFile() throws Exception {
    server.serve("/" + KEY + "/list", ips(0, 10));
    String source =
        "x: {url: \""
            + server.uri("/")
            + "{secret}/list?k={secret}\", secret_file: "
            + key()
            + ", headers: {Auth-Key: \"file:"
            + key()
            + "\"}, every: 1h}";
    try (RefreshStage s = stage(source)) {
      s.loop.tick();
      assertEquals("fresh", s.state("x"));
      assertEquals(List.of("/" + KEY + "/list?k=" + KEY), server.targets());
      String fresh = shown(s).toString();
      server.status("/" + KEY + "/list", 302, Map.of("Location", "http://127.0.0.1/" + KEY));
      s.pass(HOUR.multipliedBy(2));
      RefreshResult refused = s.refresh(List.of("x"), false, true);
      String all = fresh + shown(s) + refused + s.loop.list() + s.settings + s.alarms;
      assertTrue(s.problem("x").contains("would show the key"), s.problem("x"));
      assertFalse(all.contains(KEY), all);
    }
    try (Stream<Path> files = Files.walk(stateDir)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String octets = Files.readString(file, StandardCharsets.ISO_8859_1);
        assertFalse(octets.contains(KEY), file::toString);
      }
    }
  }
}
