package io.bloomgate.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a service says on standard error when the launcher starts it. */
final class StandardErrorTest {

  /** As gateway/bin/bloomgate does it. */
  private static final String KEPT_ASIDE =
      "exec \"$0\" -Dbloomgate.stderr=3 \"$@\" 3>&2 2>/dev/null";

  private record Said(int exit, String out, String err) {}

  private static Said run(String... options) throws IOException, InterruptedException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command = new ArrayList<>(List.of("sh", "-c", KEPT_ASIDE, java));
    command.add("-XX:+DisplayVMOutputToStdout");
    command.addAll(List.of(options));
    command.addAll(
        List.of(
            "--add-modules=jdk.incubator.vector",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            "run",
            "-c",
            "/nonexistent/bloomgate.yaml"));
    Process process = new ProcessBuilder(command).start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    String err = new String(process.getErrorStream().readAllBytes(), UTF_8);
    return new Said(process.waitFor(), out, err);
  }

  @Test
  void nothingIsSaidOfModulesThatIncubate() throws Exception {
    Said said = run();
    assertEquals(78, said.exit(), said.toString());
    assertFalse(said.err().contains("incubator"), said.err());
    assertTrue(said.err().contains("/nonexistent/bloomgate.yaml"), said.err());
  }

  @Test
  void wrongOptionsOfJavaAreStillNamed() throws Exception {
    Said said = run("-XX:+NoSuchThing");
    assertTrue(said.out().contains("NoSuchThing"), said.toString());
  }
}
