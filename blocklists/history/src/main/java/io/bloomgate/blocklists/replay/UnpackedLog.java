package io.bloomgate.blocklists.replay;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * The text of a log file. The text of a packed file that is cut or damaged ends there in place of
 * failing, so that readers with buffers lose nothing of what came before. Opened by {@link
 * LogFile}; one thread.
 */
final class UnpackedLog extends FilterInputStream {

  private String problem = "";

  private UnpackedLog(InputStream text) {
    super(text);
  }

  /** The text of a file, of which nothing was read. */
  static UnpackedLog of(InputStream raw, boolean packed, int buffer) throws IOException {
    try {
      return new UnpackedLog(packed ? new GZIPInputStream(raw, buffer) : raw);
    } catch (EOFException e) {
      UnpackedLog empty = new UnpackedLog(raw);
      empty.ended();
      return empty;
    }
  }

  /** The reason why there is no more text; empty when the file was read to its end, or may be. */
  String problem() {
    return problem;
  }

  private int ended() {
    problem = "the file ends early: the end of the gzip data is missing";
    return -1;
  }

  @Override
  public int read(byte[] octets, int from, int length) throws IOException {
    if (!problem.isEmpty()) {
      return -1;
    }
    try {
      return super.read(octets, from, length);
    } catch (EOFException e) {
      return ended();
    } catch (ZipException e) {
      problem = "the gzip data behind is damaged";
      return -1;
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }
}
