package io.bloomgate.blocklists.campaign;

import static java.util.stream.Collectors.joining;

import com.dynatrace.hash4j.hashing.Hasher64;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.Likeness;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * One mail as its copies are counted, and as the nodes of a fleet tell each other: hashes with a
 * secret seed, from which neither text nor addresses can be read. Its keys are {@link #BANDS} of
 * two minima each, if its text has minima, and then {@link #KEYS_A_VALUE} for each exact value.
 * Several keys must agree before copies are believed, as each alone may share its counters with a
 * frequent one. Made by {@link Campaigns}. Immutable; the arrays are never changed.
 */
public final class SharedCopy {

  /** Keys of a text, in each of which two minima are equal among near copies. */
  private static final int BANDS = Likeness.MINIMA / 2;

  /** Bands that must agree. */
  private static final int AGREEING_BANDS = 4;

  /** Keys of an exact value, which must all agree. */
  private static final int KEYS_A_VALUE = 2;

  /** Keys of a mail without attachments. */
  static final int KEYS_A_MAIL = BANDS + KEYS_A_VALUE;

  /** Keys of a mail: those of its text, and of each attachment. */
  private static final int MAX_KEYS = KEYS_A_MAIL + KEYS_A_VALUE * MailPrint.MOST_ATTACHMENTS;

  /** Numbers in front of keys and recipients, where a copy is a text. */
  private static final int HEAD = 4;

  private static final int MAX_NUMBERS = HEAD + MAX_KEYS + PassingMail.MOST_RECIPIENTS;

  /** First those of the likeness, then two for each exact value. */
  final long[] keys;

  /** Hash of the network of the client. */
  final long network;

  /** Hash of the domain of the envelope sender. */
  final long sender;

  /** Hashes of the recipients. */
  final long[] recipients;

  /** Keys of the likeness: none, or one for each two minima. */
  private final int bands;

  private SharedCopy(long[] keys, int bands, long network, long sender, long[] recipients) {
    boolean isWhole = (keys.length - bands) % KEYS_A_VALUE == 0;
    if ((bands != 0 && bands != BANDS) || !isWhole || keys.length < Math.max(1, bands)) {
      throw new IllegalArgumentException("no copy of a mail");
    }
    this.keys = keys;
    this.bands = bands;
    this.network = network;
    this.sender = sender;
    this.recipients = recipients;
  }

  /**
   * A mail that passed here.
   *
   * @param print not empty
   */
  static SharedCopy of(MailPrint print, PassingMail mail, Hasher64 hash) {
    LongStream.Builder keys = LongStream.builder();
    Likeness likeness = print.likeness();
    if (likeness != null) {
      for (int band = 0; band < BANDS; band++) {
        int minima =
            (likeness.minimum(2 * band) << Short.SIZE) | (likeness.minimum(2 * band + 1) & 0xffff);
        keys.add(hash.hashLongLongToLong(band, minima));
      }
    }
    if (print.body() != null) {
      add(keys, print.body(), BANDS, hash);
    }
    for (Fingerprint attachment : print.attachments()) {
      add(keys, attachment, KEYS_A_MAIL, hash);
    }
    return new SharedCopy(
        keys.build().toArray(),
        likeness == null ? 0 : BANDS,
        hash.hashLongLongToLong(mail.network().high(), mail.network().low()),
        hash.hashCharsToLong(mail.sender() == null ? "<>" : mail.sender().toString()),
        mail.recipients().stream()
            .mapToLong(address -> hash.hashCharsToLong(address.toString()))
            .toArray());
  }

  private static void add(LongStream.Builder keys, Fingerprint value, int kind, Hasher64 hash) {
    long octets = ByteBuffer.wrap(value.octets()).getLong();
    for (int i = 0; i < KEYS_A_VALUE; i++) {
      keys.add(hash.hashLongLongToLong(kind + i, octets));
    }
  }

  /**
   * The copies on which enough keys agree: {@link #AGREEING_BANDS}, or all of an exact value.
   *
   * @param counts of each key
   */
  int agreed(int[] counts) {
    int[] ofBands = Arrays.copyOf(counts, bands);
    Arrays.sort(ofBands);
    int copies = bands == 0 ? 0 : ofBands[bands - AGREEING_BANDS];
    for (int i = bands; i < counts.length; i += KEYS_A_VALUE) {
      copies = Math.max(copies, Math.min(counts[i], counts[i + 1]));
    }
    return copies;
  }

  /** The same for nodes that make other likenesses; {@code null} for nothing. */
  @Nullable SharedCopy exact() {
    long[] exact = Arrays.copyOfRange(keys, bands, keys.length);
    return exact.length == 0 ? null : new SharedCopy(exact, 0, network, sender, recipients);
  }

  /** The text of {@link #parse}: hexadecimal numbers. */
  public String text() {
    LongStream head = LongStream.of(bands, keys.length, network, sender);
    LongStream lists = LongStream.concat(Arrays.stream(keys), Arrays.stream(recipients));
    return LongStream.concat(head, lists).mapToObj(Long::toHexString).collect(joining(" "));
  }

  /** Reads {@link #text}; empty when it is none. */
  public static Optional<SharedCopy> parse(String text) {
    try {
      long[] all =
          Arrays.stream(text.split(" ", MAX_NUMBERS + 1))
              .mapToLong(number -> Long.parseUnsignedLong(number, 16))
              .toArray();
      int keysEnd = HEAD + (int) all[1];
      long[] recipients = Arrays.copyOfRange(all, keysEnd, all.length);
      long[] keys = Arrays.copyOfRange(all, HEAD, keysEnd);
      return Optional.of(new SharedCopy(keys, (int) all[0], all[2], all[3], recipients));
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }
}
