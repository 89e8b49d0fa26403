package io.bloomgate.blocklists.fetch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.fetch.FeedSources.FetchMeter;
import io.bloomgate.config.settings.Fetching;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fetching over HTTP from a publisher that does everything wrong in turn. */
class HttpFeedSourceTest {

  @TempDir private Path directory;
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final FetchWorld world = new FetchWorld().name("world.example", "203.0.113.1");
  private FakeFeedServer server;
  private FeedSources sources;

  @BeforeEach
  void start() throws IOException {
    server = new FakeFeedServer();
    sources = sources(Duration.ofSeconds(20));
  }

  @AfterEach
  void stop() {
    sources.close();
    server.close();
    executor.shutdownNow();
  }

  private FeedSources sources(Duration limit) {
    return new FeedSources(
        executor,
        System::nanoTime,
        () -> FetchStage.NOW,
        limit,
        new WebClient(world.means()),
        Fetching.by(null).withInsecure(true));
  }

  private FetchResult fetch(String path, Validators known) {
    return sources.named(server.uri(path).toString()).fetch(known, directory);
  }

  private static Validators.Stamp marks(FetchResult.Fetched fetched) {
    return fetched.validators().pages().values().iterator().next();
  }

  private static FetchResult.Failed failed(FetchResult result) {
    return assertInstanceOf(FetchResult.Failed.class, result);
  }

  @Test
  void fetchesOnceAndThenAsksWhetherItChanged() throws IOException {
    server.serve("/list", "192.0.2.1\n");
    var first = assertInstanceOf(FetchResult.Fetched.class, fetch("/list", Validators.NONE));
    assertEquals("192.0.2.1\n", Files.readString(first.content().parts().getFirst()));
    assertInstanceOf(FetchResult.NotModified.class, fetch("/list", first.validators()));
    server.serve("/list", "192.0.2.2\n");
    assertInstanceOf(FetchResult.Fetched.class, fetch("/list", first.validators()));
    assertTrue(
        String.valueOf(server.requests().getFirst().get("User-agent")).contains("Bloomgate/"),
        "publishers refuse clients without a name");
  }

  @Test
  void lastModifiedIsShownAgain() {
    server.on(
        "/list",
        exchange -> {
          exchange.getResponseHeaders().set("Last-Modified", "Sat, 21 Nov 2026 00:00:00 GMT");
          boolean known = exchange.getRequestHeaders().containsKey("If-Modified-Since");
          exchange.sendResponseHeaders(known ? 304 : 200, -1);
        });
    var first = assertInstanceOf(FetchResult.Fetched.class, fetch("/list", Validators.NONE));
    assertEquals("Sat, 21 Nov 2026 00:00:00 GMT", marks(first).lastModified());
    assertInstanceOf(FetchResult.NotModified.class, fetch("/list", first.validators()));
  }

  @Test
  void anUnasked304IsAFailure() {
    server.status("/list", 304, Map.of());
    assertTrue(failed(fetch("/list", Validators.NONE)).message().contains("304"));
  }

  @Test
  void refusalsSayHowToFixThem() {
    assertTrue(
        failed(fetch("/gone", Validators.NONE)).message().contains("404; the list has moved"));
    server.status("/busy", 429, Map.of("Retry-After", "3600"));
    FetchResult.Failed busy = failed(fetch("/busy", Validators.NONE));
    assertEquals(Optional.of(Duration.ofHours(1)), busy.retryAfter());
    server.status("/broken", 503, Map.of("Retry-After", "99999999999"));
    assertEquals(
        Optional.of(Duration.ofDays(1)), failed(fetch("/broken", Validators.NONE)).retryAfter());
  }

  @Test
  void aTransferThatBreaksOffIsNoVersion() {
    server.serveCutOff("/list", "192.0.2.1\n".getBytes(UTF_8));
    assertTrue(failed(fetch("/list", Validators.NONE)).message().contains("broke off"));
  }

  @Test
  void aStallingServerIsLeftAtTheTotalLimit() {
    server.stall("/list");
    sources.close();
    sources = sources(Duration.ofMillis(300));
    assertTrue(failed(fetch("/list", Validators.NONE)).message().contains("not done in time"));
  }

