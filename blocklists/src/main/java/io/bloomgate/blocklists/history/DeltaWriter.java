package io.bloomgate.blocklists.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.filter.SplitBlockFilter;
import io.bloomgate.blocklists.filter.SplitBlockFilterBuilder;
import io.bloomgate.blocklists.history.Delta.Change;
import io.bloomgate.blocklists.history.Delta.FeedChange;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/**
 * Writes a {@link Delta} as one record of a file: a head of 12 octets (magic, length and CRC-32C of
 * the rest), then generations and times, the feeds, the groups of keys, a split-block filter over
 * all keys, and the keys themselves, deflated. {@link StoredDelta} reads it. Pure.
 *
 * <p>The keys of a group, which are all of one feed, form and sign, are sorted. First comes the
 * number of octets that each has in common with the key before (u8), then the length of each (u16),
 * then the other octets of each: alike is beside alike, which deflates well.
 */
final class DeltaWriter {

  /** The first four octets of a record. */
  static final int MAGIC = 0x4247_4400 | HistoryKey.VERSION;

  /** Octets of the head. */
  static final int HEAD_OCTETS = 3 * Integer.BYTES;

  /** Bits of the filter for each key: a key that is not there is found in 1 of about 100. */
  private static final int FILTER_BITS = 10;

  private static final int MAX_COMMON = 255;

  private final ByteArrayOutputStream octets = new ByteArrayOutputStream();
  private final DataOutputStream out = new DataOutputStream(octets);

  private DeltaWriter() {}

  /** The record of a delta. */
  static byte[] record(Delta delta) {
    try {
      return new DeltaWriter().write(delta);
    } catch (IOException e) {
      throw new UncheckedIOException("memory takes every octet", e);
    }
  }

  private byte[] write(Delta delta) throws IOException {
    out.writeLong(delta.before());
    out.writeLong(delta.generation());
    out.writeLong(delta.after().toEpochMilli());
    out.writeLong(delta.at().toEpochMilli());
    out.writeInt(delta.feeds().size());
    for (FeedChange feed : delta.feeds()) {
      text(feed.feed());
      out.writeLong(feed.version());
      text(feed.past().name());
    }
    groups(delta.feeds());
    byte[] payload = octets.toByteArray();
    CRC32C sum = new CRC32C();
    sum.update(payload);
    return ByteBuffer.allocate(HEAD_OCTETS + payload.length)
        .putInt(MAGIC)
        .putInt(payload.length)
        .putInt((int) sum.getValue())
        .put(payload)
        .array();
  }

  private void text(String text) throws IOException {
    byte[] name = text.getBytes(UTF_8);
    out.writeByte(name.length);
    out.write(name);
  }

  private void groups(List<FeedChange> feeds) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    List<int[]> heads = new ArrayList<>();
    for (int feed = 0; feed < feeds.size(); feed++) {
      Map<Integer, List<HistoryKey>> groups =
          feeds.get(feed).changes().stream()
              .collect(
                  Collectors.groupingBy(
                      Change::group,
                      TreeMap::new,
                      Collectors.mapping(Change::key, Collectors.toList())));
      for (Map.Entry<Integer, List<HistoryKey>> group : groups.entrySet()) {
        int from = body.size();
        group.getValue().sort(null);
        keys(group.getValue(), body);
        int count = group.getValue().size();
        heads.add(new int[] {feed, group.getKey(), count, body.size() - from});
      }
    }
    out.writeInt(heads.size());
    for (int[] head : heads) {
      for (int number : head) {
        out.writeInt(number);
      }
    }
    filter(feeds);
    out.writeInt(body.size());
    Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
    try (DeflaterOutputStream deflated = new DeflaterOutputStream(out, deflater)) {
      body.writeTo(deflated);
    } finally {
      deflater.end();
    }
  }

  private static void keys(List<HistoryKey> keys, ByteArrayOutputStream body) {
    int[] common = new int[keys.size()];
    byte[] before = {};
    for (int i = 0; i < common.length; i++) {
      byte[] octets = keys.get(i).octets();
      int differs = Arrays.mismatch(before, octets);
      common[i] = Math.min(MAX_COMMON, differs < 0 ? octets.length : differs);
      body.write(common[i]);
      before = octets;
    }
    for (HistoryKey key : keys) {
      body.write(key.octets().length >>> Byte.SIZE);
      body.write(key.octets().length);
    }
    for (int i = 0; i < common.length; i++) {
      byte[] octets = keys.get(i).octets();
      body.write(octets, common[i], octets.length - common[i]);
    }
  }

  private void filter(List<FeedChange> feeds) throws IOException {
    long keys = feeds.stream().mapToLong(feed -> feed.changes().size()).sum();
    int lineBits = SplitBlockFilter.LANES * Long.SIZE;
    int words =
        Math.toIntExact(Math.ceilDiv(keys * FILTER_BITS, lineBits)) * SplitBlockFilter.LANES;
    long[] filter = new long[words];
    for (FeedChange feed : feeds) {
      for (Change change : feed.changes()) {
        long hash = change.key().hash();
        SplitBlockFilterBuilder.set(filter, SplitBlockFilter.firstWord(hash, words), hash);
      }
    }
    out.writeInt(words);
    for (long word : filter) {
      out.writeLong(word);
    }
  }
}
