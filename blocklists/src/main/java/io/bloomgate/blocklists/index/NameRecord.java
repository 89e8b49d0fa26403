package io.bloomgate.blocklists.index;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.name.WebUrl;
import java.lang.foreign.MemorySegment;

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
      case KIND_FINGERPRINT -> new ListEntry.Hash(Fingerprint.of(key), exception, line);
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
}
