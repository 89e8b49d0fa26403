package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlReply;
import io.bloomgate.config.control.ControlReply.Done;
import io.bloomgate.config.control.ControlReply.Item;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.control.ControlRequest.FeedsList;
import io.bloomgate.config.control.ControlRequest.ListShow;
import io.bloomgate.config.control.ControlRequest.SessionsList;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.name.ListKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The words for the key of completion, and that real shells show them; what is hostile is never
 * offered.
 */
class CompletionTest {

  private static final String NASTY = "x$(touch pwned)";

  /** Completes a line as bash does when the key is pressed at its end. */
  private static final String BASH_KEY =
      """
      COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:'
      key() {
        COMP_LINE=$1 COMP_POINT=${#1}
        COMP_WORDS=($1)
        [[ $1 == *' ' ]] && COMP_WORDS+=('')
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        COMPREPLY=()
        _bloomgate
        echo "${COMPREPLY[*]}"
      }
      """;

  @TempDir Path folder;
  private Path program;

  @BeforeEach
  void program() throws IOException {
    program = folder.resolve("bloomgate");
    Files.writeString(program, "#!/bin/sh\nshift\ncat \"@/answer $*\"\n".replace("@", "" + folder));
    assertTrue(program.toFile().setExecutable(true));
    for (String line : List.of("feeds show ", "--socket s feeds show d", "explain 7")) {
      answered(line);
    }
  }

  /** Lets the program answer this line as the command line does. */
  private void answered(String line) throws IOException {
    Files.writeString(folder.resolve("answer " + line), String.join("\n", words(line)) + "\n");
  }

  /** The lines for a command line that asks the scripted gateway. */
  private List<String> words(String line) throws IOException {
    Path socket = folder.resolve("s");
    Files.deleteIfExists(socket);
    try (FakeGateway _ = FakeGateway.scripted(socket, CompletionTest::answer)) {
      List<String> words = new ArrayList<>(List.of(Completion.NAME, "--socket=" + socket));
      words.addAll(List.of(line.replace("--socket s ", "").split(" ", -1)));
      Shell.Result result = Shell.run(words.toArray(String[]::new)).exits(0).isSilent();
      return result.out().lines().toList();
    }
  }

  private static List<ControlReply> answer(ControlRequest request) {
    return switch (request) {
      case FeedsList f ->
          List.of(item("feed", "drop", "state", "fresh"), item("feed", NASTY), new Done(0));
      case SessionsList s when "reject".equals(s.verdict()) ->
          List.of(item("id", "7K3Q9ZT2AB", "client_ip", "203.0.113.7"), new Done(0));
      case ListShow show when show.list() == ListKind.ALLOW ->
          List.of(
              item("subject", "2001:db8::/32", "reason", "a\u001b[31m"),
              item("subject", "2001:db9::1"),
              new Done(0));
      default -> List.of(new Done(0));
    };
  }

