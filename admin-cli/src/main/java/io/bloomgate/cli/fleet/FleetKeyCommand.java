package io.bloomgate.cli.fleet;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.bloomgate.blocklists.fleet.published.FleetKeys;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.TerminalText;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.json.JsonValue;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code bloomgate fleet key}: makes the keys of a new fleet; replaces nothing. */
@Command(
    description = {
      "Make the keys of a new fleet.",
      "FILE signs and stays on the leader; FILE.pub and FILE.secret go to all nodes.",
      "FILE and FILE.secret are readable for you only; give them to the gateway's user."
    },
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME} /etc/bloomgate/fleet"})
final class FleetKeyCommand implements Callable<Integer> {

  private final Invocation in;

  @Parameters(paramLabel = "FILE", description = "the file of the private key")
  private Path file = Path.of("");

  FleetKeyCommand(Invocation in) {
    this.in = in;
  }

  @Override
  public Integer call() throws CliException {
    Path open = beside(".pub");
    Path secret = beside(".secret");
    for (Path one : new Path[] {file, open, secret}) {
      if (Files.exists(one)) {
        throw isThere(one, new FileAlreadyExistsException(one.toString()));
      }
    }
    FleetKeys.Made made = FleetKeys.make();
    write(file, made.privateKey(), "rw-------");
    write(secret, made.secret(), "rw-------");
    write(open, made.publicKey(), "rw-r--r--");
    in.output()
        .report(
            JsonValue.object()
                .put("private_key", file.toString())
                .put("public_key", open.toString())
                .put("secret_file", secret.toString())
                .build(),
            (item, out) -> {
              out.line(line(file, "signs; for fleet.private_key of the leader, nowhere else"));
              out.line(line(open, "checks; for fleet.public_key of all others"));
              out.line(line(secret, "for fleet.secret_file of all nodes; the same everywhere"));
            });
    return ExitCode.OK;
  }

  private static String line(Path file, String use) {
    return TerminalText.safe(file.toString()) + "  " + use;
  }

  private Path beside(String ending) {
    return file.resolveSibling(file.getFileName() + ending);
  }

  private static CliException isThere(Path file, Throwable e) {
    return new CliException(
        ExitCode.USAGE,
        file + " is there already",
        "a new key would lock out all nodes; name another file, or remove it first",
        e);
  }

  private static void write(Path target, String text, String mode) throws CliException {
    try {
      Files.createFile(
          target, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode)));
      Files.writeString(target, text, US_ASCII);
    } catch (FileAlreadyExistsException e) {
      throw isThere(target, e);
    } catch (AccessDeniedException e) {
      throw new CliException(
          ExitCode.PERMISSION, "you may not write " + target, "name a file elsewhere", e);
    } catch (NoSuchFileException e) {
      throw new CliException(
          ExitCode.USAGE, "the folder of " + target + " is missing", "make it first", e);
    } catch (IOException e) {
      throw new CliException(
          ExitCode.NO, target + " cannot be written: " + Faults.words(e), "name another file", e);
    }
  }
}
