package io.bloomgate.gateway.admin;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * A few file descriptors kept for the control socket, so that it answers when sessions have taken
 * all others: a gateway in trouble has to be asked what the trouble is. Thread-safe.
 *
 * <p>Each is an open socket that is connected to nothing. {@link ControlServer} lets them go when
 * no connection can be accepted, and takes them again when one has ended.
 */
final class SpareDescriptors implements AutoCloseable {

  /** One for a connection, the others for what its answer has to open. */
  private static final int COUNT = 4;

  private final List<SocketChannel> spare = new ArrayList<>();
  private boolean closed;

  /** Takes as many as are missing and to be had. */
  synchronized void refill() {
    try {
      while (!closed && spare.size() < COUNT) {
        spare.add(SocketChannel.open(StandardProtocolFamily.UNIX));
      }
    } catch (IOException e) {
      // None is free for now: there will be another time.
    }
  }

  /**
   * Lets all go.
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
