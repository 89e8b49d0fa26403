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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Keeps words and phrases that had to be read twice out of help, messages, comments, names,
 * documents, samples and golden files, and fragments out of the beginnings of Javadocs.
 */
class PlainWordsTest {

  private static final Pattern TEXT =
      Pattern.compile(".*\\.(java|md|ya?ml|xml|service|dialog|txt)");

  /** Folders of the build, of Git, and of data that is no text for people. */
  private static final Pattern LEFT_OUT =
      Pattern.compile("(.*/)?(target|\\.git|\\.idea|\\.mvn)(/.*)?|.*/src/main/resources/.*");

  /** Between two words of a name in Java: {@code isTakenUp} is read as {@code is Taken Up}. */
  private static final Pattern NAME_PART =
      Pattern.compile("(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])");

  /** What is not written. */
  private static final List<Rule> RULES =
      List.of(
          new Rule("mend(s|ed|ing)?(?!\\\")", "fix"),
          new Rule("anew", "again, start over"),
          new Rule("(has|have) no like", "has no equivalent"),
          new Rule("stands? besides?", "is beside"),
          new Rule("(does|do) not stand on", "few false positives"),
          new Rule("unsaid", "suppressed"),
          new Rule("has its quarter", "is limited to 25 %"),
          new Rule("speaks? for the connection", "overrides every listing on that connection"),
          new Rule("whoever|whomever|whosoever", "any client, who"),
          new Rule("its word", "its reply"),
          new Rule("bears?", "has, carries"),
          new Rule("takes? up|taken up", "loads"),
          new Rule("thrown away", "discarded"),
          new Rule("la(y|ys|id|ying) aside|lies? aside", "park, is parked"),
          new Rule("(goes )?by another way", "uses another route"),
          new Rule("ban(s|ned)? nobody", "causes no ban"),
          new Rule("(throws?|thrown) (the same )?dice", "randomised"),
          new Rule("told", "reported, logged, shown, sent"),
          new Rule("of its own", "its own, separate"),
          new Rule("so many", "this number of, several"),
          new Rule("what (became|becomes) of", "what happened to, the outcome"),
          new Rule("all the same", "still, anyway"),
          new Rule("(transaction|command|message|field|line) in hand", "current"),
          new Rule("hears? (of it|4[25][0-9])", "gets, receives"),
          new Rule("stands? (twice|in|here|there|above|below|behind|before)", "is"),
          new Rule("shall|ought", "must, is to"),
          new Rule("upon|amongst|whilst|albeit|lest|ere|nor yet", "on, among, while, though"),
          new Rule("nought|naught|amiss|forthwith|hitherto|henceforth|of late", "a usual word"),
          new Rule("whence|thence|hence|whither|thither|hither", "from where, so, there"),
          new Rule("(where|there)(of|in|by|with|upon|unto)", "of which, in it, by which"));

  /** Finds what any rule finds: one reading of a text for all rules, because most break none. */
  private static final Pattern ANY =
      Rule.pattern("(" + RULES.stream().map(Rule::words).collect(Collectors.joining(")|(")) + ")");

  /** The beginning of a Javadoc that is a fragment: group 1 is its first word. */
  private static final Pattern FRAGMENT =
      Pattern.compile(
          "/\\*\\*[\\s*]+(What|How|Where|Why|When|Whether|Who|Whose|Whom|Which|That|Those|If|Until"
              + "|As|Like|Unlike|Than|While|Since|Because|So|Once|Of|To|In|On|At|For|By|From|With"
              + "|Without|Before|After|Between|Behind|Beside|Beyond|Below|Above|Over|Under|Among"
              + "|During)\\b");

  @TempDir Path folder;

  /**
   * A word or phrase, and what is written in its place.
   *
   * @param words matched as whole words in any case
   * @param stillIn starts of paths of files that still have it
   */
  private record Rule(String words, Pattern expression, String instead, List<String> stillIn) {
    Rule(String words, String instead, String... stillIn) {
      this(words, pattern(words), instead, List.of(stillIn));
    }

    static Pattern pattern(String words) {
      return Pattern.compile(
          "(?<![\\w\"])(" + words.replace(" ", "\\s+(\\*\\s+)?") + ")\\b",
          Pattern.CASE_INSENSITIVE);
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
  void javadocsBeginWithAVerbOrANoun() throws IOException {
    Path root = Checkout.root();
    List<String> broken = new ArrayList<>();
    for (Path source : SourceRules.products(root)) {
      broken.addAll(fragments(root.relativize(source).toString(), Files.readString(source)));
    }
    assertEquals(List.of(), broken);
  }

  @Test
  void fragmentsAreFoundAtTheBeginningOfAJavadocOnly() {
    assertEquals(
        List.of(
            "A.java:1: \"What\" begins a Javadoc; write: a verb or a noun",
            "A.java:3: \"Of\" begins a Javadoc; write: a verb or a noun"),
        fragments("A.java", "/** What it is. */\n/**\n * Of one. */"));
    assertEquals(
        List.of(),
        fragments("B.java", "/** Offers what it has. How? */ /* What it is. */ // Of one\n/***/"));
  }

  @Test
  void wordIsFoundInAnyCaseAndOverTheEndOfALine() {
    assertEquals(
        List.of("A.java:2: \"Lay  * aside\"; write: park, is parked"),
        broken("A.java", "/**\n * Lay\n * aside. */"));
    assertEquals(List.of("a.md:1: \"Mends\"; write: fix"), broken("a.md", "Mends it."));
  }

  @Test
  void wordIsFoundInNames() {
    assertEquals(
        List.of("A.java:1: \"Taken Up\"; write: loads"),
        broken("A.java", "void filesAreTakenUpLater() {"));
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

  private static List<String> broken(String name, String original) {
    String text = NAME_PART.matcher(original).replaceAll(" ");
    if (!ANY.matcher(text).find()) {
      return List.of();
    }
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

  private static List<String> fragments(String name, String text) {
    return FRAGMENT
        .matcher(text)
        .results()
        .map(found ->
            name
                + ":"
                + line(text, found.start(1))
                + ": \""
                + found.group(1)
                + "\" begins a Javadoc; write: a verb or a noun")
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
