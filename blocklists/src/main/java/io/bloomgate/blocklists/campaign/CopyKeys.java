package io.bloomgate.blocklists.campaign;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.Likeness;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The 64-bit keys under which a mail is counted: {@link #BANDS} of two minima each, if the text has
 * minima, and then {@link #KEYS_A_VALUE} for each exact value. Several keys must agree before
 * copies are believed, as each alone may share its counters with a frequent one. Made by {@link
 * Campaigns} with its secret seed; any thread.
 */
final class CopyKeys {

  /** Keys of a text, in each of which two minima are equal among near copies. */
  static final int BANDS = Likeness.MINIMA / 2;

  /** Bands that must agree. */
  static final int AGREEING_BANDS = 4;

  /** Keys of an exact value, which must all agree. */
  static final int KEYS_A_VALUE = 2;

  /** Keys of a mail without attachments. */
  static final int KEYS_A_MAIL = BANDS + KEYS_A_VALUE;

  private static final int BODY = BANDS;
  private static final int ATTACHMENT = BODY + KEYS_A_VALUE;

  private final long[] keys;
  private final int bands;

  private CopyKeys(long[] keys, int bands) {
    this.keys = keys;
    this.bands = bands;
  }

  static Hasher64 hash(long seed) {
    return Hashing.wyhashFinal4(seed);
  }

  /** The keys of a mail; none for one without prints. */
  static CopyKeys of(MailPrint print, Hasher64 hash) {
    Likeness likeness = print.likeness();
    int bands = likeness == null ? 0 : BANDS;
    int values = (print.body() == null ? 0 : 1) + print.attachments().size();
    long[] keys = new long[bands + KEYS_A_VALUE * values];
    if (likeness != null) {
      for (int band = 0; band < BANDS; band++) {
        int minima =
            (likeness.minimum(2 * band) << Short.SIZE) | (likeness.minimum(2 * band + 1) & 0xffff);
        keys[band] = hash.hashLongLongToLong(band, minima);
      }
    }
    int at = bands;
    if (print.body() != null) {
      at = put(keys, at, print.body(), BODY, hash);
    }
    for (Fingerprint attachment : print.attachments()) {
      at = put(keys, at, attachment, ATTACHMENT, hash);
    }
    return new CopyKeys(keys, bands);
  }

  /** The keys of a mail that another node counted with the same seed. */
  static CopyKeys of(SharedCopy copy) {
    return new CopyKeys(copy.keys(), copy.bands());
  }

  /** Those of the exact values alone. */
  long[] exact() {
    return Arrays.copyOfRange(keys, bands, keys.length);
  }

  private static int put(long[] keys, int at, Fingerprint value, int kind, Hasher64 hash) {
    long octets = ByteBuffer.wrap(value.octets()).getLong();
    for (int i = 0; i < KEYS_A_VALUE; i++) {
      keys[at + i] = hash.hashLongLongToLong(kind + i, octets);
    }
    return at + KEYS_A_VALUE;
  }

  long[] keys() {
    return keys;
  }

  /** How many of the keys, from the first one on, are bands. */
  int bands() {
    return bands;
  }

  /**
   * The copies on which enough keys agree.
   *
   * @param counts of each key
   */
  int agreed(int[] counts) {
    int copies = bands == 0 ? 0 : fourth(counts);
    for (int i = bands; i < counts.length; i += KEYS_A_VALUE) {
      copies = Math.max(copies, Math.min(counts[i], counts[i + 1]));
    }
    return copies;
  }

  /** The fourth highest count of the bands. */
  private static int fourth(int[] counts) {
    int first = 0;
    int second = 0;
    int third = 0;
    int fourth = 0;
    for (int i = 0; i < BANDS; i++) {
      int count = counts[i];
      if (count > first) {
        fourth = third;
        third = second;
        second = first;
        first = count;
      } else if (count > second) {
        fourth = third;
        third = second;
        second = count;
      } else if (count > third) {
        fourth = third;
        third = count;
      } else if (count > fourth) {
        fourth = count;
      }
    }
    return fourth;
  }
}
