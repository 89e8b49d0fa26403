package io.bloomgate.gateway.page;

import com.sun.net.httpserver.HttpExchange;
import io.bloomgate.config.settings.HostPort;
import java.io.IOException;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP endpoint {@code admin.http}: metrics, liveness, readiness, and the administrator's page
 * at all other addresses. Called on the virtual thread of each request.
 */
public final class HttpEndpoint {

  /** Prometheus text format. */
  private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";

  private final Pages pages;

  /**
   * The contents of the pages; asked at each request.
   *
   * @param unready why no mail should come here, from memory alone; empty when it may
   * @param administrator also decides who may read the metrics; {@code null} without {@code
   *     admin.token_file}: then anybody may
   */
  public record Pages(
      Supplier<String> metrics, Supplier<String> unready, @Nullable AdminPage administrator) {}

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

  private void answer(HttpExchange http) throws IOException {
    try (http) {
      Exchange exchange = new Exchange(http);
      AdminPage page = pages.administrator();
      if (page != null && !exchange.path().matches("/livez|/readyz|/metrics")) {
        page.answer(http);
      } else if (!http.getRequestMethod().matches("GET|HEAD")) {
        exchange.setHeader("Allow", "GET, HEAD");
        exchange.send(405, Exchange.TEXT, "this endpoint is read-only\n");
      } else {
        answer(exchange, page);
      }
    }
  }

  private void answer(Exchange exchange, @Nullable AdminPage page) throws IOException {
    switch (exchange.path()) {
      case "/livez" -> exchange.send(200, Exchange.TEXT, "alive\n");
      case "/readyz" -> {
        String reason = pages.unready().get();
        boolean isReady = reason.isEmpty();
        exchange.send(
            isReady ? 200 : 503,
            Exchange.TEXT,
            isReady ? "ready\n" : "not ready: " + reason + "\n");
      }
      case "/metrics" -> {
        if (page == null || page.permits(exchange)) {
          exchange.send(200, METRICS, pages.metrics().get());
        }
      }
      default ->
          exchange.send(
              404,
              Exchange.TEXT,
              "here are /metrics, /livez and /readyz; the page needs admin.token_file\n");
    }
  }
}
