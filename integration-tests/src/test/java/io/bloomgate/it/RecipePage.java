package io.bloomgate.it;

import io.bloomgate.checkout.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The lines that {@code config/recipes.md} asks its reader to write. The tests of the recipes take
 * them from here, so that the page cannot say what no program takes. Immutable.
 */
record RecipePage(String text) {

  private static final Pattern SECTION = Pattern.compile("(?ms)^## ([^\n]+)\n(.*?)(?=^## |\\z)");

  /** The first line names the file. */
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```[a-z]+\n# ([^\n]+)\n(.*?)^```$");

  /** A setting of the top level with all lines that hang under it. */
  private static final Pattern SETTING = Pattern.compile("(?m)^([a-z]+):(.*(?:\n .*)*)");

  /**
   * Lines for one file.
   *
   * @param file its path as the page has it, and what else the first line of the block says
   */
  record Block(String file, String lines) {}

  static RecipePage load() throws IOException {
    return new RecipePage(Files.readString(Checkout.root().resolve("config/recipes.md")));
  }

  /** The titles of the recipes in their order. */
  List<String> titles() {
    return SECTION.matcher(text).results().map(found -> found.group(1)).toList();
  }

  /** The text of one recipe. */
  String section(String title) {
    return SECTION
        .matcher(text)
        .results()
        .filter(found -> found.group(1).equals(title))
        .map((MatchResult found) -> found.group(2))
        .findFirst()
        .orElseThrow(() -> new AssertionError("config/recipes.md has no section " + title));
  }

  List<Block> blocks(String title) {
    return BLOCK
        .matcher(section(title))
        .results()
        .map(found -> new Block(found.group(1), found.group(2)))
        .toList();
  }

  /** The lines of the one block for a file whose name starts so. */
  String lines(String title, String file) {
    List<String> found =
        blocks(title).stream()
            .filter(block -> block.file().startsWith(file))
            .map(Block::lines)
            .toList();
    if (found.size() != 1) {
      throw new AssertionError(title + " has " + found.size() + " blocks for " + file);
    }
    return found.getFirst();
  }

  /**
   * Writes the gateway's side of a recipe into its settings.
   *
   * @param places pairs of what the page has and what is there in its place
   */
  GatewayFixture into(GatewayFixture gateway, String title, String... places) {
    String yaml = replaced(lines(title, "bloomgate.yaml"), places);
    SETTING
        .matcher(yaml)
        .results()
        .forEach(setting -> gateway.with(setting.group(1), setting.group(2)));
    return gateway;
  }

  /**
   * Puts in ports, addresses and folders. Fails when the text lacks one, so that a changed page
   * cannot be tested by half.
   */
  static String replaced(String text, String... places) {
    String result = text;
    for (int i = 0; i < places.length; i += 2) {
      if (!result.contains(places[i])) {
        throw new AssertionError("there is no " + places[i] + " in:\n" + text);
      }
      result = result.replace(places[i], places[i + 1]);
    }
    return result;
  }
}
