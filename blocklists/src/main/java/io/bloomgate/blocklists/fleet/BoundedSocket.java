package io.bloomgate.blocklists.fleet;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.util.function.LongSupplier;

/**
 * A connected socket whose input is {@link BoundedReplies}, with all that the library asks of a
 * socket. Made by {@link RedisServer}; used by the library on the thread of a command.
 */
final class BoundedSocket extends Socket {

  private final Socket socket;
  private final InputStream replies;

  /** Around a connected socket, plain or of TLS. */
  BoundedSocket(Socket socket, LongSupplier nanoTime) throws IOException {
    this.socket = socket;
    this.replies = new BoundedReplies(socket.getInputStream(), nanoTime);
  }

  @Override
  public InputStream getInputStream() {
    return replies;
  }

  @Override
  public OutputStream getOutputStream() throws IOException {
    return socket.getOutputStream();
  }

  @Override
  public SocketAddress getLocalSocketAddress() {
    return socket.getLocalSocketAddress();
  }

  @Override
  public SocketAddress getRemoteSocketAddress() {
    return socket.getRemoteSocketAddress();
  }

  @Override
  public int getSoTimeout() throws SocketException {
    return socket.getSoTimeout();
  }

  @Override
  public void setSoTimeout(int millis) throws SocketException {
    socket.setSoTimeout(millis);
  }

  @Override
  public boolean isBound() {
    return socket.isBound();
  }

  @Override
  public boolean isConnected() {
    return socket.isConnected();
  }

  @Override
  public boolean isClosed() {
    return socket.isClosed();
  }

  @Override
  public boolean isInputShutdown() {
    return socket.isInputShutdown();
  }

  @Override
  public boolean isOutputShutdown() {
    return socket.isOutputShutdown();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
