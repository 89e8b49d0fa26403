package io.bloomgate.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.checkout.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Keeps words and phrases that had to be read twice out of help, messages, comments, documents,
 * samples and golden files. Each rule names the folders that still have its words; a folder is
 * taken off the list when it is free of them.
 */
class PlainWordsTest {

  private static final Pattern TEXT =
      Pattern.compile(".*\\.(java|md|ya?ml|xml|service|dialog|txt)");

  /** Folders of the build, of Git, and of data that is no text for people. */
  private static final Pattern LEFT_OUT =
      Pattern.compile("(.*/)?(target|\\.git|\\.idea|\\.mvn)(/.*)?|.*/src/main/resources/.*");

  /** What is not written, but in the folders that still have it: none may be added there. */
  private static final List<Rule> RULES =
      List.of(
          new Rule(
              "mend(s|ed|ing)?(?!\\\")",
              "fix",
              "blocklists/src/test/java/io/bloomgate/blocklists/refresh/",
              "config/",
              "config/systemd/",
              "gateway/src/main/java/io/bloomgate/gateway/admin/",
              "gateway/src/main/java/io/bloomgate/gateway/wire/",
              "gateway/src/test/java/io/bloomgate/gateway/tls/"),
          new Rule(
              "anew",
              "again, start over",
              "blocklists/src/main/java/io/bloomgate/blocklists/decision/",
              "blocklists/src/main/java/io/bloomgate/blocklists/index/",
              "blocklists/src/test/java/io/bloomgate/blocklists/entry/",
              "blocklists/src/test/java/io/bloomgate/blocklists/operator/",
              "blocklists/src/test/java/io/bloomgate/blocklists/refresh/",
              "config/",
              "gateway/src/main/java/io/bloomgate/gateway/linux/",
              "gateway/src/main/java/io/bloomgate/gateway/log/",
              "gateway/src/main/java/io/bloomgate/gateway/tls/",
              "gateway/src/test/java/io/bloomgate/gateway/session/",
              "gateway/src/test/java/io/bloomgate/gateway/tls/",
              "integration-tests/"),
          new Rule("(has|have) no like", "has no equivalent"),
          new Rule("stands? besides?", "is beside", "integration-tests/"),
          new Rule("(does|do) not stand on", "few false positives"),
          new Rule(
              "unsaid",
              "suppressed",
              "gateway/src/main/java/io/bloomgate/gateway/log/",
              "gateway/src/test/java/io/bloomgate/gateway/session/"),
          new Rule(
              "has its quarter",
              "is limited to 25 %",
              "gateway/src/test/java/io/bloomgate/gateway/relay/"),
          new Rule("speaks? for the connection", "overrides every listing on that connection"),
          new Rule(
              "whoever",
              "any client, who",
              "blocklists/src/main/java/io/bloomgate/blocklists/decision/",
              "blocklists/src/main/java/io/bloomgate/blocklists/explain/",
              "blocklists/src/main/java/io/bloomgate/blocklists/fetch/",
              "blocklists/src/main/java/io/bloomgate/blocklists/file/",
              "blocklists/src/main/java/io/bloomgate/blocklists/format/",
              "blocklists/src/test/java/io/bloomgate/blocklists/explain/",
              "blocklists/src/test/java/io/bloomgate/blocklists/fetch/",
              "blocklists/src/test/java/io/bloomgate/blocklists/refresh/",
              "blocklists/src/test/java/io/bloomgate/blocklists/senders/",
              "config/",
              "gateway/src/main/java/io/bloomgate/gateway/admin/",
              "gateway/src/test/java/io/bloomgate/gateway/message/",
              "gateway/src/test/java/io/bloomgate/gateway/session/",
              "gateway/src/test/java/io/bloomgate/gateway/testkit/",
              "integration-tests/"),
          new Rule(
              "its word",
              "its reply",
              "blocklists/src/main/java/io/bloomgate/blocklists/decision/",
              "blocklists/src/main/java/io/bloomgate/blocklists/generation/",
              "blocklists/src/main/java/io/bloomgate/blocklists/guard/",
              "blocklists/src/main/java/io/bloomgate/blocklists/operator/",
              "config/src/",
              "gateway/src/test/java/io/bloomgate/gateway/session/",
              "integration-tests/"),
          new Rule(
              "bears?",
              "has, carries",
              "gateway/src/test/java/io/bloomgate/gateway/session/",
              "integration-tests/"),
          new Rule(
              "takes? up|taken up",
              "loads",
              "blocklists/src/main/java/io/bloomgate/blocklists/generation/",
              "config/",
              "gateway/src/main/java/io/bloomgate/gateway/tls/"),
          new Rule(
              "thrown away",
              "discarded",
              "blocklists/src/main/java/io/bloomgate/blocklists/refresh/",
              "gateway/src/test/java/io/bloomgate/gateway/testkit/"),
          new Rule("la(y|ys|id|ying) aside|lies? aside", "park, is parked"),
          new Rule("(goes )?by another way", "uses another route"),
          new Rule("ban(s|ned)? nobody", "causes no ban"),
          new Rule("(throws?|thrown) (the same )?dice", "randomised"));

