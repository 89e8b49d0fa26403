package io.bloomgate.blocklists.feed;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.key.IpPrefix;
import io.bloomgate.blocklists.key.Parsed;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The format {@code postfix-cidr}: {@code cidr_table(5)} with the actions of {@code access(5)}.
 * What refuses is an entry; what permits, and {@code DUNNO}, is an exception and wins over every
 * entry of the list wherever it stands, so that a permit never refuses mail. Conditions ({@code
 * if}, {@code !}) and actions that do neither are bad lines: read without them they would list too
 * much.
 */
final class PostfixCidrParser implements FeedParser {

  private static final Set<String> REFUSE =
      Set.of("REJECT", "DISCARD", "DEFER", "DEFER_IF_REJECT", "DEFER_IF_PERMIT");

  private static final Set<String> PERMIT = Set.of("OK", "PERMIT", "DUNNO");

  /** A logical line: it ends before the next line that does not begin with a blank. */
  private record Logical(String text, int line) {}

  @Override
  public void parse(InputStream text, ParseRun run) throws IOException {
    FeedLines lines = new FeedLines(text);
    int depth = 0;
    @Nullable Logical pending = null;
    while (lines.next()) {
      String line = Octets.decode(lines.octets(), lines.from(), lines.to());
      String content = line.strip();
      if (lines.overlong()) {
        run.problem(lines.number(), "line longer than 65536 octets", line);
      } else if (content.isEmpty() || content.startsWith("#")) {
        // Neither ends a logical line.
        run.lines(lines.number());
      } else if (Character.isWhitespace(line.charAt(0)) && pending != null) {
        pending = joined(pending, line);
      } else {
        depth = flush(run, pending, depth);
        pending = new Logical(line, lines.number());
      }
    }
    flush(run, pending, depth);
    run.lines(lines.number());
  }

  private static Logical joined(Logical first, String line) {
    // An action's text may be long; its beginning is all that is read.
    return first.text.length() + line.length() > FeedLimits.LINE_OCTETS
        ? first
        : new Logical(first.text + line, first.line);
  }

  /** Reads a logical line; returns how many {@code if} are open behind it. */
  private static int flush(ParseRun run, @Nullable Logical logical, int depth) {
    if (logical == null) {
      return depth;
    }
    byte[] text = logical.text.strip().getBytes(UTF_8);
    int end = Octets.tokenEnd(text, 0, text.length);
    String first = Octets.decode(text, 0, end).toLowerCase(Locale.ROOT);
    if (first.equals("if") || first.equals("endif")) {
      run.skip();
      return first.equals("if") ? depth + 1 : Math.max(0, depth - 1);
    }
    if (depth > 0 || text[0] == '!') {
      run.problem(logical.line, "condition that a list cannot hold", text, 0, text.length);
      return depth;
    }
    entry(run, text, end, logical.line);
    return depth;
  }

  private static void entry(ParseRun run, byte[] text, int end, int line) {
    int to = text.length;
    int actionFrom = Octets.skipBlanks(text, end, to);
    String action =
        Octets.decode(text, actionFrom, Octets.tokenEnd(text, actionFrom, to))
            .toUpperCase(Locale.ROOT);
    boolean refuses = REFUSE.contains(action) || action.matches("[45][0-9][0-9]");
    // access(5): an all-numerical result is OK.
    boolean permits =
        PERMIT.contains(action)
            || action.startsWith("PERMIT_")
            || (!refuses && action.matches("[0-9]+"));
    if (!refuses && !permits) {
      run.problem(
          line,
          action.isEmpty()
              ? "network without an action"
              : "action that neither refuses nor permits",
          text,
          0,
          to);
      return;
    }
    switch (IpPrefix.parse(text, 0, end)) {
      case Parsed.Bad<IpPrefix>(String reason) -> run.problem(line, reason, text, 0, to);
      case Parsed.Ok<IpPrefix> ok -> run.network(ok, permits, line);
    }
  }
}
