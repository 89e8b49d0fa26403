package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlReply.Done;
import io.bloomgate.config.control.ControlReply.Failed;
import io.bloomgate.config.control.ControlReply.Note;
import io.bloomgate.config.control.ControlRequest.ListImport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Imports against a control socket, and on trial where no gateway answers. */
class ImportCommandsTest extends ScriptedAnswers {

  @Test
  void importSendsTheFileInPiecesAndAddsUp() throws IOException {
    Path file = folder.resolve("entries.list");
    StringBuilder text = new StringBuilder();
    for (int i = 1; i <= 50_000; i++) {
      text.append("host").append(i).append(".example\n");
    }
    Files.writeString(file, text.append("last.example"));
    try (FakeGateway gateway =
        FakeGateway.scripted(
            socket,
            request -> {
              ListImport piece = (ListImport) request;
              return List.of(
                  new Note(piece.file() + ":" + piece.firstLine() + ": seen"),
                  item("{\"added\":" + (piece.lines().size() - 1) + ",\"skipped\":1}"),
                  new Done(4));
            })) {
      run("allow", "import", file.toString(), "-o", "json")
          .exits(4)
          .answers(
              "{\"file\":\""
                  + file
                  + "\",\"added\":49998,\"changed\":0,\"unchanged\":0,\"skipped\":3}\n");
      List<ListImport> pieces = gateway.asked().stream().map(ListImport.class::cast).toList();
      assertEquals(List.of(1, 20_001, 40_001), pieces.stream().map(ListImport::firstLine).toList());
      assertEquals("last.example", pieces.getLast().lines().getLast());
      assertEquals(10_001, pieces.getLast().lines().size());
    }
  }

  @Test
  void importShowsItsFirstChangesAndCountsTheRest() throws IOException {
    Path file = Files.writeString(folder.resolve("entries.list"), "a.example\n".repeat(45_000));
    String changes =
        IntStream.rangeClosed(1, 15)
            .mapToObj(i ->
                "{\"change\":\"added\",\"list\":\"block\",\"subject\":\"a\",\"id\":\"b" + i + "\"}")
            .collect(Collectors.joining(",", "[", "]"));
    try (FakeGateway gateway =
        FakeGateway.answering(
            socket,
            item("{\"added\":15000,\"changed\":2,\"changes\":" + changes + "}"),
            new Done(0))) {
      List<String> lines = run("block", "import", file.toString()).out().lines().toList();
      assertEquals(3, gateway.asked().size());
      assertEquals(22, lines.size(), lines::toString);
      assertEquals("added: block a, id b1", lines.getFirst());
      assertEquals("added: block a, id b5", lines.get(19));
      assertEquals("and 44,986 more", lines.get(20));
      assertTrue(lines.getLast().contains(": 45,000 added, 6 changed, 0 unchanged"));
    }
  }

  @Test
  void importStopsWhereTheGatewayFails() throws IOException {
    try (FakeGateway gateway =
        FakeGateway.answering(socket, new Failed(1, "disk full", "make room"))) {
      Shell.Result result =
          Shell.piped(
                  "a.example\n".repeat(3000), "block", "import", "-", "--socket", socket.toString())
              .exits(1);
      assertEquals(1, gateway.asked().size());
      result.complains("disk full");
    }
    run("allow", "import", folder.resolve("none").toString()).exits(2);
  }

  @Test
  void anImportIsTriedWithoutAGateway() throws IOException {
    String settings = Shell.settings(folder, "");
    Path table =
        Files.writeString(
            folder.resolve("access"), "spam.example REJECT\npostmaster@ OK\n192.0.2.1 OK\n");
    Shell.run("-c", settings, "import", "postfix", table.toString(), "--dry-run")
        .exits(4)
        .answers(
            table
                + ":2: skipped: a local part at any domain is not supported: postmaster@ OK\n"
                + "  "
                + table
                + ": 1 name (first in line 1) is taken as a domain of senders and as a HELO name;"
                + " add --kind client, helo or sender to say what the table is compared with\n"
                + "would be added: allow 192.0.2.1\n"
                + "would be added: block spam.example\n"
                + table
                + ": 2 added, 0 changed, 0 unchanged, 1 skipped; nothing was stored\n");
    Files.writeString(table, "gmail.com REJECT\n0.0.0.0/0 REJECT\n");
    Shell.Result wide =
        Shell.run("-c", settings, "import", "postfix", table.toString(), "--dry-run").exits(4);
    assertTrue(
        wide.out().contains(":1: gmail.com is protected by never_block mail-providers;")
            && wide.out().contains(":2: 0.0.0.0/0 is wider than /8;")
            && wide.out().contains(": 0 added, 0 changed, 0 unchanged, 2 skipped"),
        wide.out());
    Files.writeString(table, "spam.example REJECT\npostmaster@ OK\n192.0.2.1 OK\n");
    String json =
        Shell.run(
                "-c",
                settings,
                "import",
                "lines",
                table.toString(),
                "--as",
                "block",
                "--dry-run",
                "-o",
                "json")
            .out();
    assertTrue(json.contains("{\"file\":") && json.contains("\"skipped\":3"), json);
  }

  /** A range gives several entries, and the lines below it keep their numbers. */
  @Test
  void aMessageNamesTheLineOfTheFile() throws IOException {
    String settings = Shell.settings(folder, "");
    String file =
        Files.writeString(
                folder.resolve("list"), "198.51.100.1-198.51.100.9\ngmail.com\nspam.example\n")
            .toString();
    Shell.run("-c", settings, "import", "lines", file, "--as", "block", "--dry-run")
        .prints(
            "list:2: gmail.com is protected by",
            "would be added: block 198.51.100.8/31",
            ": 5 added, 0 changed, 0 unchanged, 1 skipped");
  }

  @Test
  void importOnTrialShowsTheFirstEntriesAndCountsTheRest() throws IOException {
    String settings = Shell.settings(folder, "");
    StringBuilder list = new StringBuilder();
    for (int i = 1; i <= 1025; i++) {
      list.append("spam").append(i).append(".example\n");
    }
    String file = Files.writeString(folder.resolve("list"), list).toString();
    List<String> lines =
        Shell.run("-c", settings, "import", "lines", file, "--as", "block", "--dry-run")
            .out()
            .lines()
            .toList();
    assertEquals(22, lines.size(), lines::toString);
    assertEquals("would be added: block spam20.example", lines.get(19));
    assertEquals("and 1,005 more; -o json shows all", lines.get(20));
    String[] all = {
      "-c", settings, "import", "lines", file, "--as", "block", "--dry-run", "-o", "json"
    };
    assertEquals(1026, Shell.run(all).out().lines().count());
  }
}
