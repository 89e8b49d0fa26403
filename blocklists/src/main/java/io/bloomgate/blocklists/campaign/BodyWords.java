package io.bloomgate.blocklists.campaign;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.config.name.Fingerprint;
import java.lang.Character.UnicodeScript;
import java.security.MessageDigest;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Divides a text into normalised words, digests them and gives their hashes to {@link Trigrams}.
 * Used by one {@link BodyPrint} for one mail after the other.
 *
 * <p>A word is a run of letters and numbers. Letters are lower case, a number is 0, numbers beside
 * each other are one. A URL (with a scheme, or with {@code www.}) is one word. Scripts that are
 * written without spaces give a word a character. Text of ASCII takes a short way.
 */
final class BodyWords {

  /** Begins what is hashed. Part of values that are exchanged: never changes. */
  private static final Sha256 SHA_256 = new Sha256("bloomgate body 1\n");

  /** In place of a URL; no word holds these characters. */
  private static final byte[] URL = "://".getBytes(UTF_8);

  private static final byte[] WWW = "www".getBytes(UTF_8);

  private static final int ASCII = 0x80;

  /** Octets that are collected before they are digested. */
  private static final int BUFFER = 640;

  /** Octets of UTF-8 that a character of UTF-16 takes at most. */
  private static final int OCTETS_A_CHARACTER = 3;

  /** {@code null} as long as nothing was digested. */
  private @Nullable MessageDigest digest;

  private final Trigrams trigrams;
  private byte[] octets = new byte[BUFFER];

  private final AsciiWords ascii = new AsciiWords();

  /** Where the word begins that is being written. */
  private int word;

  /** End of what is written. */
  private int end;

  private boolean hasLetter;
  private boolean isAfterNumber;
  private int words;
  private int wordsWithLetters;

  BodyWords(Trigrams trigrams) {
    this.trigrams = trigrams;
  }

  /** True when the text has had as many words as count. */
  boolean isFull() {
    return words >= BodyPrint.MOST_WORDS;
  }

  int words() {
    return words;
  }

  /**
   * The next piece without white space.
   *
   * @return true when a URL reaches the end of the piece
   */
  boolean piece(char[] text, int from, int to) {
    int any = 0;
    for (int i = from; i < to; i++) {
      any |= text[i];
    }
    if (any >= ASCII) {
      return wide(PlainText.folded(text, from, to));
    }
    return ascii(text, from, to);
  }

  /** Pieces of ASCII and what is between them, together no longer than is looked at together. */
  void pieces(char[] text, int from, int to) {
    var _ = ascii(text, from, to);
  }

  private boolean ascii(char[] text, int from, int to) {
    // a space follows each word; only the last one may have none in the text
    makeRoom(to - from + 1);
    int found = ascii.read(text, from, to);
    int skipped = 0;
    for (int i = 0; i < found; i++) {
      int at = ascii.begin(i);
      if (at < skipped) {
        continue; // in a URL
      }
      int behind = from + ascii.end(i);
      end = ascii.write(at, behind - from, octets, end);
      if (behind < to && beginsUrl(text, behind, to)) {
        int urlEnd = urlEnd(text, behind, to);
        if (urlEnd == to) {
          return true;
        }
        skipped = urlEnd - from;
      } else {
        hasLetter = end > word + 1 || octets[word] != '0';
        endWord();
      }
    }
    return false;
  }

  /** The same for a folded piece with other characters than ASCII. */
  private boolean wide(char[] text) {
    makeRoom(text.length * (OCTETS_A_CHARACTER + 1));
    boolean wasDigit = false;
    int i = 0;
    while (i < text.length) {
      int codePoint = Character.codePointAt(text, i);
      if (beginsUrl(text, i, text.length)) {
        i = urlEnd(text, i, text.length);
        if (i == text.length) {
          return true;
        }
        wasDigit = false;
        continue;
      }
      i += Character.charCount(codePoint);
      if (PlainText.isInvisible(codePoint)) {
        continue;
      }
      boolean isDigit = Character.isDigit(codePoint);
      if (isDigit && !wasDigit) {
        octets[end++] = '0';
      } else if (PlainText.isLetter(codePoint)) {
        letter(codePoint);
      } else if (!isDigit) {
        endWord();
      }
      wasDigit = isDigit;
    }
    endWord();
    return false;
  }

  private void letter(int codePoint) {
    hasLetter = true;
    if (codePoint < ASCII) {
      octets[end++] = (byte) codePoint;
      return;
    }
    boolean isAlone = isWordAlone(codePoint);
    if (isAlone) {
      endWord();
      hasLetter = true;
    }
    end = utf8(codePoint, octets, end);
    if (isAlone) {
      endWord();
    }
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

  private static boolean isWordAlone(int codePoint) {
    if (codePoint < 0x0e00) {
      return false;
    }
    return Character.isIdeographic(codePoint)
        || switch (UnicodeScript.of(codePoint)) {
          case HIRAGANA, KATAKANA, THAI, LAO, KHMER, MYANMAR -> true;
          default -> false;
        };
  }

  /** True at the colon behind a scheme, and at the dot behind {@code www}. */
  private boolean beginsUrl(char[] text, int at, int to) {
    if (end == word) {
      return false;
    }
    return switch (text[at]) {
      case ':' -> at + 2 < to && text[at + 1] == '/' && text[at + 2] == '/';
      case '.' ->
          at + 1 < to
              && !PlainText.isSpace(text[at + 1])
              && Arrays.equals(octets, word, end, WWW, 0, WWW.length);
      default -> false;
    };
  }

  /** Writes a URL in place of its scheme; where it ends. */
  private int urlEnd(char[] text, int from, int to) {
    end = word;
    System.arraycopy(URL, 0, octets, end, URL.length);
    end += URL.length;
    hasLetter = false;
    endWord();
    int i = from;
    while (i < to && !BodyPrint.endsUrl(text[i]) && !PlainText.isSpace(text[i])) {
      i++;
    }
    return i;
  }

  private void endWord() {
    if (end == word) {
      return;
    }
    boolean isNumber = end == word + 1 && octets[word] == '0';
    if (isFull() || (isNumber && isAfterNumber)) {
      end = word;
    } else {
      trigrams.word(octets, word, end - word);
      octets[end++] = ' ';
      words++;
      wordsWithLetters += hasLetter ? 1 : 0;
    }
    word = end;
    hasLetter = false;
    isAfterNumber = isNumber;
  }

  private void makeRoom(int written) {
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

  private MessageDigest digested() {
    MessageDigest open = digest == null ? SHA_256.begin() : digest;
    digest = open;
    open.update(octets, 0, end);
    return open;
  }

  /**
   * The value of all words, and the next text begins.
   *
   * @return {@code null} for a text of too few words
   */
  @Nullable Fingerprint end() {
    boolean isLongEnough = wordsWithLetters >= BodyPrint.LEAST_WORDS;
    Fingerprint value = isLongEnough ? Fingerprint.of(digested().digest()) : null;
    digest = null;
    word = 0;
    end = 0;
    words = 0;
    wordsWithLetters = 0;
    isAfterNumber = false;
    return value;
  }
}
