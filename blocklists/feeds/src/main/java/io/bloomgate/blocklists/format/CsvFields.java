package io.bloomgate.blocklists.format;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** One CSV record cut into fields, or the reason why it is none. Used by {@link CsvParser}. */
sealed interface CsvFields {

  /** Characters that set fields apart, the usual one first. */
  String DELIMITERS = ",;\t";

  /** A column is named by a word, which no address, name or URL is. */
  Pattern COLUMN_NAME = Pattern.compile("[A-Za-z_][^.:]*+");

  /** All fields, blanks around them off. */
  record Complete(List<String> values) implements CsvFields {}

  /**
   * A quoted field goes on after the end of the text.
   *
   * @param before the fields before it
   * @param start where it begins
   */
  record Open(List<String> before, int start) implements CsvFields {

    /** Goes on with a text that begins with the one that was cut. */
    CsvFields resume(String text, char delimiter) {
      return cut(text, delimiter, start, new ArrayList<>(before));
    }
  }

  /** The record has text after a closing quote. */
  record Broken() implements CsvFields {}

  /** Cuts a text. */
  static CsvFields of(String text, char delimiter) {
    return cut(text, delimiter, 0, new ArrayList<>());
  }

  /** The fields of a line by each delimiter that cuts it well. */
  private static Stream<List<String>> cuts(String line) {
    return DELIMITERS
        .chars()
        .mapToObj(delimiter -> of(line, (char) delimiter))
        .flatMap(
            cut -> cut instanceof Complete(List<String> values) ? Stream.of(values) : Stream.of());
  }

  /** The fields of a line, cut at the first delimiter that makes several; else the whole line. */
  static List<String> ofLine(String line) {
    return cuts(line).filter(fields -> fields.size() > 1).findFirst().orElse(List.of(line));
  }

  /** Finds the first field that is read well, whatever sets the fields of the line apart. */
  static <T> Optional<T> find(String line, Function<String, Optional<T>> reader) {
    return cuts(line)
        .flatMap(List::stream)
        .flatMap(field -> reader.apply(field).stream())
        .findFirst();
  }

  /** True for a row that names columns. */
  static boolean isHeader(List<String> fields) {
    return fields.size() > 1
        && fields.stream().allMatch(f -> f.isEmpty() || COLUMN_NAME.matcher(f).matches());
  }

  /** True when a line holds the end of a quoted field that began before it. */
  static boolean closes(String line) {
    return closingQuote(line, -1) >= 0;
  }

  private static CsvFields cut(String text, char delimiter, int from, List<String> fields) {
    int at = from;
    while (true) {
      int start = skipBlanks(text, at);
      int end;
      if (start < text.length() && text.charAt(start) == '"') {
        int close = closingQuote(text, start);
        if (close < 0) {
          return new Open(fields, start);
        }
        end = skipBlanks(text, close + 1);
        if (end < text.length() && text.charAt(end) != delimiter) {
          return new Broken();
        }
        fields.add(text.substring(start + 1, close).replace("\"\"", "\"").strip());
      } else {
        int next = text.indexOf(delimiter, at);
        end = next < 0 ? text.length() : next;
        fields.add(text.substring(at, end).strip());
      }
      if (end >= text.length()) {
        return new Complete(fields);
      }
      at = end + 1;
    }
  }

  /** Blanks before a quote; a tab may be the delimiter and is none. */
  private static int skipBlanks(String text, int from) {
    int at = from;
    while (at < text.length() && text.charAt(at) == ' ') {
      at++;
    }
    return at;
  }

  private static int closingQuote(String text, int open) {
    int quote = text.indexOf('"', open + 1);
    while (quote >= 0 && quote + 1 < text.length() && text.charAt(quote + 1) == '"') {
      quote = text.indexOf('"', quote + 2);
    }
    return quote;
  }
}
