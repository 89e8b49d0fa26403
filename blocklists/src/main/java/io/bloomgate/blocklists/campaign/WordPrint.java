package io.bloomgate.blocklists.campaign;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.bloomgate.blocklists.campaign.BodyPrint.Prints;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.Likeness;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Takes the normalised words of a text, digests them and gives their hashes to {@link Trigrams}.
 * Used by the {@link BodyWords} of one mail after the other.
 */
final class WordPrint {

  /** Begins what is hashed. Part of values that are exchanged: never changes. */
  private static final Sha256 SHA_256 = new Sha256("bloomgate body 1\n");

  /** In place of a URL; no word holds these characters. */
  private static final byte[] URL = "://".getBytes(US_ASCII);

  private static final byte[] WWW = "www".getBytes(US_ASCII);

  /** The same as a number. */
  private static final long WWW_OCTETS = 0x777777;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Of these bits of an octet, letters of ASCII have the second alone. */
  private static final long LETTER_OR_WIDE = 0xc0c0c0c0c0c0c0c0L;

  private static final long LETTER = 0x4040404040404040L;

  /** Octets that are collected before they are digested. */
  private static final int BUFFER = 640;

  /** Hashes of words that are collected before trigrams are made of them. */
  private static final int HASHES = BodyPrint.MOST_TOGETHER / 2;

  private static final int ASCII = 0x80;

  private final Trigrams trigrams;

  /** {@code null} as long as nothing was digested. */
  private @Nullable MessageDigest digest;

  private byte[] octets = new byte[BUFFER];

  /** Where the word begins that is being written. */
  private int word;

  /** End of what is written. */
  private int end;

  /** Of the last words, of which no trigrams are made yet. */
  private final long[] hashes = new long[HASHES];

  private int hashed;
  private boolean hasLetter;
  private boolean isAfterNumber;
  private int words;
  private int wordsWithLetters;

  WordPrint(long seed) {
    this.trigrams = new Trigrams(seed);
  }

  /** True when the text has had as many words as count. */
  boolean isFull() {
    return words >= BodyPrint.MOST_WORDS;
  }

  /** Octets of the words that are not digested yet. */
  int octets() {
    return octets.length;
  }

  /** Makes room for octets of words, with what ends them. */
  void makeRoom(int written) {
    int needed = written + URL.length + 1 + Trigrams.READ;
    if (octets.length - end < needed) {
      digested();
      word = 0;
      end = 0;
      if (octets.length < needed) {
        octets = new byte[needed];
      }
    }
  }

  /**
   * Takes words as long as they are plain: of at most {@link Trigrams#READ} letters of ASCII, or of
   * digits, and what follows begins no URL. Most words are, so the way of a word through here has
   * no branch that a processor does not foresee.
   *
   * @param first the first of them, behind the end of another word
   * @param found how many the text has, with room made for them
   * @return the first that is not plain, or all when no more count
   */
  int plain(LatinWords text, int first, int found) {
    if (hashed + found - first > HASHES) {
      takeHashes();
    }
    byte[] lower = text.octets();
    int[] edges = text.edges();
    int at = end;
    int made = 0;
    int numbers = 0;
    boolean wasNumber = isAfterNumber;
    int most = BodyPrint.MOST_WORDS - words;
    int i = first;
    for (; i < found && made < most; i++) {
      int begin = edges[2 * i];
      int behind = edges[2 * i + 1];
      int length = behind - begin;
      if (length > Trigrams.READ || lower[behind] == ':') {
        break;
      }
      long low = (long) LONGS.get(lower, begin);
      long high = (long) LONGS.get(lower, begin + Long.BYTES);
      LONGS.set(octets, at, low);
      LONGS.set(octets, at + Long.BYTES, high);
      long lowMask = Trigrams.firstMask(length);
      long highMask = Trigrams.secondMask(length);
      low &= lowMask;
      high &= highMask;
      boolean isNumber = ((low | high) & LETTER_OR_WIDE) == 0;
      long other = ((low ^ (lowMask & LETTER)) | (high ^ (highMask & LETTER))) & LETTER_OR_WIDE;
      if (isNumber) {
        if (wasNumber) {
          continue;
        }
        octets[at] = '0';
        low = '0';
        high = 0;
        length = 1;
        numbers++;
      } else if (other != 0 || low == WWW_OCTETS) {
        break;
      }
      hashes[hashed + made] = trigrams.hash(low, high, length);
      at += length;
      octets[at++] = ' ';
      made++;
      wasNumber = isNumber;
    }
    end = at;
    word = at;
    hashed += made;
    words += made;
    wordsWithLetters += made - numbers;
    isAfterNumber = wasNumber;
    return isFull() ? found : i;
  }

