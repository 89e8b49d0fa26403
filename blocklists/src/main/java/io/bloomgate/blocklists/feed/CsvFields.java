package io.bloomgate.blocklists.feed;

import java.util.ArrayList;
import java.util.List;

/** One CSV record cut into fields, or the reason why it is none. Used by {@link CsvRecords}. */
sealed interface CsvFields {

  /** All fields, blanks around them off. */
  record Complete(List<String> values) implements CsvFields {}

  /** A quoted field goes on behind the end of the text. */
  record Open() implements CsvFields {}

  /** Something stands behind a closing quote. */
  record Broken() implements CsvFields {}

  /** Cuts a text. */
  static CsvFields of(String text, char delimiter) {
    List<String> fields = new ArrayList<>();
    int at = 0;
    while (true) {
      int start = skipBlanks(text, at);
      int end;
      if (start < text.length() && text.charAt(start) == '"') {
        int close = closingQuote(text, start);
        if (close < 0) {
          return new Open();
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
    for (int i = open + 1; i < text.length(); i++) {
      if (text.charAt(i) == '"') {
        if (i + 1 < text.length() && text.charAt(i + 1) == '"') {
          i++;
        } else {
          return i;
        }
      }
    }
    return -1;
  }
}
