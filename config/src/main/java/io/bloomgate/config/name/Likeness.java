package io.bloomgate.config.name;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A value by which a text is recognised after some words were changed: the 32 minima of its
 * trigrams of words (MinHash; Broder, "On the resemblance and containment of documents", 1997), 16
 * bits of each. Two texts are alike when more than half of their minima are equal. Made by the
 * reader of a mail, compared with entries of the operator; any thread. Immutable; the text is
 * {@code like:} and 128 hexadecimal digits.
 */
public final class Likeness implements Subject, ListKey {

  /** Minima of a text. */
  public static final int MINIMA = 32;

  /** Texts with more equal minima than this are alike. */
  public static final int ALIKE_ABOVE = MINIMA / 2;

  private static final int BANDS = 4;
  private static final int BAND_OCTETS = 2 * MINIMA / BANDS;

  /** Begins a band's value, its number follows; with the minima they are 32 octets. */
  private static final byte[] BAND_TAG = "bloomgate band ".getBytes(US_ASCII);

  private static final String PREFIX = "like:";
  private static final int DIGITS = 4 * MINIMA;
  private static final HexFormat HEX = HexFormat.of();

  private final short[] minima;

  private Likeness(short[] minima) {
    this.minima = minima;
  }

  /**
   * Makes a likeness of the minima of a text.
   *
   * @param minima {@link #MINIMA} of them, which are copied
   */
  public static Likeness of(short[] minima) {
    if (minima.length != MINIMA) {
      throw new IllegalArgumentException("a text has " + MINIMA + " minima");
    }
    return new Likeness(minima.clone());
  }

  /** The same from octets, two a minimum, high octet first. */
  public static Likeness of(byte[] octets) {
    if (octets.length != 2 * MINIMA) {
      throw new IllegalArgumentException("a text has " + MINIMA + " minima of two octets");
    }
    short[] minima = new short[MINIMA];
    ByteBuffer.wrap(octets).asShortBuffer().get(minima);
    return new Likeness(minima);
  }

  /** Reads the canonical text. */
  public static Parsed<Likeness> parse(String text) {
    boolean whole =
        isSpelled(text)
            && text.length() == PREFIX.length() + DIGITS
            && text.chars().skip(PREFIX.length()).allMatch(HexFormat::isHexDigit);
    return whole
        ? Parsed.ok(of(HEX.parseHex(text.substring(PREFIX.length()))))
        : Parsed.bad("no likeness of a text: like: and " + DIGITS + " hexadecimal digits");
  }

  /** True for a text that is meant as one. */
  static boolean isSpelled(String text) {
    return text.startsWith(PREFIX);
  }

  /** The number of the {@link #MINIMA} that are equal. */
  public int equalMinima(Likeness other) {
    int equal = 0;
    for (int i = 0; i < MINIMA; i++) {
      equal += minima[i] == other.minima[i] ? 1 : 0;
    }
    return equal;
  }

  /** True when the texts are the same but for some words. */
  public boolean isAlike(Likeness other) {
    return equalMinima(other) > ALIKE_ABOVE;
  }

  /** One of the minima. */
  public short minimum(int index) {
    return minima[index];
  }

  /**
   * Four keys, of eight minima each: a list can hold them, and finds a text that shares one. Of
   * copies in which a tenth of the trigrams differ nine in ten share one, of texts that are half
   * alike one in sixty.
   */
  public List<Fingerprint> bands() {
    byte[] all = octets();
    return IntStream.range(0, BANDS)
        .mapToObj(band ->
            Fingerprint.of(
                ByteBuffer.allocate(Fingerprint.OCTETS)
                    .put(BAND_TAG)
                    .put((byte) band)
                    .put(all, band * BAND_OCTETS, BAND_OCTETS)
                    .array()))
        .toList();
  }

  /** True for one of {@link #bands}; no SHA-256 value begins so. */
  public static boolean isBand(Fingerprint print) {
    return Arrays.equals(print.octets(), 0, BAND_TAG.length, BAND_TAG, 0, BAND_TAG.length);
  }

  /** The octets that tell a band from the others. */
  public static byte[] ofBand(Fingerprint band) {
    return Arrays.copyOfRange(band.octets(), BAND_TAG.length, Fingerprint.OCTETS);
  }

  /** The band of these octets; empty for another number of them. */
  public static Optional<Fingerprint> band(byte[] octets) {
    return octets.length == Fingerprint.OCTETS - BAND_TAG.length
        ? Optional.of(
            Fingerprint.of(
                ByteBuffer.allocate(Fingerprint.OCTETS).put(BAND_TAG).put(octets).array()))
        : Optional.empty();
  }

  /** Two octets a minimum, high octet first. */
  public byte[] octets() {
    ByteBuffer octets = ByteBuffer.allocate(2 * MINIMA);
    octets.asShortBuffer().put(minima);
    return octets.array();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Likeness that && Arrays.equals(minima, that.minima);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(minima);
  }

  @Override
  public String toString() {
    return PREFIX + HEX.formatHex(octets());
  }
}
