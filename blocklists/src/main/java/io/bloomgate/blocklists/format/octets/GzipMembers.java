package io.bloomgate.blocklists.format.octets;

import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Reads gzip (RFC 1952), all members one after the other. Stricter than the JDK's own stream, which
 * takes garbage after the last member for the end: here that is damage, as a wrong checksum is, a
 * wrong length or a missing end. Used by {@link FeedBytes}, on one thread.
 */
final class GzipMembers extends InputStream {

  private static final int HEADER_CRC = 2;
  private static final int EXTRA = 4;
  private static final int NAME = 8;
  private static final int COMMENT = 16;
  private static final int RESERVED = 0xe0;
  private static final int DEFLATE = 8;
  private static final int LONGEST_HEADER_TEXT = 1 << 16;

  private final InputStream source;
  private final Inflater inflater = new Inflater(true);
  private final CRC32 checksum = new CRC32();
  private final byte[] input = new byte[1 << 15];
  private int position;
  private int limit;
  private boolean ended;

  /** Reads the first header. */
  GzipMembers(InputStream source) throws IOException {
    this.source = source;
    header();
  }

  static boolean isGzip(byte[] magic) {
    return magic.length >= 2 && magic[0] == 0x1f && magic[1] == (byte) 0x8b;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int from, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    while (!ended) {
      int read = inflate(target, from, length);
      if (read > 0) {
        checksum.update(target, from, read);
        return read;
      }
      if (inflater.finished()) {
        trailer();
      } else if (inflater.needsDictionary()) {
        throw new DamagedFeedException("gzip data is damaged");
      } else {
        if (position == limit && !fill()) {
          throw new DamagedFeedException("gzip data is cut off");
        }
        inflater.setInput(input, position, limit - position);
        position = limit;
      }
    }
    return -1;
  }

  private int inflate(byte[] target, int from, int length) throws DamagedFeedException {
    try {
      return inflater.inflate(target, from, length);
    } catch (DataFormatException e) {
      throw new DamagedFeedException("gzip data is damaged");
    }
  }

  private void header() throws IOException {
    checksum.reset();
    if (octet() != 0x1f || octet() != 0x8b) {
      throw new DamagedFeedException("garbage behind the gzip data");
    }
    int method = octet();
    int flags = octet();
    if (method != DEFLATE || (flags & RESERVED) != 0) {
      throw new DamagedFeedException("gzip header is damaged");
    }
    for (int i = 0; i < 6; i++) {
      // Time, extra flags and system mean nothing to us.
      octet();
    }
    if ((flags & EXTRA) != 0) {
      for (int left = octet() | octet() << 8; left > 0; left--) {
        octet();
      }
    }
    if ((flags & NAME) != 0) {
      skipText();
    }
    if ((flags & COMMENT) != 0) {
      skipText();
    }
    if ((flags & HEADER_CRC) != 0) {
      octet();
      octet();
    }
  }

  private void skipText() throws IOException {
    for (int i = 0; i < LONGEST_HEADER_TEXT; i++) {
      if (octet() == 0) {
        return;
      }
    }
    throw new DamagedFeedException("gzip header is damaged");
  }

  private void trailer() throws IOException {
    position = limit - inflater.getRemaining();
    long crc = word();
    long length = word();
    if (crc != checksum.getValue() || length != (inflater.getBytesWritten() & 0xffff_ffffL)) {
      throw new DamagedFeedException("gzip checksum is wrong");
    }
    inflater.reset();
    if (position < limit || fill()) {
      header();
    } else {
      ended = true;
    }
  }

  private long word() throws IOException {
    return octet() | octet() << 8 | octet() << 16 | (long) octet() << 24;
  }

  private int octet() throws IOException {
    if (position == limit && !fill()) {
      throw new DamagedFeedException("gzip data is cut off");
    }
    return input[position++] & 0xff;
  }

  private boolean fill() throws IOException {
    int read = source.read(input, 0, input.length);
    position = 0;
    limit = Math.max(read, 0);
    return read > 0;
  }

  @Override
  public void close() throws IOException {
    inflater.end();
    source.close();
  }
}
