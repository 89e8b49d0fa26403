package io.bloomgate.blocklists.index;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.blocklists.file.PagedFileWriter;
import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.NamePattern;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.name.WebUrl;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The form of one key of names in an index file, at a multiple of 4 octets: u64 hash, u16 kind
 * (upper 2 bits) and length of the key, u16 number of postings, the key, zeros up to a multiple of
 * 4, then the postings: u16 feed, u8 mode, u8 zero, u32 line. Pure reading of a mapped body.
 */
final class NameRecord {

  /** Kinds of key; keys of two kinds never share a record. */
  static final int KIND_DOMAIN = 0;

  static final int KIND_ADDRESS = 1;

  static final int KIND_URL = 2;

  /** SHA-256 values, and AS numbers, which are shorter. */
  static final int KIND_FINGERPRINT = 3;

  static final int KINDS = 4;

  static final int HEAD_OCTETS = 12;
  static final int POSTING_OCTETS = 8;

  /** Keys and their kind share 16 bits. */
  static final int MAX_KEY_OCTETS = (1 << 14) - 1;

  static final int MAX_POSTINGS = 0xffff;

  /** Marks a mode as an exception. */
  static final int EXCEPTION = 0x80;

  /** The mode of all keys but names. */
  static final int WHOLE = 0;

  private static final int EXACT = 1;
  private static final int SUFFIX = 2;
  private static final int BELOW = 3;

  private static final int KIND_SHIFT = 14;

  private NameRecord() {}

  /** The kind of the key that a subject is. */
  static int kind(Subject subject) {
    return switch (subject) {
      case DomainName _ -> KIND_DOMAIN;
      case MailAddress _ -> KIND_ADDRESS;
      case WebUrl _ -> KIND_URL;
      case Fingerprint _, AsNumber _ -> KIND_FINGERPRINT;
      case IpPrefix _, NamePattern _, Likeness _ ->
          throw new IllegalArgumentException("a network has no name");
    };
  }

  /** The octets of the key that a subject is. */
  static byte[] key(Subject subject) {
    return switch (subject) {
      case DomainName name -> name.octets();
      case WebUrl url -> url.octets();
      case Fingerprint print -> print.octets();
      case AsNumber number -> number.octets();
      case MailAddress _, IpPrefix _, NamePattern _, Likeness _ ->
          subject.toString().getBytes(UTF_8);
    };
  }

  /** Kind and length of a key as the record holds them. */
  static int kindAndLength(int kind, int keyOctets) {
    return kind << KIND_SHIFT | keyOctets;
  }

  static long hash(MemorySegment body, long at) {
    return body.get(Words.U64, at);
  }

  private static int kindAndLength(MemorySegment body, long at) {
    return Short.toUnsignedInt(body.get(Words.U16, at + 8));
  }

  static int kind(MemorySegment body, long at) {
    return kind(kindAndLength(body, at));
  }

  /** The kind in a number that {@link #kindAndLength(int, int)} made. */
  static int kind(int kindAndLength) {
    return kindAndLength >>> KIND_SHIFT;
  }

  private static int keyOctets(MemorySegment body, long at) {
    return kindAndLength(body, at) & MAX_KEY_OCTETS;
  }

  static int postings(MemorySegment body, long at) {
    return Short.toUnsignedInt(body.get(Words.U16, at + 10));
  }

  /** Offset of a posting. */
  static long posting(MemorySegment body, long at, int index) {
    int key = keyOctets(body, at);
    return at + HEAD_OCTETS + key + (-key & 3) + (long) index * POSTING_OCTETS;
  }

  /** Offset of the next record. */
  static long next(MemorySegment body, long at) {
    return posting(body, at, postings(body, at));
  }

  static int feed(MemorySegment body, long posting) {
    return Short.toUnsignedInt(body.get(Words.U16, posting));
  }

  static boolean exception(MemorySegment body, long posting) {
    return (body.get(Words.U8, posting + 2) & EXCEPTION) != 0;
  }

  /** The mode without its exception mark. */
  static int mode(MemorySegment body, long posting) {
    return body.get(Words.U8, posting + 2) & ~EXCEPTION & 0xff;
  }

  /** The number of a match mode in files. */
  static int mode(NameMatch match) {
    return switch (match) {
      case EXACT -> EXACT;
      case SUFFIX -> SUFFIX;
      case BELOW -> BELOW;
    };
  }

  /** The match mode of a posting of a name. */
  static NameMatch match(MemorySegment body, long posting) {
    return switch (mode(body, posting)) {
      case EXACT -> NameMatch.EXACT;
      case SUFFIX -> NameMatch.SUFFIX;
      case BELOW -> NameMatch.BELOW;
      default -> throw new IllegalStateException("damaged page in an index of names");
    };
  }

  static int line(MemorySegment body, long posting) {
    return body.get(Words.U32, posting + 4);
  }

