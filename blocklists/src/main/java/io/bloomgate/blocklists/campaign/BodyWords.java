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
  private static final int LAST_ASCII = ASCII - 1;

  /** Octets that are collected before they are digested. */
  private static final int BUFFER = 640;

  /** Octets of UTF-8 that a character of UTF-16 takes at most. */
  private static final int OCTETS_A_CHARACTER = 3;

  /** In place of a character that may be part of a URL. */
  private static final byte MAYBE_URL = 1;

  /** Set in the octet of a letter, and in no other one of {@link #LETTERS}. */
  private static final int LETTER = 0x40;

  /** Set in the octet of a digit, in some letters, not in a space. */
  private static final int DIGIT = 0x10;

  /**
   * By ASCII character: the letter in lower case, 0 for a digit, a space for what divides words.
   */
  private static final byte[] LETTERS = letters();

  /** {@code null} as long as nothing was digested. */
  private @Nullable MessageDigest digest;

  private final Trigrams trigrams;
  private byte[] octets = new byte[BUFFER];

  /** Where words end that are written and not counted yet. */
  private int[] wordEnds = new int[BodyPrint.MOST_TOGETHER / 2 + 2];

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

  private static byte[] letters() {
    byte[] letters = new byte[ASCII];
    Arrays.fill(letters, (byte) ' ');
    letters['.'] = MAYBE_URL;
    letters[':'] = MAYBE_URL;
    for (int c = 0; c < ASCII; c++) {
      if (c >= '0' && c <= '9') {
        letters[c] = '0';
      } else if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
        letters[c] = (byte) (c | 0x20);
      }
    }
    return letters;
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
    makeAsciiRoom(to - from);
    return ascii(text, from, to);
  }

  /** Pieces of ASCII and what is between them, each no longer than is looked at together. */
  void pieces(char[] text, int from, int to) {
    makeAsciiRoom(to - from);
    var _ = ascii(text, from, to);
  }

  private boolean ascii(char[] text, int from, int to) {
    int i = from;
    while (i < to) {
      i = run(text, i, to);
      if (i < to) {
        if (beginsUrl(text, i, to)) {
          i = urlEnd(text, i, to);
          if (i == to) {
            return true;
          }
        } else {
          endAscii();
        }
        i++;
      }
    }
    endAscii();
    return false;
  }

  /**
   * Writes words up to a character that may be part of a URL; the last one stays open. Words are
   * short and of any length, so the way of a character through the loop has no branch.
   *
   * @return where it ends
   */
  private int run(char[] text, int from, int to) {
    byte[] written = octets;
    int[] ends = wordEnds;
    int at = end;
    int ended = 0;
    int last = ' ';
    int i = from;
    for (; i < to; i++) {
      int letter = LETTERS[text[i] & LAST_ASCII];
      if (letter == MAYBE_URL) {
        break;
      }
      written[at] = (byte) letter;
      ends[ended] = at;
      // of digits beside each other, and of spaces, the first counts
      int counts = isNotZero((letter ^ last) | (letter & LETTER));
      at += counts;
      ended += counts & ~isNotZero(letter & (LETTER | DIGIT));
      last = letter;
    }
    words(ended, at);
    return i;
  }

  /** 1, or 0 for 0. */
  private static int isNotZero(int sevenBits) {
    return (sevenBits + LAST_ASCII) >>> 7;
  }

  /** Takes the words that were written at once, and begins the open one behind them. */
  private void words(int ended, int openEnd) {
    int from = word;
    int dropped = 0;
    for (int i = 0; i < ended; i++) {
      int next = wordEnds[i] + 1;
      end = wordEnds[i] - dropped;
      if (dropped > 0) {
        System.arraycopy(octets, from, octets, word, end - word);
      }
      endAscii();
      dropped = next - end;
      from = next;
    }
    System.arraycopy(octets, from, octets, word, openEnd - from);
    end = openEnd - dropped;
  }

  private void endAscii() {
    hasLetter = end > word + 1 || octets[word] != '0';
    endWord();
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

  /**
   * For characters of ASCII. The space behind a word takes the place of what divides it from the
   * next one; only the last word may have none.
   */
  private void makeAsciiRoom(int characters) {
    makeRoom(characters + 1);
    if (wordEnds.length < characters / 2 + 2) {
      wordEnds = new int[characters / 2 + 2];
    }
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
