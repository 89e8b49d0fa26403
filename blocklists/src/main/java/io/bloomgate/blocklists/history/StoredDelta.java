package io.bloomgate.blocklists.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.history.Delta.Past;
import io.bloomgate.blocklists.history.Probes.Probe;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * A record that {@link DeltaWriter} wrote, over the octets of a mapped file: its head is read, its
 * keys only where the filter may hold what is searched. Read on the thread of a command; immutable.
 */
final class StoredDelta {

  /** A feed that changed. */
  record Feed(String name, long version, Past past) {}

  /** Keys of one feed, form and sign. */
  private record Group(int feed, int number, int count, int from) {
    int form() {
      return number >>> 2;
    }

    boolean exception() {
      return (number & 2) != 0;
    }

    boolean added() {
      return (number & 1) != 0;
    }
  }

  /** Takes what was searched and found. */
  @FunctionalInterface
  interface Sink {
    void found(String feed, Probe probe, boolean exception, boolean added);
  }

  private final long before;
  private final long generation;
  private final Instant after;
  private final Instant at;
  private final List<Feed> feeds = new ArrayList<>();
  private final List<Group> groups = new ArrayList<>();
  private final LongBuffer filter;
  private final int bodyOctets;
  private final ByteBuffer deflated;

  /**
   * Over the payload of a record whose checksum is right.
   *
   * @throws RuntimeException when a release that counts other things wrote it
   */
  StoredDelta(ByteBuffer payload) {
    before = payload.getLong();
    generation = payload.getLong();
    after = Instant.ofEpochMilli(payload.getLong());
    at = Instant.ofEpochMilli(payload.getLong());
    for (int left = payload.getInt(); left > 0; left--) {
      feeds.add(new Feed(text(payload), payload.getLong(), Past.valueOf(text(payload))));
    }
    int from = 0;
    for (int left = payload.getInt(); left > 0; left--) {
      groups.add(new Group(payload.getInt(), payload.getInt(), payload.getInt(), from));
      from += payload.getInt();
    }
    int words = payload.getInt();
    filter = payload.slice(payload.position(), words * Long.BYTES).asLongBuffer();
    payload.position(payload.position() + words * Long.BYTES);
    bodyOctets = payload.getInt();
    deflated = payload.slice();
  }

  private static String text(ByteBuffer payload) {
    byte[] text = new byte[Byte.toUnsignedInt(payload.get())];
    payload.get(text);
    return new String(text, UTF_8);
  }

  /** Number of the generation before, 0 where the history begins. */
  long before() {
    return before;
  }

  /** Number of the generation that went live. */
  long generation() {
    return generation;
  }

  /** Until when the generation before was live for certain. */
  Instant after() {
    return after;
  }

  /** When the generation went live. */
  Instant at() {
    return at;
  }

  /** The feeds that changed. */
  List<Feed> feeds() {
    return feeds;
  }

  /** Tells which of these entries came or went with this change. */
  void search(Probes probes, Sink sink) {
    byte[] body = null;
    for (Group group : groups) {
      for (Probe probe : probes.ofForm(group.form())) {
        if (probe.mayBeIn(filter)) {
          body = body == null ? inflate() : body;
          if (contains(body, group, probe.key().octets())) {
            sink.found(feeds.get(group.feed()).name(), probe, group.exception(), group.added());
          }
        }
      }
    }
  }

  private byte[] inflate() {
    byte[] body = new byte[bodyOctets];
    Inflater inflater = new Inflater(true);
    try {
      inflater.setInput(deflated.duplicate());
      int length = 0;
      while (length < bodyOctets && !inflater.finished()) {
        int more = inflater.inflate(body, length, bodyOctets - length);
        if (more == 0) {
          throw new IllegalStateException("a record of the history ends early");
        }
        length += more;
      }
      return body;
    } catch (DataFormatException e) {
      throw new IllegalStateException("a record of the history cannot be inflated", e);
    } finally {
      inflater.end();
    }
  }

  /** The keys are sorted, each by what differs from the one before. */
  private static boolean contains(byte[] body, Group group, byte[] wanted) {
    byte[] key = new byte[Byte.MAX_VALUE];
    int lengths = group.from() + group.count();
    int at = lengths + group.count() * Short.BYTES;
    for (int i = 0; i < group.count(); i++) {
      int common = Byte.toUnsignedInt(body[group.from() + i]);
      int high = Byte.toUnsignedInt(body[lengths + i * Short.BYTES]);
      int length = high << Byte.SIZE | Byte.toUnsignedInt(body[lengths + i * Short.BYTES + 1]);
      key = length > key.length ? Arrays.copyOf(key, length) : key;
      System.arraycopy(body, at, key, common, length - common);
      at += length - common;
      int order = Arrays.compareUnsigned(key, 0, length, wanted, 0, wanted.length);
      if (order >= 0) {
        return order == 0;
      }
    }
    return false;
  }
}
