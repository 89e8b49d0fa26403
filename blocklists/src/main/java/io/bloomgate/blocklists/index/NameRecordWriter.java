package io.bloomgate.blocklists.index;

import io.bloomgate.blocklists.file.PagedFileWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Turns the spooled entries of one partition after the other into records sorted by hash: one
 * record a key with the postings of all feeds, the first line of each. Used by {@link
 * NameIndexBuilder}.
 */
final class NameRecordWriter {

  private final PagedFileWriter out;
  private final NameDirectory directory;
  private final EntryTally tally;
  private long keys;
  private final long[] listedKeys = new long[NameRecord.KINDS];
  private long bucketKeys;
  private long longestBucket;

  /** The current partition: its octets, and offset and hash of each entry. */
  private byte[] octets = {};

  private ByteBuffer entries = ByteBuffer.wrap(octets);
  private int[] offsets = {};
  private long[] hashes = {};

  NameRecordWriter(PagedFileWriter out, NameDirectory directory, EntryTally tally) {
    this.out = out;
    this.directory = directory;
    this.tally = tally;
  }

  /** Distinct keys so far. */
  long keys() {
    return keys;
  }

  /** Distinct keys of a kind that are listed by more than an exception. */
  long listed(int kind) {
    return listedKeys[kind];
  }

  /** Most keys in one bucket of the directory. */
  long longestBucket() {
    return longestBucket;
  }

  void writePartition(byte[] partition) throws IOException {
    octets = partition;
    entries = ByteBuffer.wrap(partition).order(ByteOrder.LITTLE_ENDIAN);
    int count = scan();
    int[] order = IntOrder.sorted(count, this::compare);
    int start = 0;
    while (start < count) {
      int end = start + 1;
      while (end < count && compare(order[start], order[end]) == 0) {
        end++;
      }
      writeRecord(Arrays.copyOfRange(order, start, end));
      start = end;
    }
  }

  /** Finds the entries; returns their number. */
  private int scan() {
    int count = 0;
    for (int at = 0; at < octets.length; at += NameSpool.KEY + keyOctets(at)) {
      count++;
    }
    offsets = new int[count];
    hashes = new long[count];
    int at = 0;
    for (int i = 0; i < count; i++) {
      offsets[i] = at;
      hashes[i] = entries.getLong(at + NameSpool.HASH);
      at += NameSpool.KEY + keyOctets(at);
    }
    return count;
  }

  private int keyOctets(int at) {
    return kindAndLength(at) & NameRecord.MAX_KEY_OCTETS;
  }

  private int kindAndLength(int at) {
    return Short.toUnsignedInt(entries.getShort(at + NameSpool.KIND_AND_LENGTH));
  }

  /** Compares by hash, kind, length and key; equal keys keep the order of their arrival. */
  private int compare(int left, int right) {
    int byHash = Long.compareUnsigned(hashes[left], hashes[right]);
    if (byHash != 0) {
      return byHash;
    }
    int a = offsets[left];
    int b = offsets[right];
    int byKind = Integer.compare(kindAndLength(a), kindAndLength(b));
    return byKind != 0
        ? byKind
        : Arrays.compare(
            octets,
            a + NameSpool.KEY,
            a + NameSpool.KEY + keyOctets(a),
            octets,
            b + NameSpool.KEY,
            b + NameSpool.KEY + keyOctets(b));
  }

  /** Writes the record of a key; {@code group} holds its entries in the order of their arrival. */
  private void writeRecord(int[] group) throws IOException {
    int[] kept = dropDuplicates(group);
    if (kept.length > NameRecord.MAX_POSTINGS) {
      throw new IOException("more than " + NameRecord.MAX_POSTINGS + " listings of one name");
    }
    long hash = hashes[group[0]];
    noteRecord(hash);
    int first = offsets[group[0]];
    out.putLong(hash);
    out.putShort(kindAndLength(first));
    out.putShort(kept.length);
    out.putBytes(octets, first + NameSpool.KEY, keyOctets(first));
    out.align(NameDirectory.UNIT_OCTETS);
    boolean listed = false;
    for (int entry : kept) {
      int at = offsets[entry];
      out.putShort(entries.getShort(at + NameSpool.FEED));
      out.putByte(entries.get(at + NameSpool.MODE));
      out.putByte(0);
      out.putInt(entries.getInt(at + NameSpool.LINE));
      listed |= entries.get(at + NameSpool.MODE) >= 0;
    }
    if (listed) {
      listedKeys[kind(first)]++;
    }
  }

  private int kind(int at) {
    return NameRecord.kind(kindAndLength(at));
  }

  private static EntryTally.Kind tallied(int kind) {
    return switch (kind) {
      case NameRecord.KIND_DOMAIN -> EntryTally.Kind.DOMAIN;
      case NameRecord.KIND_ADDRESS -> EntryTally.Kind.ADDRESS;
      case NameRecord.KIND_URL -> EntryTally.Kind.URL;
      default -> EntryTally.Kind.FINGERPRINT;
    };
  }

  private void noteRecord(long hash) throws IOException {
    keys++;
    bucketKeys = directory.note(hash, out.position()) ? 1 : bucketKeys + 1;
    longestBucket = Math.max(longestBucket, bucketKeys);
  }

  /** Entries of one feed with the same mode and sign count once; the first line wins. */
  private int[] dropDuplicates(int[] group) {
    int[] kept = new int[group.length];
    int count = 0;
    int lastFeed = -1;
    int seenModes = 0;
    for (int entry : group) {
      int at = offsets[entry];
      int feed = Short.toUnsignedInt(entries.getShort(at + NameSpool.FEED));
      int mode = entries.get(at + NameSpool.MODE) & 0xff;
      boolean exception = (mode & NameRecord.EXCEPTION) != 0;
      seenModes = feed == lastFeed ? seenModes : 0;
      lastFeed = feed;
      int bit = 1 << ((mode & ~NameRecord.EXCEPTION) + (exception ? 16 : 0));
      if ((seenModes & bit) != 0) {
        tally.add(feed, EntryTally.Kind.DUPLICATE);
        continue;
      }
      seenModes |= bit;
      kept[count++] = entry;
      tally.add(feed, exception ? EntryTally.Kind.EXCEPTION : tallied(kind(at)));
    }
    return Arrays.copyOf(kept, count);
  }
}
