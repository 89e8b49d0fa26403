package io.bloomgate.readme;

import io.bloomgate.checkout.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

  private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:|#)([^)#]+)[^)]*\\)");

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

  List<Path> links() {
    return groups(LINK).map(Path::of).toList();
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
