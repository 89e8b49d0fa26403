package io.bloomgate.gateway.admin;

import com.sun.net.httpserver.HttpExchange;
import io.bloomgate.config.settings.HostPort;
import io.bloomgate.gateway.page.AdminPage;
import io.bloomgate.gateway.page.HttpListener;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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

  /**
   * The contents of the pages; asked at each request.
   *
   * @param unready why no mail should come here, empty when it may
   * @param administrator also decides who may read the metrics; {@code null} without {@code
   *     admin.token_file}: then anybody may
   */
  public record Pages(
      Supplier<String> metrics,
      Supplier<Optional<String>> unready,
      @Nullable AdminPage administrator) {}

  private HttpEndpoint(Pages pages) {
    this.pages = pages;
  }

  /**
   * Listens and answers at once.
   *
   * @throws IOException when the address cannot be bound or the token file cannot be used; the
   *     message is fit for the operator
   */
  public static HttpListener open(HostPort address, Pages pages, ThreadFactory threads)
      throws IOException {
    if (pages.administrator() != null) {
      pages.administrator().check();
    }
    return HttpListener.open("admin.http", address, new HttpEndpoint(pages)::answer, threads);
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
        default ->
            send(
                exchange,
                404,
                TEXT,
                "here are /metrics, /livez and /readyz; the page needs admin.token_file\n");
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
    AdminPage page = pages.administrator();
    if (page == null || page.permits(exchange)) {
      send(exchange, 200, METRICS, pages.metrics().get());
    }
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
