package io.bloomgate.blocklists.feed;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The records of a zone in master file form, RFC 1035 section 5.1, as words: comments off,
 * parentheses joined, the owner of the record before filled in. Used by {@link RpzParser}.
 */
final class RpzRecords {

  /**
   * A record or directive.
   *
   * @param words owner or directive first; quotes are off
   * @param text the line that it begins with, for reports
   */
  record ZoneRecord(List<String> words, String text, int line) {}

  private final FeedLines lines;
  private final ParseRun run;
  private String owner = "";

  RpzRecords(InputStream text, ParseRun run) throws IOException {
    this.lines = new FeedLines(text);
    this.run = run;
  }

  /** The next record, or nothing at the end of the text. */
  Optional<ZoneRecord> next() throws IOException {
    while (lines.next()) {
      run.lines(lines.number());
      if (lines.overlong()) {
        run.overlong(lines);
        continue;
      }
      String text = Octets.decode(lines.octets(), lines.from(), lines.to());
      int number = lines.number();
      Words words = new Words();
      words.add(text);
      for (int more = 0;
          words.open > 0 && more < FeedLimits.LINES_PER_RECORD && lines.next();
          more++) {
        run.lines(lines.number());
        words.add(Octets.decode(lines.octets(), lines.from(), lines.to()));
      }
      if (words.open > 0) {
        run.problem(number, "parenthesis that is not closed", text);
      } else if (!words.found.isEmpty()) {
        return Optional.of(record(words.found, text, number));
      }
    }
    return Optional.empty();
  }

  private ZoneRecord record(List<String> words, String text, int number) {
    if (text.charAt(0) == ' ' || text.charAt(0) == '\t') {
      words.addFirst(owner);
    } else if (!words.getFirst().startsWith("$")) {
      owner = words.getFirst();
    }
    return new ZoneRecord(List.copyOf(words), text, number);
  }

  /** Cuts lines into words until no parenthesis is open. */
  private static final class Words {
    private final List<String> found = new ArrayList<>();
    private int open;

    void add(String line) {
      StringBuilder word = new StringBuilder();
      boolean quoted = false;
      for (int i = 0; i < line.length(); i++) {
        char c = line.charAt(i);
        if (c == '"') {
          quoted = !quoted;
        } else if (quoted) {
          word.append(c);
        } else if (c == ';') {
          break;
        } else if (c == ' ' || c == '\t' || c == '(' || c == ')') {
          open += c == '(' ? 1 : c == ')' ? -1 : 0;
          end(word);
        } else {
          word.append(c);
        }
      }
      end(word);
    }

    private void end(StringBuilder word) {
      if (!word.isEmpty()) {
        found.add(word.toString());
        word.setLength(0);
      }
    }
  }
}
