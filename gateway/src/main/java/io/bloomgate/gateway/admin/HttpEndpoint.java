package io.bloomgate.gateway.admin;

import com.sun.net.httpserver.HttpExchange;
import io.bloomgate.config.settings.HostPort;
import io.bloomgate.gateway.page.AdminPage;
import io.bloomgate.gateway.page.HttpListener;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP endpoint {@code admin.http}: metrics, liveness, readiness, and the administrator's page
 * at all other addresses. Called on the virtual thread of each request.
 */
public final class HttpEndpoint {

  private static final String TEXT = "text/plain; charset=utf-8";

  /** Prometheus text format. */
  private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";

  private final Pages pages;
  private final byte @Nullable [] token;

  /**
   * What is shown; asked at each request.
   *
   * @param unready why no mail should come here, empty when it may
   * @param administrator {@code null} without {@code admin.token_file}
   */
  public record Pages(
      Supplier<String> metrics,
      Supplier<Optional<String>> unready,
      @Nullable AdminPage administrator) {}

  private HttpEndpoint(Pages pages, byte @Nullable [] token) {
    this.pages = pages;
    this.token = token;
  }

  /**
   * Listens and answers at once.
   *
   * @param tokenFile its trimmed content is the bearer token that metrics ask for (RFC 6750 section
   *     2.1); {@code null} for none
   * @throws IOException when the address cannot be bound or the token file is unreadable or empty;
   *     the message is fit for the operator
   */
  public static HttpListener open(
      HostPort address, @Nullable Path tokenFile, Pages pages, ThreadFactory threads)
      throws IOException {
    byte[] token = tokenFile == null ? null : readToken(tokenFile);
    return HttpListener.open(
        "admin.http", address, new HttpEndpoint(pages, token)::answer, threads);
  }

  private static byte[] readToken(Path file) throws IOException {
    byte[] token;
    try {
      token = Files.readString(file).strip().getBytes(StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IOException("admin.token_file: cannot read " + file + ": " + e.getMessage(), e);
    }
    if (token.length == 0) {
      throw new IOException("admin.token_file: " + file + " is empty");
    }
    return token;
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = String.valueOf(exchange.getRequestURI().getPath());
      AdminPage page = pages.administrator();
      if (page != null && !path.matches("/livez|/readyz|/metrics")) {
        page.answer(exchange);
        return;
      }
      String method = exchange.getRequestMethod();
      if (!method.equals("GET") && !method.equals("HEAD")) {
        exchange.getResponseHeaders().set("Allow", "GET, HEAD");
        send(exchange, 405, TEXT, "this endpoint is read-only\n");
        return;
      }
      switch (path) {
        case "/livez" -> send(exchange, 200, TEXT, "alive\n");
        case "/readyz" -> readiness(exchange);
        case "/metrics" -> metrics(exchange);
        default -> unknown(exchange);
      }
    }
  }

  private void readiness(HttpExchange exchange) throws IOException {
    Optional<String> reason = pages.unready().get();
    send(
        exchange,
        reason.isEmpty() ? 200 : 503,
        TEXT,
        reason.map(why -> "not ready: " + why + "\n").orElse("ready\n"));
  }

  private void metrics(HttpExchange exchange) throws IOException {
    if (authorized(exchange)) {
      send(exchange, 200, METRICS, pages.metrics().get());
    }
  }

  private void unknown(HttpExchange exchange) throws IOException {
    if (authorized(exchange)) {
      send(
          exchange,
          404,
          TEXT,
          "here are /metrics, /livez and /readyz; the page needs admin.token_file\n");
    }
  }

  /** True when the request may go on; otherwise 401 was sent. */
  private boolean authorized(HttpExchange exchange) throws IOException {
    if (token == null) {
      return true;
    }
    String given = exchange.getRequestHeaders().getFirst("Authorization");
    String scheme = "Bearer ";
    if (given != null
        && given.regionMatches(true, 0, scheme, 0, scheme.length())
        && MessageDigest.isEqual(
            token, given.substring(scheme.length()).strip().getBytes(StandardCharsets.UTF_8))) {
      return true;
    }
    exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
    send(exchange, 401, TEXT, "a token is needed: Authorization: Bearer TOKEN\n");
    return false;
  }

  private static void send(HttpExchange exchange, int status, String type, String text)
      throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.sendResponseHeaders(status, -1);
      return;
    }
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }
}
