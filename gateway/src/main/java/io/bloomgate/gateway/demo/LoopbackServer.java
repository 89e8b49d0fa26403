package io.bloomgate.gateway.demo;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.Settings.Listener.ProxyProtocol;
import io.bloomgate.gateway.wire.ProxyHeader;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A mail server on loopback behind the gateway of demo, training and warm-up: it takes mail for
 * every recipient but one unknown user, and can be down. Opened and closed on one thread; each
 * connection has its own.
 */
public final class LoopbackServer implements AutoCloseable {

  /** The local part that the server refuses with 550. */
  static final String UNKNOWN_USER = "nobody";

  private static final int VERB = 4;
  private static final int PIECE_OCTETS = 8192;

  private static final String FINAL_DOT = "\r\n.\r\n";

  /**
   * A mail that was taken.
   *
   * @param client whom the gateway named as the client
   * @param content each octet as a character
   */
  public record Delivered(String client, String content) {
    /** True when this very message is inside, as it was sent. */
    boolean endsWith(byte[] message) {
      return content.endsWith(new String(message, ISO_8859_1));
    }
  }

  private final ThreadFactory threads;
  private final boolean named;
  private final Consumer<Delivered> taker;
  private final Set<Socket> clients = ConcurrentHashMap.newKeySet();
  private @Nullable ServerSocket server;
  private int port;

  /**
   * One that is down.
   *
   * @param named true when the gateway names clients by a PROXY header of version 2
   * @param taker gets each mail, on the thread of its connection
   */
  public LoopbackServer(ThreadFactory threads, boolean named, Consumer<Delivered> taker) {
    this.threads = threads;
    this.named = named;
    this.taker = taker;
  }

  /**
   * Begins to listen, on the former port if it was up before.
   *
   * @throws IOException when the port cannot be bound
   */
  public void up() throws IOException {
    ServerSocket next = new ServerSocket(port, 0, InetAddress.getLoopbackAddress());
    port = next.getLocalPort();
    server = next;
    threads.newThread(() -> accept(next)).start();
  }

  /** Takes no more connections and ends those that are open: from now on it is unreachable. */
  void down() throws IOException {
    ServerSocket running = server;
    server = null;
    if (running != null) {
      running.close();
    }
    for (Socket client : clients) {
      client.close();
    }
  }

  /** The port where it listens. */
  public int port() {
    return port;
  }

  @Override
  public void close() throws IOException {
    down();
  }

  private void accept(ServerSocket listening) {
    try {
      while (true) {
        Socket client = listening.accept();
        clients.add(client);
        if (listening.isClosed()) {
          client.close();
        }
        threads.newThread(() -> serve(client)).start();
      }
    } catch (IOException e) {
      return; // closed
    }
  }

  private void serve(Socket client) {
    try (client) {
      client.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(client.getInputStream());
      OutputStream out = client.getOutputStream();
      String name = named ? clientOfProxyHeader(in) : "";
      say(out, "220 mail.company.example ESMTP");
      for (String line = line(in); !line.isEmpty(); line = line(in)) {
        String verb = line.substring(0, Math.min(VERB, line.length())).toUpperCase(Locale.ROOT);
        if (verb.equals("DATA")) {
          say(out, "354 go");
          taker.accept(new Delivered(name, content(in)));
        }
        say(out, reply(verb, line));
      }
    } catch (IOException e) {
      return; // the client has gone
    } finally {
      clients.remove(client);
    }
  }

  private static String reply(String verb, String line) {
    if (verb.equals("EHLO")) {
      return "250-mail.company.example\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 SMTPUTF8";
    }
    return line.contains("<" + UNKNOWN_USER + "@")
        ? "550 5.1.1 "
            + line.substring(line.indexOf('<'))
            + ": Recipient address rejected: User unknown"
        : "250 2.0.0 Ok";
  }

  private static void say(OutputStream out, String reply) throws IOException {
    out.write((reply + "\r\n").getBytes(UTF_8));
  }

  /** The address of the client; it is empty for the gateway itself. */
  private static String clientOfProxyHeader(InputStream in) throws IOException {
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    ProxyHeader.Progress progress = new ProxyHeader.Progress.NeedMore();
    while (progress instanceof ProxyHeader.Progress.NeedMore) {
      int octet = in.read();
      if (octet < 0) {
        throw new EOFException();
      }
      read.write(octet);
      progress = ProxyHeader.parse(read.toByteArray(), 0, read.size(), ProxyProtocol.V2);
    }
    return progress
            instanceof ProxyHeader.Progress.Done(ProxyHeader.Proxied(IpAddress client, _, _, _), _)
        ? client.toString()
        : "";
  }

  /** A line without its end; empty when the client has gone. */
  private static String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int octet = in.read(); octet >= 0 && octet != '\n'; octet = in.read()) {
      line.write(octet);
    }
    return line.toString(UTF_8).stripTrailing();
  }

  /** Reads up to the final dot, after which a client waits. */
  private static String content(InputStream in) throws IOException {
    StringBuilder content = new StringBuilder();
    byte[] piece = new byte[PIECE_OCTETS];
    int end = -1;
    while (end < 0) {
      int read = in.read(piece);
      if (read < 0) {
        throw new EOFException();
      }
      content.append(new String(piece, 0, read, ISO_8859_1));
      end = content.indexOf(FINAL_DOT, Math.max(0, content.length() - FINAL_DOT.length()));
    }
    return content.substring(0, end + "\r\n".length());
  }
}
