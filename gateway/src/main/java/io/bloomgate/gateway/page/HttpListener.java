package io.bloomgate.gateway.page;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.bloomgate.config.notation.HostPort;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP port: the JDK's server, a virtual thread a request from the factory that the composition
 * root gives. Opened and closed by the composition root.
 */
public final class HttpListener implements AutoCloseable {

  /**
   * Connections of one port. A silent one costs a file descriptor and some memory. The JDK's server
   * cannot bound those of one address: it shows a connection only when its request is there.
   */
  private static final int MAX_CONNECTIONS = 500;

  /**
   * The time from the first octet of a request to its last, and from the connection to the first
   * octet.
   */
  private static final int MAX_REQUEST_SECONDS = 3;

  /** The time between two requests of a connection. */
  private static final int MAX_IDLE_SECONDS = 10;

  /** The interval in which silent connections are searched; by default each 10 seconds. */
  private static final int IDLE_CHECK_MILLIS = 1_000;

  private final HttpServer server;

  private HttpListener(HttpServer server) {
    this.server = server;
  }

  /**
   * Listens and answers at once.
   *
   * @param setting names the address in messages
   * @throws IOException when the address cannot be bound; the message is fit for the operator
   */
  public static HttpListener open(
      String setting, HostPort address, HttpHandler handler, ThreadFactory threads)
      throws IOException {
    limitRequests();
    HttpServer server;
    try {
      server = HttpServer.create(new InetSocketAddress(address.host(), address.port()), 0);
    } catch (IOException e) {
      throw new IOException(setting + ": cannot listen on " + address + ": " + e.getMessage(), e);
    }
    server.setExecutor(request -> threads.newThread(request).start());
    server.createContext("/", handler);
    server.start();
    return new HttpListener(server);
  }

  /** The address where it listens; the port that the system chose when 0 was asked for. */
  public InetSocketAddress address() {
    return server.getAddress();
  }

  @Override
  public void close() {
    server.stop(0);
  }

  /** The server's own bounds are properties of the whole JVM; an operator's choice goes first. */
  private static void limitRequests() {
    setIfAbsent("jdk.httpserver.maxConnections", MAX_CONNECTIONS);
    setIfAbsent("sun.net.httpserver.maxReqHeaders", 64);
    setIfAbsent("sun.net.httpserver.maxReqHeaderSize", 16_384); // octets, all headers
    setIfAbsent("sun.net.httpserver.maxReqTime", MAX_REQUEST_SECONDS);
    setIfAbsent("sun.net.httpserver.maxRspTime", 30); // seconds
    setIfAbsent("sun.net.httpserver.idleInterval", MAX_IDLE_SECONDS);
    setIfAbsent("sun.net.httpserver.clockTick", IDLE_CHECK_MILLIS);
  }

  private static void setIfAbsent(String property, int value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, Integer.toString(value));
    }
  }

  /**
   * The HTTP endpoint {@code admin.http}: metrics, liveness, readiness, and the administrator's
   * page at all other addresses. Called on the virtual thread of each request.
   */
  public static final class HttpEndpoint {

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
}
