package io.bloomgate.blocklists.fleet.published;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A web server over a folder, with ETag: what an operator puts before {@code fleet.publish}. */
final class ServedFolder implements AutoCloseable {

  private final HttpServer server;
  private final Path root;

  /** Status and name of each answer. */
  final List<String> answers = new CopyOnWriteArrayList<>();

  ServedFolder(Path root) throws IOException {
    this.root = root;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/lists/", this::answer);
    server.start();
  }

  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/lists/";
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String name = exchange.getRequestURI().getPath().substring("/lists/".length());
      Path file = root.resolve(name);
      byte[] octets = Files.isRegularFile(file) ? Files.readAllBytes(file) : new byte[0];
      String etag = "\"" + Arrays.hashCode(octets) + "\"";
      boolean same = etag.equals(exchange.getRequestHeaders().getFirst("If-None-Match"));
      exchange.getResponseHeaders().add("ETag", etag);
      int status = octets.length == 0 ? 404 : same ? 304 : 200;
      answers.add(status + " " + name);
      exchange.sendResponseHeaders(status, status == 200 ? octets.length : -1);
      if (status == 200) {
        exchange.getResponseBody().write(octets);
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
