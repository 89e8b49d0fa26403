package io.bloomgate.blocklists.format;

import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.blocklists.format.octets.Octets;
import io.bloomgate.blocklists.postfix.PostfixAction;
import io.bloomgate.blocklists.postfix.PostfixKey;
import io.bloomgate.blocklists.postfix.PostfixLines;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.Parsed;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;

/**
 * The formats {@code postfix-access} and {@code postfix-cidr}: {@code access(5)} tables of clients
 * and senders, and {@code cidr_table(5)} with the same actions. What refuses is an entry; what
 * permits, and {@code DUNNO}, is an exception and wins over every entry of the list, before or
 * after it, so that a permit never refuses mail. Stateless; used on the parsing thread.
 */
final class PostfixTables {

  private PostfixTables() {}

  /** Reads an {@code access} table. */
  static void access(InputStream text, ParseRun run) throws IOException {
    read(text, run, (line, number) -> row(run, line, number, PostfixTables::subject));
  }

  /**
   * Reads a {@code cidr} table. Conditions ({@code if}, {@code !}) and actions that do neither are
   * bad lines: read without them they would list too much.
   */
  static void cidr(InputStream text, ParseRun run) throws IOException {
    int[] depth = new int[1];
    read(
        text,
        run,
        (line, number) -> {
          String first = line.split("\\s+", 2)[0].toLowerCase(Locale.ROOT);
          if (first.equals("if") || first.equals("endif")) {
            run.skip();
            depth[0] = Math.max(0, depth[0] + (first.equals("if") ? 1 : -1));
          } else if (depth[0] > 0 || first.startsWith("!")) {
            run.problem(number, "condition that a list cannot hold", line);
          } else {
            row(run, line, number, PostfixTables::network);
          }
        });
  }

  /** Takes the first word of a line, and whether it is an exception. */
  @FunctionalInterface
  private interface Key {
    void take(ParseRun run, String written, boolean exception, String line, int number);
  }

  private static void row(ParseRun run, String line, int number, Key key) {
    String[] words = line.split("\\s+", 2);
    PostfixAction action = PostfixAction.of(words.length > 1 ? words[1] : "");
    switch (action) {
      case MISSING, RESTRICTIONS, CODE_ALONE, OTHER -> run.problem(number, action.problem(), line);
      case REFUSES -> key.take(run, words[0], false, line, number);
      case PERMITS, PASSES_ON -> key.take(run, words[0], true, line, number);
    }
  }

  private static void network(
      ParseRun run, String written, boolean exception, String line, int number) {
    run.network(PostfixKey.network(written), exception, number, line);
  }

  /**
   * A name reaches below, as Postfix reads it by default (smtpd_access_maps is in
   * parent_domain_matches_subdomains); {@code .x} is only what is below. {@code user@} at any
   * domain is no entry of ours and is left out. An address may be the beginning of one at an octet
   * or group border.
   */
  private static void subject(
      ParseRun run, String written, boolean exception, String line, int number) {
    if (written.endsWith("@") || written.equals("<>")) {
      run.skip();
    } else if (written.indexOf('@') >= 0) {
      switch (MailAddress.parse(written)) {
        case Parsed.Bad<MailAddress>(String reason) -> run.problem(number, reason, line);
        case Parsed.Ok<MailAddress>(MailAddress address, var ignored) ->
            run.address(address, exception, number);
      }
    } else if (written.indexOf(':') >= 0
        || written.chars().allMatch(c -> (c >= '0' && c <= '9') || c == '.' || c == '/')) {
      run.network(PostfixKey.network(PostfixKey.whole(written)), exception, number, line);
    } else {
      NameMatch match = written.startsWith(".") ? NameMatch.BELOW : NameMatch.SUFFIX;
      String name = written.substring(match == NameMatch.BELOW ? 1 : 0);
      run.name(DomainName.parse(name), match, exception, number, line);
    }
  }

  /** Hands over the logical lines of a table. */
  private static void read(InputStream text, ParseRun run, PostfixLines.Handler handler)
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
