package io.bloomgate.blocklists.fleet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads commands of the Redis protocol, for servers of a test, on the thread of a connection. */
public final class RedisWords {

  private RedisWords() {}

  /** The words of the next command. */
  public static List<String> read(DataInputStream in) throws IOException {
    int count = Integer.parseInt(line(in).substring(1));
    List<String> words = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] octets = new byte[Integer.parseInt(line(in).substring(1))];
      in.readFully(octets);
      line(in);
      words.add(new String(octets, ISO_8859_1));
    }
    return words;
  }

  private static String line(DataInputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int octet = in.read(); octet != '\n'; octet = in.read()) {
      if (octet < 0) {
        throw new EOFException();
      }
      line.append((char) octet);
    }
    return line.toString().strip();
  }
}
