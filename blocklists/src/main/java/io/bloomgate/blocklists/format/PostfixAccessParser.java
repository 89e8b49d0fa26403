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

/**
 * The format {@code postfix-access}: {@code access(5)} tables of clients and senders. What refuses
 * is an entry; what permits, and {@code DUNNO}, is an exception and wins over every entry of the
 * list, so that a permit never refuses mail. A name reaches below, as Postfix reads it by default
 * (smtpd_access_maps is in parent_domain_matches_subdomains); {@code .x} is only what is below.
 * {@code user@} at any domain is no entry of ours and is left out.
 */
final class PostfixAccessParser implements FeedParser {

  @Override
  public void parse(InputStream text, ParseRun run) throws IOException {
    PostfixText.read(text, run, (line, number) -> line(run, line, number));
  }

  private static void line(ParseRun run, String line, int number) {
    String[] words = line.split("\\s+", 2);
    PostfixAction action = PostfixAction.of(words.length > 1 ? words[1] : "");
    switch (action) {
      case MISSING, RESTRICTIONS, CODE_ALONE, OTHER -> run.problem(number, action.problem(), line);
      case REFUSES -> subject(run, words[0], false, line, number);
      case PERMITS, PASSES_ON -> subject(run, words[0], true, line, number);
    }
  }

  private static void subject(
      ParseRun run, String written, boolean exception, String line, int number) {
    if (written.endsWith("@") || written.equals("<>")) {
      run.skip();
    } else if (written.indexOf('@') >= 0) {
      mailbox(run, written, exception, line, number);
    } else if (written.indexOf(':') >= 0 || startsAsNumbers(written)) {
      network(run, written, exception, line, number);
    } else {
      name(run, written, exception, line, number);
    }
  }

  private static boolean startsAsNumbers(String written) {
    return written.chars().allMatch(c -> (c >= '0' && c <= '9') || c == '.' || c == '/');
  }

  private static void mailbox(
      ParseRun run, String written, boolean exception, String line, int number) {
    switch (MailAddress.parse(written)) {
      case Parsed.Bad<MailAddress>(String reason) -> run.problem(number, reason, line);
      case Parsed.Ok<MailAddress>(MailAddress address, var ignored) ->
          run.address(address, exception, number);
    }
  }

  /** An address, a network, or the beginning of an address at an octet or group border. */
  private static void network(
      ParseRun run, String written, boolean exception, String line, int number) {
    run.network(PostfixKey.network(PostfixKey.whole(written)), exception, number, line);
  }

  private static void name(
      ParseRun run, String written, boolean exception, String line, int number) {
    NameMatch match = written.startsWith(".") ? NameMatch.BELOW : NameMatch.SUFFIX;
    String name = written.substring(match == NameMatch.BELOW ? 1 : 0);
    run.name(DomainName.parse(name), match, exception, number, line);
  }

  /** A feed as the logical lines of a Postfix table. Used by the parsers of such tables. */
  static final class PostfixText {

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
}
