package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlReply;
import io.bloomgate.config.control.ControlReply.Done;
import io.bloomgate.config.control.ControlReply.Item;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.control.ControlRequest.FeedsList;
import io.bloomgate.config.control.ControlRequest.ListName;
import io.bloomgate.config.control.ControlRequest.ListShow;
import io.bloomgate.config.control.ControlRequest.SessionsList;
import io.bloomgate.config.json.JsonValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Completion in real shells: what is fixed comes from the scripts, what only a gateway knows from a
 * gateway, and what is hostile never.
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

  /** A program that answers {@code __complete} with what this command line prints. */
  @BeforeEach
  void program() throws IOException {
    Path socket = folder.resolve("s");
    try (FakeGateway gateway = FakeGateway.scripted(socket, CompletionTest::answer)) {
      for (String kind : List.of("feeds", "refusals", "allow", "block")) {
        Shell.Result words = Shell.run("--socket", socket.toString(), CompleteCommand.NAME, kind);
        assertEquals(0, words.exitCode());
        assertEquals("", words.err());
        Files.writeString(folder.resolve(kind), words.out());
      }
      assertFalse(gateway.asked().isEmpty());
    }
    program = folder.resolve("bloomgate");
    String script =
        "#!/bin/sh\nwhile [ $# -gt 1 ]; do echo \"$1\" >>'@/asked'; shift; done\ncat '@'/$1\n";
    Files.writeString(program, script.replace("@", folder.toString()));
    assertTrue(program.toFile().setExecutable(true));
  }

  private static List<ControlReply> answer(ControlRequest request) {
    return switch (request) {
      case FeedsList f ->
          List.of(item("feed", "drop", "state", "fresh"), item("feed", NASTY), new Done(0));
      case SessionsList s when "reject".equals(s.verdict()) ->
          List.of(item("id", "7K3Q9ZT2AB", "client_ip", "203.0.113.7"), new Done(0));
      case ListShow show when show.list() == ListName.ALLOW ->
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

  @Test
  void wordsOfTheGatewayAreHarmlessAndHaveATextBehindThem() throws IOException {
    assertEquals("drop\tfresh\n", Files.readString(folder.resolve("feeds")));
    assertEquals("7K3Q9ZT2AB\t203.0.113.7\n", Files.readString(folder.resolve("refusals")));
    assertTrue(Files.readString(folder.resolve("allow")).contains("\\u001b[31m"));
  }

  @Test
  void withoutAGatewayThereAreNoWordsAndNoComplaint() {
    for (String kind : List.of("feeds", "refusals", "allow", "nonsense")) {
      Shell.Result none =
          Shell.run("--socket", folder.resolve("none").toString(), CompleteCommand.NAME, kind);
      assertEquals(new Shell.Result(0, "", ""), none);
    }
  }

  @Test
  void bashOffersCommandsOptionsFilesAndWordsOfTheGateway() throws Exception {
    String p = program.toString();
    Files.writeString(folder.resolve("z file"), "");
    String script =
        Shell.run("completion", "bash").out()
            + BASH_KEY
            + "cd '"
            + folder
            + "'\nfor line in"
            + quoted(p + " fe")
            + quoted(p + " -c /etc/x feeds sh")
            + quoted(p + " feeds show ")
            + quoted(p + " --socket /s feeds show d")
            + quoted(p + " mode ")
            + quoted(p + " explain 7")
            + quoted(p + " sessions list --feed=")
            + quoted(p + " sessions list --verdict=rej")
            + quoted(p + " allow remove 2001:db8")
            + quoted(p + " block remove ")
            + quoted(p + " doctor --fe")
            + quoted(p + " filter build -o z")
            + quoted(p + " explain z")
            + "; do key \"$line\"; done\n";
    assertEquals(
        List.of(
            "feeds",
            "show",
            "drop",
            "drop",
            "observe soft enforce",
            "7K3Q9ZT2AB",
            "drop",
            "reject",
            "db8::/32",
            "",
            "--feeds",
            "z file",
            "z file"),
        run("bash", script).lines().toList());
    assertTrue(Files.readString(folder.resolve("asked")).contains("--socket\n/s\n__complete\n"));
    assertFalse(Files.exists(folder.resolve("pwned")));
  }

  @Test
  void fishOffersWordsOfTheGateway() throws Exception {
    String script =
        Shell.run("completion", "fish").out()
            + "complete -C 'PROGRAM feeds show '\n"
            + "complete -C 'PROGRAM explain 7'\n"
            + "complete -C 'PROGRAM mode e'\n";
    assertEquals(
        List.of("drop\tfresh", "7K3Q9ZT2AB\t203.0.113.7", "enforce"),
        run("fish", script.replace("PROGRAM", program.toString())).lines().toList());
  }

  @Test
  void zshAsksTheGatewayForWords() throws Exception {
    String script =
        "autoload() { }\n"
            + Shell.run("completion", "zsh").out()
            + "_describe() { print -rl -- ${(P)4} }\n"
            + "_arguments() { for spec in $@; do case $spec in"
            + " *_bloomgate_live*) eval ${spec##*:} ;; esac; done }\n"
            + "words=('PROGRAM' --socket /s feeds show '') CURRENT=6\n"
            + "bloomgate_asked=('PROGRAM')\n_bloomgate_feeds_show\n_bloomgate_allow_check\n";
    assertEquals(
        List.of("drop:fresh", "2001\\:db8\\:\\:/32:a\\u001b[31m", "2001\\:db9\\:\\:1:-"),
        run("zsh", script.replace("PROGRAM", program.toString())).lines().toList());
  }

  private static String quoted(String line) {
    return " '" + line + "'";
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