  private static Item item(String... members) {
    JsonValue.ObjectBuilder object = JsonValue.object();
    for (int i = 0; i < members.length; i += 2) {
      object.put(members[i], members[i + 1]);
    }
    return new Item(object.build());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          -c /etc/x feeds sh                | show
          feeds show ""                     | drop
          sessions list --feed=             | --feed=drop
          sessions list --feed d            | drop
          sessions list --verdict=rej       | --verdict=reject
          explain 7                         | 7K3Q9ZT2AB :files
          allow remove 2001:db8             | 2001:db8::/32
          block remove ""                   |
          mode ""                           | observe soft enforce
          completion ""                     | bash zsh fish
          doctor --fe                       | --feeds
          allow add --scope=sender_         | --scope=sender_domain
          filter build -o z                 | :files
          filter build --kind=scalable-     | --kind=scalable-counting
          -o j                              | json
          allow i                           | import
          inc                               |
          """)
  void aLineHasItsWords(String line, @Nullable String expected) throws IOException {
    List<String> words =
        words(line.replace("\"\"", "")).stream().map(word -> word.split("\t", 2)[0]).toList();
    assertEquals(expected == null ? "" : expected, String.join(" ", words));
  }

  @Test
  void eachWordHasATextBehindIt() throws IOException {
    assertEquals(List.of("drop\tfresh"), words("feeds show "));
    assertEquals(List.of("7K3Q9ZT2AB\t203.0.113.7", ":files"), words("explain 7"));
    assertEquals("2001:db8::/32\ta\\u001b[31m", words("allow remove ").getFirst());
    assertEquals(
        List.of("audit\tShow who changed entries, feeds, the mode or settings, newest first."),
        words("au"));
  }

  @Test
  void everyCommandAndOptionIsOffered() throws IOException {
    assertTrue(words("").stream().anyMatch(word -> word.startsWith("filter\t")));
    assertTrue(words("explain --").stream().anyMatch(word -> word.startsWith("--at\t")));
    assertTrue(words("explain --").stream().anyMatch(word -> word.startsWith("--socket\t")));
  }

  @Test
  void withoutAGatewayThereAreNoWordsAndNoComplaint() {
    String socket = folder.resolve("none").toString();
    for (String line : List.of("feeds show ", "sessions show ", "allow check ", "nonsense ")) {
      List<String> words = new ArrayList<>(List.of(Completion.NAME, "--socket", socket));
      words.addAll(List.of(line.split(" ", -1)));
      Shell.Result none = Shell.run(words.toArray(String[]::new)).exits(0).isSilent();
      assertTrue(line.startsWith("nonsense") || none.out().isEmpty(), none.out());
    }
  }

  @Test
  void bashOffersFilesAndWordsOfTheGateway() throws Exception {
    List<String> lines =
        List.of(
            "feeds show ",
            "--socket s feeds show d",
            "sessions list --feed=",
            "allow remove 2001:db8",
            "block remove ",
            "filter build -o z",
            "--config=z",
            "explain z");
    StringBuilder script = new StringBuilder(Shell.run("completion", "bash").out());
    script.append(BASH_KEY).append("cd '").append(folder).append("'\n");
    for (String line : lines) {
      answered(line);
      script.append("key '").append(program).append(' ').append(line).append("'\n");
    }
    Files.writeString(folder.resolve("z file"), "");
    assertEquals(
        List.of("drop", "drop", "drop", "db8::/32", "", "z file", "z file", "z file"),
        run("bash", script.toString()).lines().toList());
    assertFalse(Files.exists(folder.resolve("pwned")));
  }

  @Test
  void fishOffersFilesAndWordsOfTheGateway() throws Exception {
    answered("mode e");
    answered("explain z");
    Files.writeString(folder.resolve("zfile"), "");
    String script =
        Shell.run("completion", "fish").out()
            + "cd '"
            + folder
            + "'\ncomplete -C 'PROGRAM feeds show '\n"
            + "complete -C 'PROGRAM explain 7' | head -1\n"
            + "complete -C 'PROGRAM mode e'\n"
            + "complete -C 'PROGRAM explain z'\n";
    assertEquals(
        List.of("drop\tfresh", "7K3Q9ZT2AB\t203.0.113.7", "enforce", "zfile"),
        run("fish", script.replace("PROGRAM", program.toString())).lines().toList());
  }

  @Test
  void zshOffersFilesAndWordsOfTheGateway() throws Exception {
    answered("allow remove ");
    answered("mode ");
    String script =
        "autoload() { }\n"
            + Shell.run("completion", "zsh").out()
            + "_describe() { print -rl -- ${(P)4} }\n_files() { print files }\ncompset() { }\n"
            + "words=('PROGRAM' feeds show '') CURRENT=4\n_bloomgate\n"
            + "words=('PROGRAM' allow remove '') CURRENT=4\n_bloomgate\n"
            + "words=('PROGRAM' mode '') CURRENT=3\n_bloomgate\n"
            + "words=('PROGRAM' explain 7) CURRENT=3\n_bloomgate\n";
    assertEquals(
        List.of(
            "drop:fresh",
            "2001\\:db8\\:\\:/32:a\\u001b[31m",
            "2001\\:db9\\:\\:1:-",
            "observe",
            "soft",
            "enforce",
            "7K3Q9ZT2AB:203.0.113.7",
            "files"),
        run("zsh", script.replace("PROGRAM", program.toString())).lines().toList());
  }

  private String run(String shell, String script) throws Exception {
    Path file = Files.writeString(folder.resolve("script"), script);
    List<String> command = new ArrayList<>(List.of(shell, file.toString()));
    if (!shell.equals("fish")) {
      command.add(1, shell.equals("zsh") ? "-f" : "--norc");
    }
    Process process;
    try {
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.environment().put("HOME", folder.toString());
      process = builder.start();
    } catch (IOException e) {
      Assumptions.abort(shell + " is not installed, its completion was not tried");
      return "";
    }
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    return said;
  }
}