  @Test
  void nobodyThereIsAFailure() {
    URI nowhere = server.uri("/list");
    server.close();
    FetchResult result = sources.named(nowhere.toString()).fetch(Validators.NONE, directory);
    assertTrue(failed(result).message().contains("no connection"));
  }

  @Test
  void redirectsWithinTheServerAreFollowed() {
    server.status("/old", 302, Map.of("Location", "/new"));
    server.serve("/new", "192.0.2.1\n");
    assertInstanceOf(FetchResult.Fetched.class, fetch("/old", Validators.NONE));
    server.status("/loop", 301, Map.of("Location", "/loop"));
    assertTrue(failed(fetch("/loop", Validators.NONE)).message().contains("redirects"));
    server.status("/nowhere", 301, Map.of());
    assertTrue(failed(fetch("/nowhere", Validators.NONE)).message().contains("nowhere"));
    server.status("/file", 301, Map.of("Location", "file:///etc/passwd"));
    assertTrue(failed(fetch("/file", Validators.NONE)).message().contains("not a web address"));
  }

  @Test
  void redirectsInsideAreRefusedAndThoseToTheWorldFollowed() throws IOException {
    try (FakeFeedServer inside = new FakeFeedServer()) {
      inside.serve("/list", "192.0.2.1\n");
      server.status("/in", 302, Map.of("Location", inside.uri("/list").toString()));
      assertTrue(failed(fetch("/in", Validators.NONE)).message().contains("private address"));
      assertEquals(0, inside.requests().size());
      String world = inside.uri("world.example", "/list").toString();
      server.status("/out", 302, Map.of("Location", world));
      assertInstanceOf(FetchResult.Fetched.class, fetch("/out", Validators.NONE));
    }
  }

  @Test
  void credentialsAreSentToTheirServerAndShownToNobody() throws IOException {
    try (FakeFeedServer other = new FakeFeedServer()) {
      other.serve("/list", "192.0.2.1\n");
      server.on(
          "/list",
          exchange -> {
            String target = other.uri("world.example", "/list").toString();
            exchange.getResponseHeaders().set("Location", target);
            exchange.sendResponseHeaders(302, -1);
          });
      String url = server.uri("/list?key=SECRET").toString().replace("//", "//user:SECRET@");
      assertInstanceOf(
          FetchResult.Fetched.class, sources.named(url).fetch(Validators.NONE, directory));
      assertEquals(
          List.of("Basic dXNlcjpTRUNSRVQ="), server.requests().getFirst().get("Authorization"));
      assertFalse(other.requests().getFirst().containsKey("Authorization"));
      server.status("/list", 403, Map.of());
      FetchResult.Failed refused = failed(sources.named(url).fetch(Validators.NONE, directory));
      assertFalse((refused.message() + refused.log()).contains("SECRET"), refused.message());
      assertTrue(refused.message().contains("***@127.0.0.1"), refused.message());
    }
  }

  @Test
  void aBodyIsCutAtItsLimitAndLeavesNothing() throws IOException {
    server.serve("/list", "x".repeat(1000));
    HttpPage page =
        new HttpPage(
            new WebClient(world.means()),
            executor,
            System::nanoTime,
            () -> FetchStage.NOW,
            FetchMeter.NONE);
    HttpPage.Page asked =
        new HttpPage.Page(server.uri("/list"), "shown", Map.of(), null, false, false, List.of());
    long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    Path file = directory.resolve("one");
    var cut =
        page.take(asked, Validators.Stamp.NONE, new HttpPage.Target(file, 999, deadline, false));
    assertTrue(assertInstanceOf(HttpPage.Result.Failed.class, cut).why().contains("999 octets"));
    assertFalse(Files.exists(file));
    var whole =
        page.take(asked, Validators.Stamp.NONE, new HttpPage.Target(file, 1000, deadline, false));
    assertInstanceOf(HttpPage.Result.Taken.class, whole);
    assertEquals(1000, Files.size(file));
  }
}