  /** The next digit, which is not behind another one. */
  void number() {
    octets[end++] = '0';
  }

  /**
   * The next letters of ASCII, in lower case, and digits.
   *
   * @param isInNumber behind a digit
   * @return true when a digit is the last, or nothing came behind one
   */
  boolean ascii(byte[] text, int from, int to, boolean isInNumber) {
    boolean wasDigit = isInNumber;
    boolean anyLetter = hasLetter;
    int at = end;
    for (int i = from; i < to; i++) {
      boolean isDigit = text[i] <= '9';
      if (!isDigit || !wasDigit) {
        octets[at++] = isDigit ? (byte) '0' : text[i];
      }
      anyLetter |= !isDigit;
      wasDigit = isDigit;
    }
    hasLetter = anyLetter;
    end = at;
    return wasDigit;
  }

  /** The next letter, in lower case. */
  void letter(int codePoint) {
    hasLetter = true;
    if (codePoint < ASCII) {
      octets[end++] = (byte) codePoint;
    } else {
      end = utf8(codePoint, octets, end);
    }
  }

  /**
   * The next letter, which is a whole word. A number in front of it counts among the words with
   * letters, as it always did: which texts have fingerprints never changes.
   */
  void wordAlone(int codePoint) {
    hasLetter = true;
    endWord();
    letter(codePoint);
    endWord();
  }

  /** Writes a letter that is not ASCII; where it ends. */
  private static int utf8(int letter, byte[] to, int from) {
    int at = from;
    if (letter < 0x800) {
      to[at++] = (byte) (0xc0 | letter >>> 6);
    } else {
      if (letter < Character.MIN_SUPPLEMENTARY_CODE_POINT) {
        to[at++] = (byte) (0xe0 | letter >>> 12);
      } else {
        to[at++] = (byte) (0xf0 | letter >>> 18);
        to[at++] = continuation(letter >>> 12);
      }
      to[at++] = continuation(letter >>> 6);
    }
    to[at++] = continuation(letter);
    return at;
  }

  private static byte continuation(int bits) {
    return (byte) (0x80 | (bits & 0x3f));
  }

  /** True inside a word. */
  boolean isInWord() {
    return end > word;
  }

  /** True behind {@code www}. */
  boolean isWww() {
    return Arrays.equals(octets, word, end, WWW, 0, WWW.length);
  }

  /** What was written is no word but the scheme of a URL. */
  void url() {
    System.arraycopy(URL, 0, octets, word, URL.length);
    end = word + URL.length;
    hasLetter = false;
    endWord();
  }

  /** The word ends, if there is one. */
  void endWord() {
    if (end == word) {
      return;
    }
    boolean isNumber = end == word + 1 && octets[word] == '0';
    if (isFull() || (isNumber && isAfterNumber)) {
      end = word;
    } else {
      if (hashed == HASHES) {
        takeHashes();
      }
      hashes[hashed++] = trigrams.hash(octets, word, end - word);
      octets[end++] = ' ';
      words++;
      wordsWithLetters += hasLetter ? 1 : 0;
    }
    word = end;
    hasLetter = false;
    isAfterNumber = isNumber;
  }

  private void takeHashes() {
    trigrams.words(hashes, hashed);
    hashed = 0;
  }

  private MessageDigest digested() {
    MessageDigest open = digest == null ? SHA_256.begin() : digest;
    digest = open;
    open.update(octets, 0, end);
    return open;
  }

  /** The fingerprints of all words, and the next text begins. */
  Prints end() {
    Fingerprint exact = null;
    if (wordsWithLetters >= BodyPrint.LEAST_WORDS) {
      exact = Fingerprint.of(digested().digest());
    }
    Likeness likeness = null;
    if (words >= BodyPrint.LEAST_WORDS_ALIKE) {
      takeHashes();
      likeness = trigrams.likeness();
    }
    clear();
    return new Prints(exact, likeness);
  }

  private void clear() {
    digest = null;
    word = 0;
    end = 0;
    hashed = 0;
    words = 0;
    wordsWithLetters = 0;
    isAfterNumber = false;
    trigrams.clear();
  }
}
