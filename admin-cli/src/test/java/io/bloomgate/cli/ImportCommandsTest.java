package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlReply.Done;
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
}