  /** The entry of a posting of a record. */
  static ListEntry entry(MemorySegment body, long at, long posting) {
    byte[] key = body.asSlice(at + HEAD_OCTETS, keyOctets(body, at)).toArray(Words.U8);
    boolean exception = exception(body, posting);
    int line = line(body, posting);
    return switch (kind(body, at)) {
      case KIND_ADDRESS ->
          new ListEntry.Address(whole(MailAddress.parse(new String(key, UTF_8))), exception, line);
      case KIND_URL ->
          new ListEntry.Url(whole(WebUrl.parse(new String(key, UTF_8))), exception, line);
      case KIND_FINGERPRINT ->
          key.length == Integer.BYTES
              ? new ListEntry.As(new AsNumber(ByteBuffer.wrap(key).getInt()), exception, line)
              : new ListEntry.Hash(Fingerprint.of(key), exception, line);
      default ->
          new ListEntry.Domain(
              whole(DomainName.parse(new String(key, UTF_8))),
              match(body, posting),
              exception,
              line);
    };
  }

  private static <T> T whole(Parsed<T> key) {
    return key.toOptional()
        .orElseThrow(() -> new IllegalStateException("damaged page in an index of names"));
  }

  /** True when the record's key is this name from octet {@code from} on. */
  static boolean isName(MemorySegment body, long at, DomainName name, int from) {
    int octets = name.length() - from;
    if (kindAndLength(body, at) != kindAndLength(KIND_DOMAIN, octets)) {
      return false;
    }
    long key = at + HEAD_OCTETS;
    int compared = 0;
    for (; compared <= octets - Long.BYTES; compared += Long.BYTES) {
      if (body.get(Words.U64, key + compared) != name.wordAt(from + compared)) {
        return false;
      }
    }
    for (; compared < octets; compared++) {
      if (body.get(Words.U8, key + compared) != name.octetAt(from + compared)) {
        return false;
      }
    }
    return true;
  }

  /** True when the record's key is one of that kind with these octets. */
  static boolean isWhole(MemorySegment body, long at, int kind, byte[] key) {
    return kindAndLength(body, at) == kindAndLength(kind, key.length)
        && MemorySegment.ofArray(key).mismatch(body.asSlice(at + HEAD_OCTETS, key.length)) == -1;
  }

  /**
   * Turns the spooled entries of one partition after the other into records sorted by hash: one
   * record a key with the postings of all feeds, the first line of each. Used by {@link
   * NameIndexBuilder}.
   */
  static final class Writer {

    private final PagedFileWriter out;
    private final NameIndexBuilder.Directory directory;
    private final EntryTally tally;
    private long keys;
    private final long[] listedKeys = new long[KINDS];
    private long bucketKeys;
    private long longestBucket;

    /** The current partition: its octets, and offset and hash of each entry. */
    private byte[] octets = {};

    private ByteBuffer entries = ByteBuffer.wrap(octets);
    private int[] offsets = {};
    private long[] hashes = {};

    Writer(PagedFileWriter out, NameIndexBuilder.Directory directory, EntryTally tally) {
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
      return kindAndLength(at) & MAX_KEY_OCTETS;
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

    /**
     * Writes the record of a key; {@code group} holds its entries in the order of their arrival.
     */
    private void writeRecord(int[] group) throws IOException {
      int[] kept = dropDuplicates(group);
      if (kept.length > MAX_POSTINGS) {
        throw new IOException("more than " + MAX_POSTINGS + " listings of one name");
      }
      long hash = hashes[group[0]];
      noteRecord(hash);
      int first = offsets[group[0]];
      out.putLong(hash);
      out.putShort(kindAndLength(first));
      out.putShort(kept.length);
      out.putBytes(octets, first + NameSpool.KEY, keyOctets(first));
      out.align(NameIndexBuilder.Directory.UNIT_OCTETS);
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

    private EntryTally.Kind tallied(int at) {
      return switch (kind(at)) {
        case KIND_DOMAIN -> EntryTally.Kind.DOMAIN;
        case KIND_ADDRESS -> EntryTally.Kind.ADDRESS;
        case KIND_URL -> EntryTally.Kind.URL;
        default ->
            keyOctets(at) == Integer.BYTES ? EntryTally.Kind.ASN : EntryTally.Kind.FINGERPRINT;
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
        boolean exception = (mode & EXCEPTION) != 0;
        seenModes = feed == lastFeed ? seenModes : 0;
        lastFeed = feed;
        int bit = 1 << ((mode & ~EXCEPTION) + (exception ? 16 : 0));
        if ((seenModes & bit) != 0) {
          tally.add(feed, EntryTally.Kind.DUPLICATE);
          continue;
        }
        seenModes |= bit;
        kept[count++] = entry;
        tally.add(feed, exception ? EntryTally.Kind.EXCEPTION : tallied(at));
      }
      return Arrays.copyOf(kept, count);
    }
  }
}
