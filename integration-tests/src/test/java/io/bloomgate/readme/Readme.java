package io.bloomgate.readme;

import io.bloomgate.checkout.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What README.md, or another page, asks its reader to type, and the files to which it points. Used
 * by {@link ReadmeTest}.
 *
 * @param text of the whole page
 */
record Readme(String text) {
  /** A fenced block of shell commands, also one that is indented below a list item. */
  private static final Pattern BLOCK = Pattern.compile("(?ms)^( *)```sh\n(.*?)^ *```$");

  /** A command of ours in running text or in a transcript, up to its first argument. */
  private static final Pattern COMMAND =
      Pattern.compile("(?:`|\\$ )bloomgate((?: [a-z]+(?![\\w.@]))+)");

  private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:)([^)#]*)#?([^)]*)\\)");

  private static final Pattern LISTED = Pattern.compile("(?m)^- \\[[^\\]]+\\]\\(#([^)]+)\\)$");
  private static final Pattern HEADING = Pattern.compile("(?m)^(#+) (.*)$");

  /** To a file beside this page, or to this page when empty, and there to a section, or to none. */
  record Link(String file, String section) {}

  static Readme load() throws IOException {
    return load("README.md");
  }

  /**
   * Another page.
   *
   * @param page its path in the sources
   */
  static Readme load(String page) throws IOException {
    return new Readme(Files.readString(Checkout.root().resolve(page)));
  }

  /** The shell blocks in order, without the indent of their list item. */
  List<String> blocks() {
    return BLOCK
        .matcher(text)
        .results()
        .map(block -> block.group(2).replaceAll("(?m)^" + block.group(1), ""))
        .toList();
  }

  /** The words after {@code bloomgate}, each command once. */
  List<String> commands() {
    return groups(COMMAND).map(String::strip).distinct().sorted().toList();
  }

  /** The table that the demo is said to print. */
  List<String> demoRows() {
    return text.lines()
        .dropWhile(line -> !line.startsWith("no  client"))
        .takeWhile(line -> !line.startsWith("```"))
        .toList();
  }

  List<Link> links() {
    return LINK.matcher(text)
        .results()
        .map(found -> new Link(found.group(1), found.group(2)))
        .toList();
  }

  /** Names of the headings of these levels, as GitHub makes them for links. */
  List<String> sections(int from, int to) {
    return HEADING
        .matcher(text)
        .results()
        .filter(found -> found.group(1).length() >= from && found.group(1).length() <= to)
        .map(found ->
            found.group(2).toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9 -]", "").replace(' ', '-'))
        .toList();
  }

  /** The sections that the list at the beginning of the page names. */
  List<String> listedSections() {
    return groups(LISTED).toList();
  }

  /** The cells of all tables. */
  List<String> cells() {
    return text.lines()
        .filter(line -> line.startsWith("|"))
        .flatMap(line -> Stream.of(line.substring(1).split("\\|")))
        .map(String::strip)
        .toList();
  }

  /** Number of the line, from 1, of this line of a block. */
  int lineOf(String line) {
    return text.lines().toList().indexOf(line) + 1;
  }

  private Stream<String> groups(Pattern pattern) {
    Matcher matcher = pattern.matcher(text);
    return matcher.results().map((MatchResult found) -> found.group(1));
  }
}
