package io.bloomgate.blocklists.fetch;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * An HTTP proxy on loopback to which every name means loopback. Notes the heads it was sent; wants
 * credentials if it was made so.
 */
final class FakeProxy implements AutoCloseable {

  private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final List<String> heads = new CopyOnWriteArrayList<>();
  private final String credentials;

  /**
   * @param credentials what must follow {@code Proxy-Authorization: Basic}, empty for none
   */
  FakeProxy(String credentials) throws IOException {
    this.credentials = credentials;
    executor.execute(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  /** Requests as they came, without their bodies. */
  List<String> heads() {
    return heads;
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        executor.execute(() -> serve(client));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void serve(Socket client) {
    try (client) {
      String head = head(client.getInputStream());
      heads.add(head);
      OutputStream out = client.getOutputStream();
      if (!credentials.isEmpty()
          && !head.contains("Proxy-Authorization: Basic " + credentials + "\r\n")) {
        out.write("HTTP/1.1 407 Who are you\r\nContent-Length: 0\r\n\r\n".getBytes(ISO_8859_1));
        return;
      }
      String[] words = head.split(" ", 3);
      boolean tunnel = words[0].equals("CONNECT");
      URI target = URI.create(tunnel ? "x://" + words[1] : words[1]);
      try (Socket server = new Socket(InetAddress.getLoopbackAddress(), target.getPort())) {
        if (tunnel) {
          out.write("HTTP/1.1 200 Here you are\r\n\r\n".getBytes(ISO_8859_1));
        } else {
          server.getOutputStream().write(head.getBytes(ISO_8859_1));
        }
        executor.execute(() -> pipe(client, server));
        pipe(server, client);
      }
    } catch (IOException e) {
      // The client or the server left; the test sees it on its side.
      heads.add("broken: " + e);
    }
  }

  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int octet = in.read();
      if (octet < 0) {
        throw new IOException("no request");
      }
      head.append((char) octet);
    }
    return head.toString();
  }

  private static void pipe(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
      to.shutdownOutput();
    } catch (IOException e) {
      // The end of a connection is the end of its pipe.
      return;
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    executor.shutdownNow();
  }
}
