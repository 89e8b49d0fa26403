package io.bloomgate.cli;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Example;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.GlobalOptions;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.config.json.JsonValue;
import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URL;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bloomgate} itself: holds the global options; without a command it shows its help. */
@Command(
    name = "bloomgate",
    description = "An SMTP gateway that stops known-bad senders before the mail server sees them.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      " 0:Yes, or done.",
      " 1:No: refused, invalid, held or not ready; or the work failed.",
      " 2:The command line is wrong, or the command is not in this release.",
      " 3:No gateway answers.",
      " 4:Some of it was done, or something was found; the help of the command says what.",
      " 5:The operating system forbids it.",
      "69:There is no Java, or the program is not built.",
      "75:An address to listen on is not there or is taken; a later start may succeed.",
      "78:The settings cannot be used."
    },
    addMethodSubcommands = false)
@Example("explain 203.0.113.7")
final class RootCommand extends GatewayCommands {

  /** The version of TLS in the manifest of the jar: a library with security updates. */
  private static final String TLS_ENGINE = "Tls-Engine";

  private static final String DEVELOPMENT = "development";
  private static final String HINT = "start it with the launcher, gateway/bin/bloomgate";

  @Mixin private final GlobalOptions options = new GlobalOptions();
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = {"-V", "--version"},
      description = "print the version of this program")
  private boolean version;

  /** The options that every command takes. */
  GlobalOptions options() {
    return options;
  }

  @Override
  public Integer call() {
    if (version) {
      spec.commandLine().getOut().println("bloomgate " + Invocation.version());
      return ExitCode.OK;
    }
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }

  /** Refuses, as {@link #demo} does: the launcher starts another program for them. */
  @Command(
      description = {
        "Start the gateway and stay in the foreground.",
        "On SIGHUP it reads its settings again, as `config reload` does. On SIGTERM idle"
            + " clients get 421, messages in transfer finish (in 40 s at most), and it ends. To"
            + " systemd it reports when it is ready.",
        "Exit code 75: an address of a listener cannot be bound now; a later start may succeed.",
        "Exit code 78: the settings cannot be used, or another gateway uses the state directory."
      })
  @Example("-c /etc/bloomgate/bloomgate.yaml")
  int run() throws CliException {
    throw CliException.usage("the gateway is not part of this program", HINT);
  }

  @Command(
      description = {
        "Show the whole job on this machine: sample feeds, twenty mails, their verdicts.",
        "It listens on 127.0.0.1:2525 and needs no root, no DNS and no network.",
        "Exit code 0 with --once: all twenty mails had the expected verdict."
      })
  @Example("--once")
  int demo(@Option(names = "--once", description = "stop after the table of verdicts") boolean once)
      throws CliException {
    String named = once ? " (--once)" : "";
    throw CliException.usage("the demo is not part of this program" + named, HINT);
  }

  @Command(description = "Print the version of this program.")
  @Example("")
  int version() {
    JsonValue.ObjectBuilder answer =
        JsonValue.object()
            .put("version", Invocation.version())
            .put("java", Runtime.version().toString());
    if (options.verbose) {
      answer.put("tls_engine", tlsEngine());
    }
    in.output()
        .item(
            answer.build(),
            (item, out) -> {
              out.line("bloomgate {version} (Java {java})", item);
              if (options.verbose) {
                out.line("TLS of the gateway: {tls_engine}", item);
              }
            });
    return ExitCode.OK;
  }

  /** The engine of TLS that is in the package, or {@code development} as below. */
  private static String tlsEngine() {
    String engine = null;
    try {
      URL itself = RootCommand.class.getResource("RootCommand.class");
      if (itself != null && itself.openConnection() instanceof JarURLConnection jar) {
        engine = jar.getMainAttributes().getValue(TLS_ENGINE);
      }
    } catch (IOException e) {
      // As below.
    }
    return engine == null ? DEVELOPMENT : engine;
  }
}
