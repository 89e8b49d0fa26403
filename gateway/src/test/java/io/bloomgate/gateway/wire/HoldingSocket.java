package io.bloomgate.gateway.wire;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;

/**
 * A client's socket that can keep back what is written to it, and send it octet by octet: below TLS
 * this makes a record that takes its time.
 */
public final class HoldingSocket extends Socket {

  private volatile boolean holding;
  private volatile boolean joining;
  private byte[] held = new byte[0];
  private int sent;

  public HoldingSocket(int port) throws IOException {
    super(InetAddress.getLoopbackAddress(), port);
  }

  /** What is written from now on stays here. */
  public void hold() {
    holding = true;
  }

  /** What is held goes out in one segment with what is written next. */
  public void joinNext() {
    joining = true;
  }

  /** Sends this number of the held octets, or all that are left, and returns their number. */
  public synchronized int send(int octets) throws IOException {
    int now = Math.min(octets, held.length - sent);
    super.getOutputStream().write(held, sent, now);
    sent += now;
    return now;
  }

  /** Sends all that is held, and keeps nothing back any more. */
  public synchronized void release() throws IOException {
    send(held.length);
    held = new byte[0];
    sent = 0;
    holding = false;
  }

  private synchronized void keep(byte[] octets, int offset, int length) {
    byte[] more = new byte[held.length + length];
    System.arraycopy(held, 0, more, 0, held.length);
    System.arraycopy(octets, offset, more, held.length, length);
    held = more;
  }

  @Override
  public OutputStream getOutputStream() throws IOException {
    return new FilterOutputStream(super.getOutputStream()) {
      @Override
      public void write(byte[] octets, int offset, int length) throws IOException {
        if (holding) {
          keep(octets, offset, length);
          if (joining) {
            release();
          }
        } else {
          out.write(octets, offset, length);
        }
      }
    };
  }
}