  @TempDir Path folder;

  /**
   * A word or phrase, and what is written in its place.
   *
   * @param expression matched as whole words in any case
   * @param stillIn starts of paths of files that still have it
   */
  private record Rule(Pattern expression, String instead, List<String> stillIn) {
    Rule(String words, String instead, String... stillIn) {
      this(
          Pattern.compile(
              "(?<![\\w\"])(" + words.replace(" ", "\\s+(\\*\\s+)?") + ")\\b",
              Pattern.CASE_INSENSITIVE),
          instead,
          List.of(stillIn));
    }

    boolean holds(String file) {
      return stillIn.stream().noneMatch(file::startsWith);
    }
  }

  @Test
  void textsUsePlainWords() throws IOException {
    Path root = Checkout.root();
    List<Path> texts = texts(root);
    assertTrue(texts.size() > 500, "texts were not found below " + root);
    List<String> broken = new ArrayList<>();
    for (Path file : texts) {
      broken.addAll(broken(root.relativize(file).toString(), Files.readString(file)));
    }
    assertEquals(List.of(), broken);
  }

  @Test
  void wordIsFoundInAnyCaseAndOverTheEndOfALine() {
    assertEquals(
        List.of("A.java:2: \"Lay  * aside\"; write: park, is parked"),
        broken("A.java", "/**\n * Lay\n * aside. */"));
    assertEquals(List.of("a.md:1: \"Mends\"; write: fix"), broken("a.md", "Mends it."));
  }

  @Test
  void otherWordsAndNamesOfTheProtocolPass() {
    String text = "amend, commendation, item.text(\"mend\"), he lays bricks aside";
    assertEquals(List.of(), broken("A.java", text));
  }

  @Test
  void foldersOfTheBuildAreLeftOut() throws IOException {
    Path text = Files.writeString(folder.resolve("a.md"), "");
    Files.writeString(Files.createDirectory(folder.resolve("target")).resolve("b.md"), "");
    assertEquals(List.of(text), texts(folder));
  }

  private static List<String> broken(String name, String text) {
    return RULES.stream()
        .filter(rule -> rule.holds(name))
        .flatMap(rule ->
            rule.expression()
                .matcher(text)
                .results()
                .map(found ->
                    name
                        + ":"
                        + line(text, found.start())
                        + ": \""
                        + found.group().replace('\n', ' ')
                        + "\"; write: "
                        + rule.instead()))
        .toList();
  }

  private static long line(String text, int position) {
    return 1 + text.substring(0, position).chars().filter(c -> c == '\n').count();
  }

  /** Every text below these folders but this test, in order. */
  private static List<Path> texts(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> {
            String name = root.relativize(file).toString();
            return !LEFT_OUT.matcher(name).matches()
                && !name.endsWith("PlainWordsTest.java")
                && (TEXT.matcher(name).matches() || name.startsWith("gateway/bin/"));
          })
          .sorted()
          .toList();
    }
  }
}
