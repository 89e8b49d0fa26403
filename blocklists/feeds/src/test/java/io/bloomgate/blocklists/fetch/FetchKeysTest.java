package io.bloomgate.blocklists.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Where keys go, where they never go, and which files of keys are taken. */
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
    text(stage.fetch(Validators.NONE, url(server.uri("/list")), headers, "insecure: true"));
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
              stage.fetch(
                  Validators.NONE,
                  url(server.uri("/list")),
                  "headers: {Auth-Key: \"file:" + each.getKey() + "\"}"));
      assertTrue(refused.message().contains(each.getValue()), refused.message());
      assertFalse(refused.toString().contains("s3cret"), refused.message());
    }
    assertEquals(List.of(), server.requests(), "nobody is asked without the key");
  }
}
