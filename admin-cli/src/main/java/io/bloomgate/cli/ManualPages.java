package io.bloomgate.cli;

import io.bloomgate.blocklists.workbench.WorkbenchTools;
import io.bloomgate.cli.command.AnswerStream;
import io.bloomgate.cli.command.Surroundings;
import io.bloomgate.cli.manual.CommandPage;
import io.bloomgate.cli.manual.SettingsPage;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Writes the manual pages: {@code bloomgate(1)}, one page for each command, and {@code
 * bloomgate.yaml(5)}. Started by the build of this module, see its pom; the same input gives the
 * same octets.
 */
public final class ManualPages {

  /** Columns of the help in a page: a terminal of 80 has no more behind the margin. */
  private static final int WIDTH = 73;

  private ManualPages() {}

  /**
   * Writes all pages.
   *
   * @param args the folder, the time of the release as ISO 8601, and its version
   */
  public static void main(String[] args) throws IOException {
    Path folder = Files.createDirectories(Path.of(args[0]));
    LocalDate date = Instant.parse(args[1]).atZone(ZoneOffset.UTC).toLocalDate();
    for (Map.Entry<String, String> page : pages(date, args[2]).entrySet()) {
      Files.writeString(folder.resolve(page.getKey()), page.getValue());
    }
  }

  /** Every page by the name of its file. */
  static Map<String, String> pages(LocalDate date, String version) {
    CommandLine tree = tree();
    String everywhere = CommandTree.globalOptions(tree.getHelp());
    String alone = CommandTree.ownOptions(tree.getHelp());
    settle(tree);
    Map<String, String> pages = new TreeMap<>();
    pages.put("bloomgate.1", CommandPage.overview(tree, everywhere, alone, date, version));
    for (CommandLine command : CommandPage.below(tree)) {
      pages.put(CommandPage.name(command) + ".1", CommandPage.text(command, date, version));
    }
    pages.put("bloomgate.yaml.5", SettingsPage.text(date, version));
    return pages;
  }

  /** The options that every command takes are on the first page only. */
  private static void settle(CommandLine command) {
    command
        .getHelpSectionMap()
        .put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, CommandTree::ownOptions);
    command.getSubcommands().values().forEach(ManualPages::settle);
  }

  /** The tree of commands, none of which will run. */
  static CommandLine tree() {
    CommandLine tree =
        CommandTree.build(
            new Surroundings(
                InputStream.nullInputStream(),
                AnswerStream.to(OutputStream.nullOutputStream()),
                new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8),
                Map.of(),
                InstantSource.fixed(Instant.EPOCH),
                () -> 0,
                Runnable::run,
                false,
                new WorkbenchTools(ManualPages::noRandomness, () -> 0, 0)));
    tree.setUsageHelpWidth(WIDTH);
    return tree;
  }

  private static RandomGenerator noRandomness() {
    throw new IllegalStateException("no command runs while its page is written");
  }
}
