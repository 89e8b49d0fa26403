package io.bloomgate.blocklists.content;

import static java.util.stream.Collectors.toUnmodifiableSet;

import io.bloomgate.blocklists.content.VisibleText.Span;
import java.util.BitSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds what a text quotes of another mail. Only a mail that answers one quotes, and only below
 * something that its writer said: so a mark in front of each line hides nothing. Quoted are lines
 * that begin with {@code >}, a {@code <blockquote>}, and all that is below one of these:
 *
 * <ul>
 *   <li>a line of at least five hyphens or underscores at its begin, or {@code <hr>};
 *   <li>the header of the other mail: three lines {@code Label: value}, of which one tells of a
 *       mail;
 *   <li>a line that ends with a colon and tells of a mail: {@code On 2 May at 10:00, Bob wrote:}.
 * </ul>
 *
 * <p>A mail program writes labels in the language of its user, so no word counts. A line tells of a
 * mail by an address in angle brackets, by a date with a time, or by the name of somebody to whom
 * the answer goes.
 *
 * <p>Used by {@link Texts}; pure.
 */
final class Quotes {

  private static final int LEAST_RULE = 5;
  private static final int LEAST_HEADER = 3;
  private static final int MAX_LABEL = 32;
  private static final int MAX_LINE = 400;

  /** Characters of the names and addresses in To and Cc that are read. */
  static final int MAX_RECIPIENTS = 1_000;

  /** The end of an address: its begin may be on the line above. */
  private static final Pattern ADDRESS = Pattern.compile("[^\\s<>@]@[^\\s<>@]++>");

  private static final Pattern NUMBER = Pattern.compile("\\p{Nd}++");

  /** {@code 10:00}, {@code 10.00} and {@code 10h00:00}, but no part of {@code 02.02.2026}. */
  private static final Pattern TIME =
      Pattern.compile(
          "(?<![\\p{Nd}.:])\\p{Nd}{1,2}[:.h\uff1a]\\p{Nd}{2}(?!\\p{Nd}|\\.\\p{Nd})(?::\\p{Nd}{2})?+");

  /** Numbers of a date and a time: day, month or year, hour and minute. */
  private static final int NUMBERS_OF_A_DATE = 4;

