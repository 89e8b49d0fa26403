package io.bloomgate.blocklists.format;

import io.bloomgate.blocklists.format.octets.Octets;
import io.bloomgate.blocklists.postfix.PostfixLines;
import java.io.IOException;
import java.io.InputStream;

/** A feed as the logical lines of a Postfix table. Used by the parsers of such tables. */
final class PostfixText {

  private PostfixText() {}

  /**
   * Reads a text to its end.
   *
   * @throws IOException only when {@code text} throws it
   */
  static void read(InputStream text, ParseRun run, PostfixLines.Handler handler)
      throws IOException {
    FeedLines lines = new FeedLines(text);
    PostfixLines logical = new PostfixLines(handler);
    while (lines.next()) {
      run.lines(lines.number());
      if (lines.overlong()) {
        run.overlong(lines);
      } else {
        logical.take(Octets.decode(lines.octets(), lines.from(), lines.to()), lines.number());
      }
    }
    logical.end();
  }
}
