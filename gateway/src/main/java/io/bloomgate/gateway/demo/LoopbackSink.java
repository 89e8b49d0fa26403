package io.bloomgate.gateway.demo;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;

/**
 * A mail server on loopback that takes every mail and forgets it at once, for the warm-up of the
 * gateway. Made and closed on the thread of the warm-up; each connection has its own thread.
 */
public final class LoopbackSink implements AutoCloseable {

  private static final int VERB_OCTETS = 4;
  private static final int PIECE_OCTETS = 8192;

  /** CRLF, dot, CRLF. */
  private static final long FINAL_DOT = 0x0D_0A_2E_0D_0AL;

  private static final int FINAL_DOT_OCTETS = 5;
  private static final long LAST_FIVE = 0xFF_FFFF_FFFFL;
  private static final byte[] GREETING = bytes("220 sink.invalid ESMTP\r\n");
  private static final byte[] EXTENSIONS =
      bytes("250-sink.invalid\r\n250-PIPELINING\r\n250 8BITMIME\r\n");
  private static final byte[] GO = bytes("354 go\r\n");
  private static final byte[] OK = bytes("250 ok\r\n");

  private final ServerSocket server;
  private final ThreadFactory threads;
  private final Set<Socket> clients = ConcurrentHashMap.newKeySet();

  /** Listens on any port. */
  public LoopbackSink(ThreadFactory threads) throws IOException {
    this.threads = threads;
    this.server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    threads.newThread(this::accept).start();
  }

  /** The port where it listens. */
  public int port() {
    return server.getLocalPort();
  }

  /** Takes no more connections and ends those that are open, as other users may hold some. */
  @Override
  public void close() throws IOException {
    server.close();
    for (Socket client : clients) {
      client.close();
    }
  }

  private void accept() {
    try {
      while (true) {
        Socket client = server.accept();
        clients.add(client);
        if (server.isClosed()) {
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
      out.write(GREETING);
      for (String verb = verb(in); !verb.isEmpty(); verb = verb(in)) {
        if (verb.equals("DATA")) {
          out.write(GO);
          skipContent(in);
        }
        out.write(verb.equals("EHLO") ? EXTENSIONS : OK);
      }
    } catch (IOException e) {
      return; // the client has gone
    } finally {
      clients.remove(client);
    }
  }

  /** The first four octets of a line; empty when the client has gone. */
  private static String verb(InputStream in) throws IOException {
    StringBuilder verb = new StringBuilder();
    for (int octet = in.read(); octet >= 0 && octet != '\n'; octet = in.read()) {
      if (verb.length() < VERB_OCTETS) {
        verb.append((char) octet);
      }
    }
    return verb.toString();
  }

  /** Reads up to the final dot, after which a client waits. */
  private static void skipContent(InputStream in) throws IOException {
    byte[] piece = new byte[PIECE_OCTETS];
    long last = 0;
    while (last != FINAL_DOT) {
      int read = in.read(piece);
      if (read < 0) {
        throw new EOFException();
      }
      for (int i = Math.max(0, read - FINAL_DOT_OCTETS); i < read; i++) {
        last = ((last << 8) | (piece[i] & 0xFF)) & LAST_FIVE;
      }
    }
  }

  private static byte[] bytes(String line) {
    return line.getBytes(StandardCharsets.US_ASCII);
  }
}
