package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.config.control.ControlCodec;
import io.bloomgate.config.control.ControlReply;
import io.bloomgate.config.control.ControlReply.Done;
import io.bloomgate.config.control.ControlReply.Failed;
import io.bloomgate.config.control.ControlReply.Item;
import io.bloomgate.config.control.ControlReply.Note;
import io.bloomgate.config.control.ControlReply.Progress;
import io.bloomgate.config.control.ControlRequest.ListImport;
import io.bloomgate.config.json.JsonValue;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a command ends with when its answer does not get out. */
class UnwrittenAnswerTest {

  private static final Item ENTRY =
      new Item(JsonValue.object().put("text", "a.example").put("ready", false).build());

  @TempDir Path folder;

  /** Takes some octets, then fails for this reason. */
  private static final class Failing extends OutputStream {
    private final String reason;
    private int left;

    Failing(String reason, int octets) {
      this.reason = reason;
      this.left = octets;
    }

    @Override
    public void write(int octet) throws IOException {
      if (left == 0) {
        throw new IOException(reason);
      }
      left--;
    }
  }

  private Path socket() {
    return folder.resolve("s");
  }

  private Shell.Result run(String reason, String... args) {
    return Shell.runInto(new Failing(reason, 5), "", withSocket(args));
  }

  private String[] withSocket(String... args) {
    return Stream.concat(Stream.of("--socket", socket().toString()), Stream.of(args))
        .toArray(String[]::new);
  }

  @Test
  void halfAnExportIsNoSuccess() throws IOException {
    try (var _ = FakeGateway.answering(socket(), ENTRY, ENTRY, new Done(0))) {
      Shell.Result result = run("No space left on device", "allow", "export").exits(1);
      assertEquals(
          "bloomgate: the answer was not written to its end: No space left on device\n",
          result.err());
    }
  }

  @Test
  void offlineCommandsAreHeldToItToo() throws IOException {
    Path full = Path.of("/dev/full");
    Assumptions.assumeTrue(Files.exists(full), "no /dev/full here");
    for (List<String> command :
        List.of(
            List.of("feeds", "formats"),
            List.of("completion", "bash"),
            List.of("config", "show", "--default"),
            List.of("--help"))) {
      try (OutputStream out = new FileOutputStream(full.toFile())) {
        Shell.runInto(out, "", command.toArray(String[]::new)).fails(1, "not written to its end");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Broken pipe", "Datenübergabe unterbrochen (broken pipe)"})
  void aReaderThatHadEnoughIsNoFailure(String reason) throws IOException {
    try (var _ = FakeGateway.answering(socket(), ENTRY, ENTRY, new Done(0))) {
      run(reason, "allow", "export").exits(0).isSilent();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Broken pipe", "Bad file descriptor"})
  void aRefusalSetsTheExitCodeThoughItsTextCannotBeWritten(String reason) throws IOException {
    try (var _ = FakeGateway.answering(socket(), ENTRY, new Done(1))) {
      run(reason, "health").exits(1);
    }
  }

  @Test
  void tailEndsWithItsReader() throws IOException {
    Progress quiet = new Progress("", JsonValue.object().put("event", "waiting").build());
    try (var _ = FakeGateway.answering(socket(), ENTRY, quiet)) {
      run("Broken pipe", "tail", "--timeout", "60s").exits(0).isSilent();
    }
  }

  @Test
  void eachPieceOfAnImportGetsItsOwnAnswer() throws IOException {
    String lines = "a.example\n".repeat(20_001);
    try (FakeGateway gateway = FakeGateway.scripted(socket(), r -> answer((ListImport) r))) {
      Shell.Result result =
          Shell.runInto(new Failing("Broken pipe", 5), lines, withSocket("allow", "import", "-"))
              .exits(1);
      assertEquals("20000 lines\nbloomgate: the store is broken\n", result.err());
      assertEquals(2, gateway.asked().size());
    }
  }

  private static List<ControlReply> answer(ListImport piece) {
    return piece.firstLine() == 1
        ? List.of(new Note("line 1 is known"), ENTRY, new Done(0))
        : List.of(new Failed(1, "the store is broken", ""));
  }

  /** The gateway ends a connection on which lines are awaited too long. */
  @Test
  void anImportOutlivesTheConnectionOfItsFirstPiece() throws IOException {
    String done = ControlCodec.encode(new Done(0));
    try (FakeGateway gateway = FakeGateway.raw(socket(), done)) {
      Shell.Result result =
          Shell.runInto(
              OutputStream.nullOutputStream(),
              "a.example\n".repeat(20_001),
              withSocket("allow", "import", "-"));
      assertEquals("20000 lines\n", result.err());
      result.exits(0);
      assertEquals(2, gateway.asked().size());
    }
  }
}
