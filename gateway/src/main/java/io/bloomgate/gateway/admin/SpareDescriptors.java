package io.bloomgate.gateway.admin;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * A few file descriptors kept for the control socket, so that it answers when sessions have taken
 * all others: an administrator must be able to ask a gateway in trouble what is wrong. Thread-safe.
 *
 * <p>Each is an open socket that is connected to nothing. {@link ControlServer} closes them when no
 * connection can be accepted, and opens them again when one has ended.
 */
final class SpareDescriptors implements AutoCloseable {

  /** One for a connection, the others for what its answer has to open. */
  private static final int COUNT = 4;

  private final List<SocketChannel> spare = new ArrayList<>();
  private boolean closed;

  /** Opens as many of the missing ones as possible. */
  synchronized void refill() {
    try {
      while (!closed && spare.size() < COUNT) {
        spare.add(SocketChannel.open(StandardProtocolFamily.UNIX));
      }
    } catch (IOException e) {
      // None is free now; the next call tries again.
    }
  }

  /**
   * Closes all of them.
   *
   * @return false when there were none
   */
  synchronized boolean release() {
    boolean any = !spare.isEmpty();
    for (SocketChannel channel : spare) {
      closeQuietly(channel);
    }
    spare.clear();
    return any;
  }

  private static void closeQuietly(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      // It was connected to nothing.
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    release();
  }
}
