package io.bloomgate.blocklists.workbench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.name.Subject;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A key of a filter: what a mail is asked about, in any way of writing it, or any text exactly as
 * it is written (account ids, words, integers). Immutable.
 */
sealed interface Key {

  /** The reason why a blank line is no key; it is no mistake. */
  String BLANK = "it is blank";

  /** Characters of a key; the longest mail address has 64 + 1 + 253 and may have U-labels. */
  int MAX_CHARACTERS = 1024;

  /** The one text of the key. */
  String text();

  /** A host, network, name, mail address, web address or fingerprint. */
  record OfMail(Subject subject) implements Key {
    @Override
    public String text() {
      return subject.written();
    }
  }

  /** Any text. */
  record Text(String text) implements Key {}

  /**
   * Reads a key as a person or a list writes it: {@code *.x}, {@code .x}, {@code @x} are names.
   *
   * @param anyText true where every text is a key
   */
  static Parsed<Key> parse(String text, boolean anyText) {
    String key = anyText ? text : text.strip();
    if (key.isBlank()) {
      return Parsed.bad(BLANK);
    }
    if (key.length() > MAX_CHARACTERS) {
      return Parsed.bad("longer than " + MAX_CHARACTERS + " characters");
    }
    if (anyText) {
      return Parsed.ok(new Text(key));
    }
    boolean prefixed = key.startsWith(".") || key.startsWith("@");
    return Subject.parse(
            key.startsWith("*.") ? key.substring(2) : prefixed ? key.substring(1) : key)
        .map(OfMail::new);
  }

  /** The same of a line of {@link Lines}. */
  static Parsed<Key> parse(Parsed<String> line, boolean anyText) {
    return switch (line) {
      case Parsed.Ok<String>(String text, var _) -> parse(text, anyText);
      case Parsed.Bad<String>(String reason) -> Parsed.bad(reason);
    };
  }

  /**
   * Reads keys from a stream, one a line ending in LF or CR LF, in UTF-8. Memory is bounded
   * whatever the stream says. Used on one thread.
   */
  final class Lines {

    /** Octets of a line; no key is as long. What is longer is one bad line. */
    private static final int MAX_OCTETS = 4096;

    private static final int SHOWN_OCTETS = 80;

    private final InputStream in;
    private final byte[] line = new byte[MAX_OCTETS];
    private int length;

    Lines(InputStream in) {
      this.in = new BufferedInputStream(in);
    }

    /** The next line, the reason why it is no text, or {@code null} at the end. */
    @Nullable Parsed<String> next() throws IOException {
      length = 0;
      int octets = 0;
      int octet = in.read();
      if (octet < 0) {
        return null;
      }
      for (; octet >= 0 && octet != '\n'; octet = in.read()) {
        octets++;
        if (length < MAX_OCTETS) {
          line[length++] = (byte) octet;
        }
      }
      if (octets > MAX_OCTETS) {
        return Parsed.bad("longer than " + MAX_OCTETS + " octets");
      }
      if (length > 0 && line[length - 1] == '\r') {
        length--;
      }
      try {
        return Parsed.ok(UTF_8.newDecoder().decode(ByteBuffer.wrap(line, 0, length)).toString());
      } catch (CharacterCodingException e) {
        return Parsed.bad("not UTF-8");
      }
    }

    /** The beginning of the last line, whatever its octets are. */
    String beginning() {
      String shown = new String(line, 0, Math.min(length, SHOWN_OCTETS), ISO_8859_1);
      return length > SHOWN_OCTETS ? shown + "..." : shown;
    }
  }

  /**
   * The way in which texts become the hashes of one filter. Any thread; immutable.
   *
   * <p>A filter that leaves the gateway has hashes that other programs can make as well: the first
   * 8 octets, big-endian, of SHA-256 over the 16 octets of the seed and the canonical text of the
   * key in UTF-8; ten times slower than {@link KeyHash}.
   */
  static final class Hashes {

    /** Version of the hashes that other programs can make; that of the gateway's own is 1. */
    static final int SHARED = 2;

    /** Version of the rules that turn text into keys where there are none: a key is any text. */
    static final int ANY_TEXT = 0;

    private static final byte[] PURPOSE_OF_ID = "bloomgate seed id".getBytes(US_ASCII);
    private static final int OCTETS_OF_ID = 4;

    private final Keying keying;
    private final KeyHash own;

    private Hashes(Keying keying) {
      this.keying = keying;
      this.own = new KeyHash(keying.seedHigh(), keying.seedLow());
    }

    /** Hashes under a fresh seed. */
    static Hashes fresh(int version, boolean anyText, RandomGenerator randomness) {
      return new Hashes(
          new Keying(
              version,
              anyText ? ANY_TEXT : KeyHash.NORMALISATION_VERSION,
              randomness.nextLong(),
              randomness.nextLong()));
    }

    /**
     * The hashes of a filter.
     *
     * @param place of the filter, for the message
     * @throws OfflineException when this release makes keys in another way
     */
    static Hashes of(Keying keying, String place) throws OfflineException {
      int hash = keying.hashVersion();
      int rules = keying.normalisationVersion();
      if ((hash == KeyHash.VERSION || hash == SHARED)
          && (rules == KeyHash.NORMALISATION_VERSION || rules == ANY_TEXT)) {
        return new Hashes(keying);
      }
      throw OfflineException.failed(
          place + " was made by another release (" + keying + ") and cannot be asked by this one",
          "build it again");
    }

    Keying keying() {
      return keying;
    }

    /** True when every text is a key. */
    boolean anyText() {
      return keying.normalisationVersion() == ANY_TEXT;
    }

    /** The hash of a key. */
    long hash(Key key) {
      if (keying.hashVersion() == SHARED) {
        MessageDigest sha = Fingerprint.sha256();
        sha.update(seed(keying));
        return ByteBuffer.wrap(sha.digest(key.text().getBytes(UTF_8))).getLong();
      }
      return switch (key) {
        case Key.OfMail(var subject) -> own.subject(subject);
        case Key.Text(String text) -> own.text(text);
      };
    }

    private static byte[] seed(Keying keying) {
      return ByteBuffer.allocate(2 * Long.BYTES)
          .putLong(keying.seedHigh())
          .putLong(keying.seedLow())
          .array();
    }

    /**
     * A short name for a seed, by which a person sees whether two filters have the same one. The
     * seed itself is secret and has 128 bits: no digest leads back to it.
     */
    static String seedId(Keying keying) {
      MessageDigest sha = Fingerprint.sha256();
      sha.update(PURPOSE_OF_ID);
      return HexFormat.of().formatHex(sha.digest(seed(keying)), 0, OCTETS_OF_ID);
    }
  }
}
