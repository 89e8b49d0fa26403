package io.bloomgate.blocklists.fetch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.fetch.FeedSources.FetchMeter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** Fetching over HTTP from a publisher that does everything wrong in turn. */
class HttpFeedSourceTest extends FetchCase {

  private static Validators.Stamp marks(FetchResult.Fetched fetched) {
    return fetched.validators().pages().values().iterator().next();
  }

  @Test
  void fetchesOnceAndThenAsksWhetherItChanged() throws IOException {
    server.serve("/list", "192.0.2.1\n");
    FetchResult.Fetched first = fetched(fetch("/list"));
    assertEquals("192.0.2.1\n", text(first));
    assertInstanceOf(FetchResult.NotModified.class, fetch(first.validators(), "/list"));
    server.serve("/list", "192.0.2.2\n");
    fetched(fetch(first.validators(), "/list"));
    assertTrue(
        String.valueOf(server.requests().getFirst().get("User-agent")).contains("Bloomgate/"),
        "publishers refuse clients without a name");
  }

  @Test
  void lastModifiedIsShownAgain() throws IOException {
    server.on(
        "/list",
        exchange -> {
          exchange.getResponseHeaders().set("Last-Modified", "Sat, 21 Nov 2026 00:00:00 GMT");
          boolean known = exchange.getRequestHeaders().containsKey("If-Modified-Since");
          exchange.sendResponseHeaders(known ? 304 : 200, -1);
        });
    FetchResult.Fetched first = fetched(fetch("/list"));
    assertEquals("Sat, 21 Nov 2026 00:00:00 GMT", marks(first).lastModified());
    assertInstanceOf(FetchResult.NotModified.class, fetch(first.validators(), "/list"));
  }

  @Test
  void refusalsSayHowToFixThem() throws IOException {
    failed("404; the list has moved", fetch("/gone"));
    server.status("/list", 304, Map.of());
    failed("304", fetch("/list"));
    server.status("/busy", 429, Map.of("Retry-After", "3600"));
    assertEquals(Optional.of(Duration.ofHours(1)), failed(fetch("/busy")).retryAfter());
    server.status("/broken", 503, Map.of("Retry-After", "99999999999"));
    assertEquals(Optional.of(Duration.ofDays(1)), failed(fetch("/broken")).retryAfter());
    server.serveCutOff("/cut", "192.0.2.1\n".getBytes(UTF_8));
    failed("broke off", fetch("/cut"));
    server.close();
    failed("no connection", fetch("/list"));
  }

  @Test
  void aStallingServerIsLeftAtTheTotalLimit() throws IOException {
    server.stall("/list");
    try (FetchStage hasty =
        new FetchStage(world, Files.createDirectory(folder.resolve("h")), Duration.ofMillis(300))) {
      failed("not done in time", hasty.fetch(Validators.NONE, url(server.uri("/list"))));
    }
  }

  @Test
  void redirectsWithinTheServerAreFollowed() throws IOException {
    server.status("/old", 302, Map.of("Location", "/new"));
    server.serve("/new", "192.0.2.1\n");
    fetched(fetch("/old"));
    server.status("/loop", 301, Map.of("Location", "/loop"));
    failed("redirects", fetch("/loop"));
    server.status("/nowhere", 301, Map.of());
    failed("nowhere", fetch("/nowhere"));
    server.status("/file", 301, Map.of("Location", "file:///etc/passwd"));
    failed("not a web address", fetch("/file"));
  }

  @Test
  void credentialsAreSentToTheirServerAndShownToNobody() throws IOException {
    other.serve("/list", "192.0.2.1\n");
    server.status("/list", 302, Map.of("Location", other.uri("world.example", "/list").toString()));
    String address = server.uri("/list?key=SECRET").toString().replace("//", "//user:SECRET@");
    fetched(stage.named(address));
    assertEquals(
        List.of("Basic dXNlcjpTRUNSRVQ="), server.requests().getFirst().get("Authorization"));
    assertFalse(other.requests().getFirst().containsKey("Authorization"));
    server.status("/list", 403, Map.of());
    FetchResult.Failed refused = failed("***@127.0.0.1", stage.named(address));
    assertFalse((refused.message() + refused.log()).contains("SECRET"), refused.message());
  }

  @Test
  void aBodyIsCutAtItsLimitAndLeavesNothing() throws IOException {
    server.serve("/list", "x".repeat(1000));
    try (var executor = Executors.newVirtualThreadPerTaskExecutor();
        WebClient client = new WebClient(world.means())) {
      HttpPage page =
          new HttpPage(client, executor, System::nanoTime, () -> FetchStage.NOW, FetchMeter.NONE);
      HttpPage.Page asked =
          new HttpPage.Page(
              server.uri("/list"), "shown", "key", Map.of(), null, false, false, List.of());
      long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
      Path file = folder.resolve("one");
      var cut = page.take(asked, Validators.NONE, new HttpPage.Target(file, 999, deadline, false));
      assertTrue(failed(cut).message().contains("999 octets"));
      assertFalse(Files.exists(file));
      var whole =
          page.take(asked, Validators.NONE, new HttpPage.Target(file, 1000, deadline, false));
      fetched(whole);
      assertEquals(1000, Files.size(file));
    }
  }
}
