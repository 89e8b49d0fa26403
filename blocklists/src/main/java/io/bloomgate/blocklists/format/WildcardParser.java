package io.bloomgate.blocklists.format;

import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.blocklists.format.octets.Octets;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Parsed;
import java.io.IOException;
import java.io.InputStream;

/**
 * The format {@code wildcard}: {@code *.x}, {@code .x} or {@code x} a line, each a name and all
 * below it, as lists for DNS filters mean it.
 */
final class WildcardParser implements FeedParser {

  @Override
  public void parse(InputStream text, ParseRun run) throws IOException {
    LineLoop.read(text, run, (octets, from, to, number) -> line(run, octets, from, to, number));
  }

  private static void line(ParseRun run, byte[] text, int from, int lineTo, int number) {
    if (Comments.isWhole(text, from, lineTo)) {
      return;
    }
    int to = Comments.trimmed(text, from, lineTo);
    int start = from;
    if (Octets.startsWith(text, from, to, "*.")) {
      start += 2;
    } else if (text[from] == '.') {
      start++;
    }
    switch (EntryText.parseName(text, start, to)) {
      case Parsed.Bad<DomainName>(String reason) -> run.problem(number, reason, text, from, to);
      case Parsed.Ok<DomainName>(DomainName name, var ignored) ->
          run.domain(name, NameMatch.SUFFIX, number);
    }
  }
}
