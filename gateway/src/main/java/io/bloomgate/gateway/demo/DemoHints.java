package io.bloomgate.gateway.demo;

import java.io.PrintStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;

/**
 * Prints commands to try while the demo's gateway stays up; every line can be pasted into a shell.
 */
final class DemoHints {

  private static final String INSTALLED = "bloomgate";

  private final PrintStream out;
  private final DemoFiles files;
  private final int port;

  DemoHints(PrintStream out, DemoFiles files, int port) {
    this.out = out;
    this.files = files;
    this.port = port;
  }

  void print() {
    String bloomgate = quoted(command()) + " --socket " + quoted(files.socket().toString());
    out.println();
    out.println("The gateway listens on 127.0.0.1:" + port + " until you press Ctrl-C. Try:");
    out.println();
    out.println("  " + bloomgate + " status");
    out.println("  " + bloomgate + " explain 203.0.113.7");
    out.println("  " + bloomgate + " feeds list");
    out.println("  " + bloomgate + " allow add 203.0.113.7 --expires 7d --reason \"a test\"");
    out.println("  " + bloomgate + " tail");
    out.println("  cat " + quoted(files.decisions().toString()));
    out.println();
    out.println("and a mail of your own, from any client address:");
    out.println();
    out.println("  " + mail());
    out.flush();
  }

  /**
   * A command that sends a mail with pauses, because a client that sends before it is asked is no
   * mail server.
   */
  private String mail() {
    return "bash -c 'exec 3<>/dev/tcp/127.0.0.1/"
        + port
        + "; { printf \"PROXY TCP4 203.0.113.7 127.0.0.1 40025 "
        + port
        + "\\r\\n\"; sleep 1; printf \"EHLO mail.home.example\\r\\n\"; sleep 1;"
        + " printf \"MAIL FROM:<joe@home.example>\\r\\nRCPT TO:<alice@company.example>\\r\\n"
        + "QUIT\\r\\n\"; } >&3; cat <&3'";
  }

  /** The path as a word of a shell. */
  static String quoted(String path) {
    return path.matches("[-+.,/:=@_A-Za-z0-9]+") ? path : "'" + path.replace("'", "'\\''") + "'";
  }

  /** The launcher of these classes; one that is installed is on the path. */
  private static String command() {
    try {
      CodeSource source = DemoHints.class.getProtectionDomain().getCodeSource();
      if (source != null) {
        return command(Path.of(source.getLocation().toURI()));
      }
    } catch (URISyntaxException e) {
      return INSTALLED;
    }
    return INSTALLED;
  }

  /**
   * The launcher of the classes of this jar or folder: gateway/target/x.jar of the sources, or
   * usr/lib/bloomgate/gateway/x.jar of a package that was unpacked anywhere.
   */
  static String command(Path code) {
    for (String beside : List.of("../../bin/bloomgate", "../../../../bin/bloomgate")) {
      Path launcher = code.resolve(beside).normalize();
      if (Files.isExecutable(launcher)) {
        return launcher.equals(Path.of("/usr/bin/bloomgate")) ? INSTALLED : launcher.toString();
      }
    }
    return INSTALLED;
  }
}
