package io.bloomgate.blocklists.format;

import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;

/** Takes a UTF-8 byte-order mark off the beginning of a text. Used by {@link JsonParser}. */
final class Utf8Mark extends PushbackInputStream {

  Utf8Mark(InputStream text) throws IOException {
    super(text, 3);
    byte[] first = text.readNBytes(3);
    boolean mark =
        first.length == 3
            && first[0] == (byte) 0xef
            && first[1] == (byte) 0xbb
            && first[2] == (byte) 0xbf;
    if (!mark) {
      unread(first);
    }
  }
}
