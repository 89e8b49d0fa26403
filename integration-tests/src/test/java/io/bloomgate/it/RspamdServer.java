package io.bloomgate.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A real rspamd as a milter on loopback, with Debian's settings and a test's own {@code local.d}.
 * What looks things up in the network or takes long to start is switched off.
 */
final class RspamdServer implements AutoCloseable {

  private static final Path RSPAMD = Path.of("/usr/bin/rspamd");

  /** No DNS, no rules on content, a short list of public suffixes, and no score that marks mail. */
  private static final Map<String, String> QUICK =
      Map.of(
          "options.inc",
          """
          dns { timeout = 0.02s; retransmits = 1; nameserver = ["127.0.0.1:9"]; }
          disable_hyperscan = true;
          filters = "";
          url_tld = "$LOCAL_CONFDIR/local.d/tlds";
          """,
          "tlds",
          "com\nexample\n",
          "actions.conf",
          "reject = 900; add_header = 800; greylist = 700;",
          "logging.inc",
          "type = \"console\"; level = \"info\";\n",
          "worker-normal.inc",
          "enabled = false;",
          "worker-controller.inc",
          "enabled = false;",
          "worker-fuzzy.inc",
          "enabled = false;");

  private final Process process;
  private final Path log;

  private RspamdServer(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /**
   * Starts one, or skips the test where there is none.
   *
   * @param folder that is made here, for all its files
   * @param local files for {@code local.d} by their names
   * @param port on which these have it listen
   */
  static RspamdServer startOrSkip(Path folder, Map<String, String> local, int port)
      throws IOException {
    assumeTrue(Files.isExecutable(RSPAMD), "rspamd is not installed");
    Path own = Files.createDirectories(folder.resolve("local.d"));
    for (Map<String, String> files : List.of(QUICK, local)) {
      for (Map.Entry<String, String> file : files.entrySet()) {
        Files.writeString(own.resolve(file.getKey()), file.getValue());
      }
    }
    Path log = folder.resolve("rspamd.out");
    List<String> command = new ArrayList<>();
    command.addAll(List.of(RSPAMD.toString(), "-f", "-i", "-c", "/etc/rspamd/rspamd.conf"));
    command.addAll(List.of("--var", "LOCAL_CONFDIR=" + folder));
    for (String variable : List.of("RUNDIR", "DBDIR", "LOGDIR")) {
      command.addAll(
          List.of("--var", variable + "=" + Files.createDirectories(own.resolveSibling(variable))));
    }
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    RspamdServer rspamd = new RspamdServer(process, log);
    try {
      Conditions.await(
          "rspamd listens", () -> !process.isAlive() || UnpackedPackage.listens("127.0.0.1", port));
    } catch (AssertionError e) {
      rspamd.close();
      throw e;
    }
    if (!process.isAlive()) {
      throw new AssertionError("rspamd ended: " + Files.readString(log));
    }
    return rspamd;
  }

  /** A line of its log for each message that it judged. */
  List<String> scans() throws IOException {
    try (Stream<String> lines = Files.lines(log)) {
      return lines.filter(line -> line.contains("rspamd_task_write_log")).toList();
    }
  }

  @Override
  public void close() throws IOException {
    ProcessTree.kill(process.toHandle());
  }
}
