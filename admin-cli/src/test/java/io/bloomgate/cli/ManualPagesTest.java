package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.cli.manual.CommandPage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The manual pages are whole, valid for mandoc, and the same from every build. */
class ManualPagesTest {

  private static final String TIME = "2026-11-21T00:00:00Z";

  private static final Map<String, String> PAGES =
      ManualPages.pages(LocalDate.of(2026, 11, 21), "1.2.3");

  @TempDir Path folder;

  @Test
  void everyCommandAndEveryOptionIsInItsPage() {
    CommandLine root = ManualPages.tree();
    List<String> missing = new ArrayList<>();
    String overview = page("bloomgate.1");
    root.getCommandSpec().options().forEach(o -> look(overview, root.getCommandSpec(), o, missing));
    for (CommandLine command : CommandPage.below(root)) {
      String name = CommandPage.name(command);
      String page = page(name + ".1");
      assertTrue(overview.contains(".It Xr " + name + " 1\n"), name);
      List<CommandLine> all = new ArrayList<>(List.of(command));
      all.addAll(CommandPage.below(command));
      for (CommandLine one : all) {
        CommandSpec spec = one.getCommandSpec();
        assertTrue(CommandPage.below(command).size() == all.size() - 1, "no third level");
        spec.options().forEach(option -> look(page, spec, option, missing));
        spec.positionalParameters().stream()
            .filter(p -> !page.contains(p.paramLabel()))
            .forEach(p -> missing.add(spec.qualifiedName() + " " + p.paramLabel()));
        if (!spec.name().equals(command.getCommandName())
            && !page.contains(".Ss " + spec.qualifiedName().replace("-", "\\-"))) {
          missing.add(spec.qualifiedName());
        }
      }
    }
    assertEquals(List.of(), missing);
    assertEquals(CommandPage.below(root).size() + 2, PAGES.size(), "a page for nothing");
  }

  private static void look(
      String page, CommandSpec command, OptionSpec option, List<String> missing) {
    String text = option.inherited() ? page("bloomgate.1") : page;
    for (String name : option.names()) {
      if (!option.hidden() && !text.contains(name.replace("-", "\\-"))) {
        missing.add(command.qualifiedName() + " " + name);
      }
    }
  }

  @Test
  void twoBuildsWriteEqualPages() throws IOException {
    for (String build : List.of("one", "two")) {
      ManualPages.main(new String[] {folder.resolve(build).toString(), TIME, "1.2.3"});
    }
    for (Map.Entry<String, String> page : PAGES.entrySet()) {
      for (String build : List.of("one", "two")) {
        assertEquals(
            page.getValue(), Files.readString(folder.resolve(build).resolve(page.getKey())));
      }
    }
  }

  @Test
  void mandocFindsNothingToSay() throws Exception {
    List<String> command = new ArrayList<>(List.of("mandoc", "-T", "lint", "-W", "warning"));
    for (Map.Entry<String, String> page : PAGES.entrySet()) {
      Path file = Files.writeString(folder.resolve(page.getKey()), page.getValue());
      command.add(file.toString());
    }
    Process lint;
    try {
      lint = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      Assumptions.abort("mandoc is not installed, it did not look at the manual pages");
      return;
    }
    String said = new String(lint.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals("", said);
    assertEquals(0, lint.waitFor());
  }

  /** A line that begins with a dot is a macro, and texts must never make one. */
  @Test
  void onlyKnownMacrosBeginALine() {
    List<String> strange =
        PAGES.values().stream()
            .flatMap(String::lines)
            .filter(line -> line.startsWith("'") || line.matches("\\.(?!br$)[^A-Z].*"))
            .toList();
    assertEquals(List.of(), strange);
    assertTrue(
        Stream.of(".Dd November 21, 2026", ".Os Bloomgate 1.2.3")
            .allMatch(line -> page("bloomgate.1").contains(line + "\n")));
  }

  private static String page(String name) {
    return Objects.requireNonNull(PAGES.get(name), name);
  }
}
