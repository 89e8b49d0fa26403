package io.bloomgate.blocklists.format;

import io.bloomgate.blocklists.format.EntryText.Accepts;
import io.bloomgate.blocklists.format.octets.Octets;
import java.io.IOException;
import java.io.InputStream;

/**
 * The formats {@code lines}, {@code ips} and {@code domains}: one entry a line, comments after
 * {@code #}, {@code ;} or {@code //}.
 *
 * <p>An address may be followed by a count, as some publishers write it; any other second word
 * makes the line bad, because a list whose meaning is guessed lists the wrong things.
 */
final class EntryLinesParser implements FeedParser {

  /** The kinds of octets of a line that is more than one word. */
  private static final int MORE_THAN_A_WORD =
      OctetKinds.BLANK | OctetKinds.COMMENT | OctetKinds.QUOTE;

  private final Accepts accepts;

  EntryLinesParser(Accepts accepts) {
    this.accepts = accepts;
  }

  @Override
  public void parse(InputStream text, ParseRun run) throws IOException {
    LineLoop.read(text, run, (octets, from, to, number) -> line(run, octets, from, to, number));
  }

  private void line(ParseRun run, byte[] text, int from, int lineTo, int number) {
    if (Comments.isWhole(text, from, lineTo)) {
      return;
    }
    if (Comments.isUrl(text, from, lineTo)) {
      run.problem(
          number,
          "a URL, which format urls reads; a comment has a blank behind //",
          text,
          from,
          lineTo);
      return;
    }
    if (!OctetKinds.any(OctetKinds.of(text, from, lineTo), MORE_THAN_A_WORD)) {
      EntryText.read(run, accepts, text, from, lineTo, number);
      return;
    }
    int to = Comments.trimmed(text, from, lineTo);
    int end = text[from] == '"' ? to : Octets.tokenEnd(text, from, to);
    if (end == to || isRange(text, end, to) || isCount(text, end, to)) {
      int entryEnd = end < to && isCount(text, end, to) ? end : to;
      EntryText.read(run, accepts, text, from, entryEnd, number);
    } else if (accepts == Accepts.NAMES || !EntryText.namedRange(run, text, from, to, number)) {
      run.problem(number, "more than one word in a line", text, from, to);
    }
  }

  /** {@code a - b} with blanks around the dash. */
  private static boolean isRange(byte[] text, int end, int to) {
    int dash = Octets.skipBlanks(text, end, to);
    return dash < to && text[dash] == '-';
  }

  private static boolean isCount(byte[] text, int end, int to) {
    int at = Octets.skipBlanks(text, end, to);
    int first = at;
    while (at < to && Octets.isDigit(text[at])) {
      at++;
    }
    return at > first && at == to;
  }
}
