package io.bloomgate.blocklists.format;

import io.bloomgate.blocklists.format.EntryText.Accepts;
import io.bloomgate.blocklists.format.octets.Octets;
import io.bloomgate.config.name.IpPrefix;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/**
 * The format {@code ipset-save}: what {@code ipset save} prints, {@code ipset(8)}. The address of
 * {@code add SET ADDRESS} is the entry, with {@code nomatch} an exception. An element that ties an
 * address to a port, a mark or another network does not list the address and is a bad line.
 */
final class IpsetSaveParser implements FeedParser {

  private static final int ELEMENT = 2;

  @Override
  public void parse(InputStream text, ParseRun run) throws IOException {
    LineLoop.read(text, run, (octets, from, to, number) -> line(run, octets, from, to, number));
  }

  private static void line(ParseRun run, byte[] text, int from, int to, int number) {
    if (text[from] == '#') {
      return;
    }
    String line = Octets.decode(text, from, to);
    List<String> words = List.of(line.split("[ \t]+", -1));
    String command = words.getFirst();
    if (!command.equals("add") && !command.equals("-A")) {
      if (command.equals("create") || command.equals("-N") || command.equals("COMMIT")) {
        run.skip();
      } else {
        run.problem(number, "not a line of ipset save", line);
      }
    } else if (words.size() <= ELEMENT) {
      run.problem(number, "add without an address", line);
    } else if (words.get(ELEMENT).indexOf(',') >= 0) {
      run.problem(number, "ties an address to a port, a mark or another network", line);
    } else {
      element(run, text, from, to, words, number);
    }
  }

  private static void element(
      ParseRun run, byte[] text, int from, int to, List<String> words, int number) {
    List<String> options = words.subList(ELEMENT + 1, words.size());
    int comment = options.indexOf("comment");
    int nomatch = options.indexOf("nomatch");
    // Any text may follow the word comment.
    if (nomatch < 0 || (comment >= 0 && nomatch > comment)) {
      byte[] element = Octets.encode(words.get(ELEMENT));
      EntryText.read(run, Accepts.NETWORKS, element, 0, element.length, number);
      return;
    }
    run.network(IpPrefix.parse(words.get(ELEMENT)), true, number, Octets.decode(text, from, to));
  }
}
