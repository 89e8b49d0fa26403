package io.bloomgate.blocklists.fleet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * A server that reads commands of the Redis protocol and gives the replies of a test, octet for
 * octet; an empty one closes the connection. A thread for each connection.
 */
public final class RedisStub implements AutoCloseable {

  /** In place of a reply to EXEC: those of the commands since MULTI. */
  public static final String HELD = "held";

  private final Function<List<String>, String> replies;
  private final ServerSocket listener;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  public RedisStub(Function<List<String>, String> replies) throws IOException {
    this.replies = replies;
    this.listener = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  public int port() {
    return listener.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listener.accept();
        open.add(socket);
        Thread.ofVirtual().start(() -> serve(socket));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
      OutputStream out = new BufferedOutputStream(socket.getOutputStream());
      List<String> held = new ArrayList<>();
      boolean holding = false;
      while (true) {
        List<String> words = RedisWords.read(in);
        String command = words.getFirst().toUpperCase(Locale.ROOT);
        String reply = replies.apply(words);
        if (command.equals("EXEC")) {
          holding = false;
          reply = reply.equals(HELD) ? "*" + held.size() + "\r\n" + String.join("", held) : reply;
        } else if (holding) {
          held.add(reply);
          reply = "+QUEUED\r\n";
        } else if (command.equals("MULTI")) {
          holding = true;
          held.clear();
        }
        if (reply.isEmpty()) {
          return;
        }
        out.write(reply.getBytes(ISO_8859_1));
        if (in.available() == 0) {
          out.flush();
        }
      }
    } catch (IOException e) {
      // The client has gone.
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : open) {
      socket.close();
    }
  }
}
