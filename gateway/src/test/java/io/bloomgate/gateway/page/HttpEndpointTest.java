package io.bloomgate.gateway.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.notation.HostPort;
import io.bloomgate.gateway.page.HttpListener.HttpEndpoint;
import io.bloomgate.gateway.testkit.SampleStatus;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The HTTP endpoint through real requests. */
final class HttpEndpointTest {

  @TempDir private Path directory;
  private final AtomicReference<String> unready = new AtomicReference<>("no lists are loaded");

  private HttpListener open(@Nullable Path token) throws IOException {
    return HttpEndpoint.open(
        new HostPort("127.0.0.1", 0),
        new HttpEndpoint.Pages(
            () -> "bloomgate_up 1\n",
            () -> String.valueOf(unready.get()),
            token == null ? null : page(token)),
        Thread.ofVirtual().factory());
  }

  private static AdminPage page(Path token) {
    String text =
        "hostname: mx.example.com\ndomains: [example.com]\ndownstream: {host: 127.0.0.1}\n";
    return new AdminPage(
        SampleStatus.settings(text),
        token,
        (request, user, role) -> {
          throw new AssertionError(request);
        },
        new AdminPage.Surroundings(
            () -> {}, Instant::now, System::nanoTime, new SecureRandom(), ZoneOffset.UTC));
  }

  private Path token(String text) throws IOException {
    Path token = Files.writeString(directory.resolve("token"), text);
    return Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-r-----"));
  }

  private static HttpResponse<String> ask(
      HttpListener endpoint, String method, String path, String authorization)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + endpoint.address().getPort() + path))
            .method(method, BodyPublishers.noBody());
    if (!authorization.isEmpty()) {
      request.header("Authorization", authorization);
    }
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request.build(), BodyHandlers.ofString());
    }
  }

  @Test
  void metricsAndHealthAreShown() throws Exception {
    try (HttpListener endpoint = open(null)) {
      HttpResponse<String> metrics = ask(endpoint, "GET", "/metrics", "");
      assertEquals(200, metrics.statusCode());
      assertEquals("bloomgate_up 1\n", metrics.body());
      assertTrue(metrics.headers().firstValue("Content-Type").orElse("").contains("version=0.0.4"));
      assertEquals(200, ask(endpoint, "GET", "/livez", "").statusCode());
      HttpResponse<String> early = ask(endpoint, "GET", "/readyz", "");
      assertEquals(503, early.statusCode());
      assertEquals("not ready: no lists are loaded\n", early.body());
      unready.set("draining");
      assertEquals("not ready: draining\n", ask(endpoint, "GET", "/readyz", "").body());
      unready.set("");
      assertEquals(200, ask(endpoint, "GET", "/readyz", "").statusCode());
      assertEquals(404, ask(endpoint, "GET", "/", "").statusCode());
      assertEquals(405, ask(endpoint, "POST", "/metrics", "").statusCode());
      assertEquals("", ask(endpoint, "HEAD", "/metrics", "").body());
    }
  }

  @Test
  void withATokenOnlyHealthIsOpen() throws Exception {
    Path token = token("s3cret\n");
    try (HttpListener endpoint = open(token)) {
      HttpResponse<String> refused = ask(endpoint, "GET", "/metrics", "");
      assertEquals(401, refused.statusCode());
      assertEquals("Bearer", refused.headers().firstValue("WWW-Authenticate").orElse(""));
      assertEquals(401, ask(endpoint, "GET", "/metrics", "Bearer s3cre").statusCode());
      assertEquals(401, ask(endpoint, "GET", "/anything", "Basic s3cret").statusCode());
      assertEquals(200, ask(endpoint, "GET", "/metrics", "Bearer s3cret").statusCode());
      assertEquals(200, ask(endpoint, "GET", "/livez", "").statusCode());
    }
  }

  @Test
  void silentConnectionsLeaveRoomForOthers() throws Exception {
    List<Socket> silent = new ArrayList<>();
    try (HttpListener endpoint = open(null)) {
      try {
        for (int i = 0; i < 200; i++) {
          silent.add(new Socket(InetAddress.getLoopbackAddress(), endpoint.address().getPort()));
        }
        assertEquals(200, ask(endpoint, "GET", "/livez", "").statusCode());
      } finally {
        for (Socket one : silent) {
          one.close();
        }
      }
    }
  }

  @Test
  void whatCannotWorkIsSaidAtTheStart() throws IOException {
    Path empty = token(" \n");
    assertTrue(assertThrows(IOException.class, () -> open(empty)).toString().contains("empty"));
    assertThrows(IOException.class, () -> open(directory.resolve("missing")));
  }
}
