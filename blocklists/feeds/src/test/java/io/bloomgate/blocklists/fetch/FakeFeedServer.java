package io.bloomgate.blocklists.fetch;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;

/**
 * A publisher of feeds on loopback whose answers a test sets path by path. Each test makes its own
 * and closes it.
 */
public final class FakeFeedServer implements AutoCloseable {

  /** What a path does when it is asked. */
  @FunctionalInterface
  public interface Answer {
    /** Answers one request; the exchange is closed afterwards. */
    void give(HttpExchange exchange) throws IOException;
  }

  private final HttpServer server;
  private final String scheme;
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, Answer> answers = new ConcurrentHashMap<>();
  private final List<Map<String, List<String>>> requests = new CopyOnWriteArrayList<>();
  private final List<String> targets = new CopyOnWriteArrayList<>();
  private final CountDownLatch closing = new CountDownLatch(1);

  /** Starts on a free port. */
  public FakeFeedServer() throws IOException {
    this("http", HttpServer.create(anyPort(), 0));
  }

  /** Starts on a free port and speaks TLS only. */
  public FakeFeedServer(SSLContext context) throws IOException {
    this("https", encrypted(context));
  }

  private static InetSocketAddress anyPort() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  private static HttpServer encrypted(SSLContext context) throws IOException {
    HttpsServer server = HttpsServer.create(anyPort(), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    return server;
  }

  private FakeFeedServer(String scheme, HttpServer server) {
    this.scheme = scheme;
    this.server = server;
    server.setExecutor(executor);
    server.createContext("/", this::handle);
    server.start();
  }

  private void handle(HttpExchange exchange) throws IOException {
    requests.add(Map.copyOf(exchange.getRequestHeaders()));
    targets.add(exchange.getRequestURI().toString());
    try (exchange) {
      Answer answer = answers.get(exchange.getRequestURI().getPath());
      if (answer == null) {
        exchange.sendResponseHeaders(404, -1);
      } else {
        answer.give(exchange);
      }
    }
  }

  /** Where a path is. */
  public URI uri(String path) {
    return uri("127.0.0.1", path);
  }

  /** The same by another name. */
  public URI uri(String host, String path) {
    return URI.create(scheme + "://" + host + ":" + server.getAddress().getPort() + path);
  }

  /** Sets the answer of a path. */
  public void on(String path, Answer answer) {
    answers.put(path, answer);
  }

  /** 200 with this body, and 304 for a request that has its ETag. */
  public void serve(String path, byte[] body) {
    String tag = "\"" + java.util.Arrays.hashCode(body) + "\"";
    on(
        path,
        exchange -> {
          exchange.getResponseHeaders().set("ETag", tag);
          if (tag.equals(exchange.getRequestHeaders().getFirst("If-None-Match"))) {
            exchange.sendResponseHeaders(304, -1);
          } else {
            exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
            if (body.length > 0) {
              exchange.getResponseBody().write(body);
            }
          }
        });
  }

  /** The same with a text. */
  public void serve(String path, String body) {
    serve(path, body.getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }

  /** Promises more than it sends, then hangs up. */
  public void serveCutOff(String path, byte[] body) {
    on(
        path,
        exchange -> {
          exchange.sendResponseHeaders(200, body.length + 1000L);
          OutputStream out = exchange.getResponseBody();
          out.write(body);
          out.flush();
        });
  }

  /** Sends the beginning of a body and then nothing until the server is closed. */
  public void stall(String path) {
    on(
        path,
        exchange -> {
          exchange.sendResponseHeaders(200, 1000);
          exchange.getResponseBody().write('#');
          exchange.getResponseBody().flush();
          awaitClosing();
        });
  }

  private void awaitClosing() {
    try {
      closing.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** An answer without a body. */
  public void status(String path, int status, Map<String, String> headers) {
    on(
        path,
        exchange -> {
          headers.forEach(exchange.getResponseHeaders()::set);
          exchange.sendResponseHeaders(status, -1);
        });
  }

  /** Headers of all requests so far. */
  public List<Map<String, List<String>>> requests() {
    return List.copyOf(requests);
  }

  /** Paths and queries of all requests so far. */
  public List<String> targets() {
    return List.copyOf(targets);
  }

  @Override
  public void close() {
    closing.countDown();
    server.stop(0);
    executor.shutdownNow();
  }
}
