package io.bloomgate.blocklists.format;

import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.MailAddress;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.function.Consumer;

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
    read(text, run, line -> row(run, line, PostfixTables::subject));
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
        line -> {
          String first = line.split("\\s+", 2)[0].toLowerCase(Locale.ROOT);
          if (first.equals("if") || first.equals("endif")) {
            run.skip();
            depth[0] = Math.max(0, depth[0] + (first.equals("if") ? 1 : -1));
          } else if (depth[0] > 0 || first.startsWith("!")) {
            run.problem("condition that a list cannot hold");
          } else {
            row(run, line, PostfixTables::network);
          }
        });
  }

  /** Takes the first word of a line, and whether it is an exception. */
  @FunctionalInterface
  private interface Key {
    void take(ParseRun run, String written, boolean exception);
  }

  private static void row(ParseRun run, String line, Key key) {
    String[] words = line.split("\\s+", 2);
    PostfixAction action = PostfixAction.of(words.length > 1 ? words[1] : "");
    switch (action) {
      case MISSING, RESTRICTIONS, CODE_ALONE, OTHER -> run.problem(action.problem());
      case REFUSES -> key.take(run, words[0], false);
      case PERMITS, PASSES_ON -> key.take(run, words[0], true);
    }
  }

  private static void network(ParseRun run, String written, boolean exception) {
    run.network(PostfixKey.network(written), exception);
  }

  /**
   * A name reaches below, as Postfix reads it by default (smtpd_access_maps is in
   * parent_domain_matches_subdomains); {@code .x} is only what is below. {@code user@} at any
   * domain is no entry of ours and is left out. An address may be the beginning of one at an octet
   * or group border.
   */
  private static void subject(ParseRun run, String written, boolean exception) {
    if (written.endsWith("@") || written.equals("<>")) {
      run.skip();
    } else if (written.indexOf('@') >= 0) {
      run.address(MailAddress.parse(written), exception);
    } else if (written.indexOf(':') >= 0
        || written.chars().allMatch(c -> (c >= '0' && c <= '9') || c == '.' || c == '/')) {
      run.network(PostfixKey.network(PostfixKey.whole(written)), exception);
    } else {
      NameMatch match = written.startsWith(".") ? NameMatch.BELOW : NameMatch.SUFFIX;
      String name = written.substring(match == NameMatch.BELOW ? 1 : 0);
      run.name(DomainName.parse(name), match, exception);
    }
  }

  /** Hands over the logical lines of a table. */
  private static void read(InputStream text, ParseRun run, Consumer<String> handler)
      throws IOException {
    FeedLines lines = new FeedLines(text);
    PostfixLines logical =
        new PostfixLines((line, number) -> {
          run.at(number, line);
          handler.accept(line);
        });
    while (lines.next(run)) {
      logical.take(lines.text(), lines.number());
    }
    logical.end();
  }
}
