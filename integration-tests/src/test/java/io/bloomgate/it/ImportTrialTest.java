package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.cli.CommandLineInProcess;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.name.ListKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code import --dry-run} says what the import does then, with a gateway and without one. */
class ImportTrialTest {

  @TempDir private Path folder;

  private CommandLineInProcess.Result cli(String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("-c", folder.resolve("bloomgate.yaml").toString()));
    return CommandLineInProcess.run(all.toArray(String[]::new));
  }

  /** The lines of a result as the trial and the import have them: what is not stored has no id. */
  private static List<String> lines(CommandLineInProcess.Result result) {
    return (result.out() + result.err())
        .lines()
        .map(line ->
            line.replaceFirst("^would be ", "")
                .replaceFirst(", id [ab][0-9]+$", "")
                .replaceFirst("by entry (a[0-9]+|of line [0-9]+)", "by entry")
                .replaceFirst("; nothing was stored$", ""))
        .toList();
  }

  private void assertTrialIsTrue(GatewayFixture gateway, String... words) throws IOException {
    List<String> trial = new ArrayList<>(List.of(words));
    trial.add("--dry-run");
    List<String> alone = new ArrayList<>(trial);
    alone.add("--offline");
    int before = entries(gateway);
    CommandLineInProcess.Result tried = cli(trial.toArray(String[]::new));
    CommandLineInProcess.Result offline = cli(alone.toArray(String[]::new));
    assertEquals(before, entries(gateway), "a trial stores nothing");
    CommandLineInProcess.Result done = cli(words);
    assertEquals(done.exitCode(), tried.exitCode(), tried.err());
    assertEquals(lines(done), lines(tried));
    assertEquals(done.exitCode(), offline.exitCode(), offline.err());
    assertEquals(lines(done), lines(offline));
  }

  private static int entries(GatewayFixture gateway) {
    return gateway
            .control(new ControlRequest.ListShow(ListKind.BLOCK, "", Long.MAX_VALUE, null))
            .items()
            .size()
        + gateway
            .control(new ControlRequest.ListShow(ListKind.ALLOW, "", Long.MAX_VALUE, null))
            .items()
            .size();
  }

  @Test
  void aTrialSaysWhatTheImportDoes() throws IOException {
    try (GatewayFixture gateway = GatewayFixture.in(folder, 1)) {
      gateway
          .with("allow", "{never_block: [loopback, mail-providers]}")
          .with("block", "{files: [" + folder.resolve("block.list") + "]}")
          .prepare();
      gateway.write("block.list", "file.example");
      gateway.start();
      gateway.write(
          "lines.txt",
          "0.0.0.0/0",
          "127.0.0.1",
          "example.com",
          "gmail.com",
          "209.85.128.0/17",
          "old.example",
          "file.example",
          "new.example",
          "new.example",
          "*.glob.example");
      gateway.write("own.list", "old.example # lines.txt:6");
      assertEquals(0, cli("block", "import", folder.resolve("own.list").toString()).exitCode());
      assertTrialIsTrue(
          gateway, "import", "lines", folder.resolve("lines.txt").toString(), "--as", "block");
      assertTrialIsTrue(
          gateway, "import", "lines", folder.resolve("lines.txt").toString(), "--as", "block");
      gateway.write("haraka.txt", "!partner.example", "x@partner.example", "y@other.example");
      assertTrialIsTrue(
          gateway, "import", "haraka", folder.resolve("haraka.txt").toString(), "--as", "block");
      gateway.write(
          "access", "a.example REJECT", "b.a.example OK", "c.example 450 later", "d.example WARN");
      assertTrialIsTrue(gateway, "import", "postfix", folder.resolve("access").toString());
    }
  }
}
