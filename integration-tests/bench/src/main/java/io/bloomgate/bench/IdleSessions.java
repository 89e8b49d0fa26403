package io.bloomgate.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Opens SMTP sessions that say EHLO and then nothing, and holds them until its input ends. Run by
 * {@code idle.sh}, from its source; nothing but the JDK is needed.
 *
 * <p>Arguments: port on loopback, number of sessions. One source address has not enough ports for
 * many sessions beside those of other programs, so they come from 127.0.1.1 and its neighbours.
 */
public final class IdleSessions {

  private static final int SESSIONS_PER_ADDRESS = 200;

  private IdleSessions() {}

  /** Says {@code held} when all are open. */
  public static void main(String[] arguments) throws IOException {
    int port = Integer.parseInt(arguments[0]);
    int sessions = Integer.parseInt(arguments[1]);
    List<SocketChannel> held = new ArrayList<>();
    ByteBuffer buffer = ByteBuffer.allocate(4096);
    for (int i = 0; i < sessions; i++) {
      SocketChannel session = SocketChannel.open();
      session.bind(new InetSocketAddress(loopback(i / SESSIONS_PER_ADDRESS), 0));
      session.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      await(session, buffer, "220 ");
      session.write(ByteBuffer.wrap("EHLO idle.example\r\n".getBytes(StandardCharsets.US_ASCII)));
      await(session, buffer, "250 ");
      held.add(session);
    }
    System.out.println("held " + held.size());
    while (System.in.read() >= 0) {
      // Only its end is waited for.
    }
    for (SocketChannel session : held) {
      session.close();
    }
  }

  private static InetAddress loopback(int client) throws IOException {
    return InetAddress.getByAddress(
        new byte[] {127, 0, (byte) (1 + client / 250), (byte) (1 + client % 250)});
  }

  /** Reads up to the line that begins so. */
  private static void await(SocketChannel session, ByteBuffer buffer, String code)
      throws IOException {
    StringBuilder said = new StringBuilder();
    while (!said.toString().startsWith(code) && said.indexOf("\r\n" + code) < 0) {
      buffer.clear();
      if (session.read(buffer) < 0) {
        throw new IOException("closed after: " + said);
      }
      said.append(StandardCharsets.US_ASCII.decode(buffer.flip()));
    }
  }
}
