package io.bloomgate.gateway.admin;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.bloomgate.config.settings.HostPort;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP endpoint {@code admin.http}: metrics, liveness, readiness. Read-only.
 *
 * <p>The JDK's server; a virtual thread a request from the factory that the composition root gives.
 */
public final class HttpEndpoint implements AutoCloseable {

  private static final String TEXT = "text/plain; charset=utf-8";

  /** Prometheus text format. */
  private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";

  private final HttpServer server;
  private final Pages pages;
  private final byte @Nullable [] token;

  /**
   * What is shown; asked at each request.
   *
   * @param unready why no mail should come here, empty when it may
   */
  public record Pages(Supplier<String> metrics, Supplier<Optional<String>> unready) {}

  private HttpEndpoint(HttpServer server, Pages pages, byte @Nullable [] token) {
    this.server = server;
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
  public static HttpEndpoint open(
      HostPort address, @Nullable Path tokenFile, Pages pages, ThreadFactory threads)
      throws IOException {
    limitConnections();
    byte[] token = tokenFile == null ? null : readToken(tokenFile);
    HttpServer server;
    try {
      server = HttpServer.create(new InetSocketAddress(address.host(), address.port()), 0);
    } catch (IOException e) {
      throw new IOException("admin.http: cannot listen on " + address + ": " + e.getMessage(), e);
    }
    HttpEndpoint endpoint = new HttpEndpoint(server, pages, token);
    server.setExecutor(request -> threads.newThread(request).start());
    server.createContext("/", endpoint::answer);
    server.start();
    return endpoint;
  }

  /** Where it listens; the port that the system chose when 0 was asked for. */
  public InetSocketAddress address() {
    return server.getAddress();
  }

  @Override
  public void close() {
    server.stop(0);
  }

  /** The server's own bounds are properties of the whole JVM; an operator's choice goes first. */
  private static void limitConnections() {
    setIfAbsent("jdk.httpserver.maxConnections", "100");
    setIfAbsent("sun.net.httpserver.maxReqTime", "10"); // seconds
    setIfAbsent("sun.net.httpserver.maxRspTime", "30"); // seconds
  }

  private static void setIfAbsent(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
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
      String method = exchange.getRequestMethod();
      if (!method.equals("GET") && !method.equals("HEAD")) {
        exchange.getResponseHeaders().set("Allow", "GET, HEAD");
        send(exchange, 405, TEXT, "this endpoint is read-only\n");
        return;
      }
      switch (exchange.getRequestURI().getPath()) {
        case "/livez" -> send(exchange, 200, TEXT, "alive\n");
        case "/readyz" -> readiness(exchange);
        case "/metrics" -> metrics(exchange);
        case null, default -> unknown(exchange);
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
      send(exchange, 404, TEXT, "here are /metrics, /livez and /readyz\n");
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
