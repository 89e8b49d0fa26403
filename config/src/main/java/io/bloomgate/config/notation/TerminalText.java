package io.bloomgate.config.notation;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Texts for a terminal or a pipe: each character that could move the cursor, break a line or turn
 * the reading direction is written as {@code \}{@code uXXXX}; long lines are broken. Pure.
 */
public final class TerminalText {

  private static final Pattern COLOUR = Pattern.compile("\u001b\\[[0-9]*m");

  /** A name in front of a value, and the gap behind it. */
  private static final Pattern NAME = Pattern.compile("^ *\\S+(?: \\S+)? {2,}(?=\\S)");

  /** Columns of a longer name would leave too few for the value below it. */
  private static final int LONGEST_NAME = 26;

  private static final String WORDS = "(?<= )(?! )";

  /** A word, or a command in backquotes, with the spaces behind it; else spaces. */
  private static final Pattern WORD = Pattern.compile("(?:`[^`]*`|[^ `]++|`)+ *| +");

  /** A word of a shell with the spaces behind it; else one character. */
  private static final Pattern SHELL_WORD = Pattern.compile("(?:\\\\.|[^ '\\\\]++|'[^']*+')++ *|.");

  /** Places where the cell of a table may be broken; the length of a network stays with it. */
  private static final String PARTS =
      WORDS + "|(?=@)|(?<=,)|(?<=/)(?![0-9]{1,3}\\b)|(?=T[0-9][0-9]:)";

  private TerminalText() {}

  /** The text on one line. */
  public static String safe(String text) {
    if (text.codePoints().allMatch(TerminalText::isHarmless)) {
      return text;
    }
    StringBuilder out = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(c -> {
          if (isHarmless(c)) {
            out.appendCodePoint(c);
          } else {
            escape(out, c);
          }
        });
    return out.toString();
  }

  /** A path as one word of a shell, for commands that are printed to be typed. */
  public static String word(Path path) {
    String text = safe(path.toString());
    return text.matches("[-+.,/:=@_A-Za-z0-9]+") ? text : "'" + text.replace("'", "'\\''") + "'";
  }

  /** The columns that a text takes. */
  public static int width(String text) {
    String plain = text.indexOf('\u001b') < 0 ? text : COLOUR.matcher(text).replaceAll("");
    return plain.codePointCount(0, plain.length());
  }

  /**
   * A line as lines that are no wider than this, broken between words; what follows begins below
   * the value of the first line. A word is not cut, and no command in backquotes: neither would be
   * of use then.
   */
  public static List<String> fitted(String line, int columns) {
    return fitted(line, words(WORD, line), columns);
  }

  /** The same for a command, whose quoted words stay whole. */
  public static List<String> fittedCommand(String line, int columns) {
    return fitted(line, words(SHELL_WORD, line), columns);
  }

  private static List<String> words(Pattern word, String line) {
    return word.matcher(line).results().map(MatchResult::group).toList();
  }

  private static List<String> fitted(String line, List<String> words, int columns) {
    if (width(line) <= columns) {
      return List.of(line);
    }
    String plain = COLOUR.matcher(line).replaceAll("");
    Matcher name = NAME.matcher(plain);
    int indent =
        name.find() && name.end() <= LONGEST_NAME
            ? name.end()
            : plain.length() - plain.stripLeading().length() + 2;
    return broken(words, columns, " ".repeat(indent));
  }

  /** The pieces of a cell that are not broken where there is room. */
  static Stream<String> pieces(String cell) {
    return Stream.of(cell.split(PARTS, 0));
  }

  /** The cell of a table as lines that are no wider than this. */
  public static List<String> lines(String cell, int columns) {
    if (width(cell) <= columns) {
      return List.of(cell);
    }
    List<String> pieces = new ArrayList<>();
    for (String part : cell.split(PARTS, 0)) {
      String left = part;
      while (width(left) > columns) {
        int end = left.offsetByCodePoints(0, columns);
        pieces.add(left.substring(0, end));
        left = left.substring(end);
      }
      pieces.add(left);
    }
    return broken(pieces, columns, "");
  }

  private static List<String> broken(List<String> pieces, int columns, String indent) {
    List<String> lines = new ArrayList<>();
    String line = "";
    for (String piece : pieces) {
      if (!line.isBlank() && width(line + piece.stripTrailing()) > columns) {
        lines.add(line.stripTrailing());
        line = indent;
      }
      line += piece;
    }
    lines.add(line.stripTrailing());
    return lines;
  }

  /** UTF-16 units, as JSON and Java have them. */
  private static void escape(StringBuilder out, int codePoint) {
    for (char unit : Character.toChars(codePoint)) {
      out.append(String.format("\\u%04x", (int) unit));
    }
  }

  /** Letters, digits, punctuation and plain blanks; no controls, formats, bidi marks, halves. */
  static boolean isHarmless(int c) {
    if (c >= 0x20 && c < 0x7f) {
      return true;
    }
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