  /** A word of a name; in front of an at sign it is an address, which forms for users hold, too. */
  private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{M}]{2,}+(?!@)");

  private static final Pattern DOMAIN = Pattern.compile("@[^\\s>,;]*+");

  /** Quoted characters by place in the text; all from {@link #below} on is quoted, too. */
  private final BitSet quoted = new BitSet();

  private int below = Integer.MAX_VALUE;

  private final Set<String> recipients;

  private Quotes(Set<String> recipients) {
    this.recipients = recipients;
  }

  /**
   * The quotes of a text of a mail that answers another one.
   *
   * @param recipients the bodies of To and Cc, of {@link #MAX_RECIPIENTS}
   */
  static Quotes of(VisibleText page, String recipients) {
    String decoded = EncodedWords.decoded(recipients);
    Quotes quotes =
        new Quotes(words(DOMAIN.matcher(decoded).replaceAll(" ")).collect(toUnmodifiableSet()));
    quotes.read(page);
    return quotes;
  }

  /** True inside of a quote. */
  boolean covers(int at) {
    return at >= below || quoted.get(at);
  }

  private void read(VisibleText page) {
    String text = page.text.toString();
    BitSet blocks = new BitSet();
    page.quotes.forEach(block -> blocks.set(block.from(), block.to()));
    int own = ownText(text, blocks);
    if (own < 0) {
      return;
    }
    for (Span block : page.quotes) {
      if (block.from() > own) {
        quoted.set(block.from(), block.to() + 1);
      }
    }
    for (int rule : page.rules) {
      below = rule > own ? Math.min(below, rule) : below;
    }
    lines(text, own);
  }

  /** Finds where the writer's own text begins; -1 where it does not. */
  private static int ownText(String text, BitSet blocks) {
    int at = 0;
    while (at < text.length()) {
      int end = lineEnd(text, at);
      int from = begin(text, at, end);
      boolean isOwn = from < end && !blocks.get(from) && text.charAt(from) != '>';
      if (isOwn && !isRule(text, from, end)) {
        return from;
      }
      at = end + 1;
    }
    return -1;
  }

  private void lines(String text, int own) {
    // One less where the writer's own text begins with a label: then nothing is above the block.
    int labels = 0;
    boolean tells = false;
    boolean mayGoOn = false; // the line above has a label
    boolean awaits = false; // its value is in another cell of a table
    for (int at = 0; at < text.length(); ) {
      int end = lineEnd(text, at);
      int from = begin(text, at, end);
      if (from == end) {
        // Pages have empty lines between others.
        tells &= labels > 0;
        labels = Math.max(0, labels);
      } else if (from >= own) {
        if (text.charAt(from) == '>') {
          quoted.set(at, end);
        }
        String line = plain(text, from, end);
        int value = value(line);
        if (value > 0) {
          labels = from == own ? -1 : labels + 1;
        } else if (labels == 0 || (from == at && !mayGoOn)) {
          labels = 0;
          tells = false;
          awaits = false;
        }
        if (value > 0 || awaits) {
          tells = tells || tells(line.substring(value));
        }
        mayGoOn = value > 0;
        awaits = mayGoOn && value == line.length();
        boolean begins = (labels >= LEAST_HEADER && tells) || isCitation(line);
        if (from > own && (begins || isRule(text, from, end))) {
          below = Math.min(below, end);
          return;
        }
      }
      at = end + 1;
    }
  }

  private static int lineEnd(String text, int from) {
    int end = text.indexOf('\n', from);
    return end < 0 ? text.length() : end;
  }

  private static int begin(String text, int from, int to) {
    int at = from;
    while (at < to && isBlank(text.charAt(at))) {
      at++;
    }
    return at;
  }

  /** True for blanks of every width, and for what gives the direction of a text. */
  private static boolean isBlank(char c) {
    return c <= ' ' || Character.isSpaceChar(c) || Character.getType(c) == Character.FORMAT;
  }

  private static boolean isRule(String text, int from, int to) {
    char first = text.charAt(from);
    if ((first != '-' && first != '_') || to - from < LEAST_RULE) {
      return false;
    }
    for (int i = from; i < from + LEAST_RULE; i++) {
      if (text.charAt(i) != first) {
        return false;
      }
    }
    return true;
  }

  /** The begin of a line without marks of direction and of bold text, with one kind of blank. */
  private static String plain(String text, int from, int to) {
    StringBuilder plain = new StringBuilder();
    for (int i = from; i < to && plain.length() < MAX_LINE; i++) {
      char c = text.charAt(i);
      if (Character.getType(c) != Character.FORMAT && c != '*') {
        plain.append(isBlank(c) ? ' ' : c);
      }
    }
    return plain.toString().strip();
  }

  /** Finds where the value behind a label and a colon begins; 0 where a line has no label. */
  private static int value(String line) {
    for (int i = 0; i < line.length() && i <= MAX_LABEL; i++) {
      char c = line.charAt(i);
      if (isColon(c)) {
        return i == 0 || line.startsWith("//", i + 1) ? 0 : i + 1;
      }
      int type = Character.getType(c);
      boolean isMark =
          type == Character.NON_SPACING_MARK || type == Character.COMBINING_SPACING_MARK;
      if (!Character.isLetter(c) && !isMark && " -'.\u2019".indexOf(c) < 0) {
        return 0;
      }
    }
    return 0;
  }

  private static boolean isColon(char c) {
    return c == ':' || c == '\uff1a';
  }

  private boolean tells(String text) {
    return hasAddress(text) || isDated(text) || isNamed(text);
  }

  /**
   * True for a line above a quote. A name needs a number in front of it: {@code Dear Bob:} is none.
   * Neither is a line of a log, which has a time without a year, or another colon.
   */
  private boolean isCitation(String line) {
    if (line.length() == MAX_LINE || line.isEmpty() || !isColon(line.charAt(line.length() - 1))) {
      return false;
    }
    if (hasAddress(line) || line.contains(": ")) {
      return hasAddress(line);
    }
    Matcher number = NUMBER.matcher(line);
    return number.find()
        && (TIME.matcher(line).find() ? isDated(line) : isNamed(line.substring(number.end())));
  }

  private static boolean hasAddress(String text) {
    return text.indexOf('@') >= 0 && ADDRESS.matcher(text).find();
  }

  /** True with a time and two numbers that may be of a date beside it. */
  private static boolean isDated(String text) {
    if (NUMBER.matcher(text).results().count() < NUMBERS_OF_A_DATE) {
      return false;
    }
    String date = TIME.matcher(text).replaceFirst(" ");
    return date.length() < text.length()
        && NUMBER.matcher(date).results().filter(number -> mayBeOfADate(number.group())).count()
            >= 2;
  }

  /** True for a day, a month or a year of any calendar. */
  private static boolean mayBeOfADate(String number) {
    int digits = number.length();
    return digits <= 2 || (digits == 4 && Character.digit(number.charAt(0), 10) <= 2);
  }

  private boolean isNamed(String text) {
    return words(text).anyMatch(recipients::contains);
  }

  private static Stream<String> words(String text) {
    return WORD.matcher(text.toLowerCase(Locale.ROOT)).results().map(MatchResult::group);
  }
}
