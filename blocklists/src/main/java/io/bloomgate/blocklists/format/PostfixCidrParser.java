package io.bloomgate.blocklists.format;

import io.bloomgate.blocklists.format.PostfixAccessParser.PostfixText;
import io.bloomgate.blocklists.postfix.PostfixAction;
import io.bloomgate.blocklists.postfix.PostfixKey;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;

/**
 * The format {@code postfix-cidr}: {@code cidr_table(5)} with the actions of {@code access(5)}.
 * What refuses is an entry; what permits, and {@code DUNNO}, is an exception and wins over every
 * entry of the list, before or after it, so that a permit never refuses mail. Conditions ({@code
 * if}, {@code !}) and actions that do neither are bad lines: read without them they would list too
 * much.
 */
final class PostfixCidrParser implements FeedParser {

  @Override
  public void parse(InputStream text, ParseRun run) throws IOException {
    Table table = new Table(run);
    PostfixText.read(text, run, table::line);
  }

  /** Reads one text; knows how many conditions are open. */
  private static final class Table {
    private final ParseRun run;
    private int depth;

    Table(ParseRun run) {
      this.run = run;
    }

    void line(String line, int number) {
      String[] words = line.split("\\s+", 2);
      String first = words[0].toLowerCase(Locale.ROOT);
      if (first.equals("if")) {
        run.skip();
        depth++;
      } else if (first.equals("endif")) {
        run.skip();
        depth = Math.max(0, depth - 1);
      } else if (depth > 0 || first.startsWith("!")) {
        run.problem(number, "condition that a list cannot hold", line);
      } else {
        PostfixAction action = PostfixAction.of(words.length > 1 ? words[1] : "");
        switch (action) {
          case MISSING, RESTRICTIONS, CODE_ALONE, OTHER ->
              run.problem(number, action.problem(), line);
          case REFUSES -> run.network(PostfixKey.network(words[0]), false, number, line);
          case PERMITS, PASSES_ON -> run.network(PostfixKey.network(words[0]), true, number, line);
        }
      }
    }
  }
}
