package io.bloomgate.blocklists.workbench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.bloomgate.blocklists.fleet.RedisWords;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A server that reads commands of the Redis protocol and gives to each the reply that the test has
 * set, whatever it is; an empty one closes the connection. A thread for each connection.
 */
final class FalseRedis implements AutoCloseable {

  private final ServerSocket listener;
  private final Map<String, String> replies = new ConcurrentHashMap<>();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  FalseRedis() throws IOException {
    listener = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  /** From now on a command has this reply, octet for octet. */
  void reply(String command, String reply) {
    replies.put(command, reply);
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
      OutputStream out = socket.getOutputStream();
      boolean holding = false;
      while (true) {
        String command = RedisWords.read(in).getFirst().toUpperCase(Locale.ROOT);
        holding &= !command.equals("EXEC");
        String reply = holding ? "+QUEUED\r\n" : replies.getOrDefault(command, "+OK\r\n");
        holding |= command.equals("MULTI");
        if (reply.isEmpty()) {
          return;
        }
        out.write(reply.getBytes(ISO_8859_1));
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
