package io.bloomgate.gateway.page;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.bloomgate.config.settings.HostPort;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ThreadFactory;

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
}
