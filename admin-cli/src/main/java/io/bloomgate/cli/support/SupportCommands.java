package io.bloomgate.cli.support;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.backup.ArchiveWriter;
import io.bloomgate.cli.backup.BackupCommand;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Example;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Group;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.ReadsFiles;
import io.bloomgate.cli.command.Subcommands;
import io.bloomgate.config.json.JsonValue;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code bloomgate support}: help from others. Asks the gateway where one runs, and reads files as
 * the caller.
 */
@Command(
    description = "Collect what others need to help with a problem.",
    addMethodSubcommands = false)
@Example("dump")
public final class SupportCommands extends Group implements ReadsFiles {

  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  /** The group with its commands. */
  public static Subcommands tree() {
    return new Subcommands(new SupportCommands()).add("dump");
  }

  @Command(
      description = {
        "Write settings, state and figures without keys and addresses into one file.",
        "Look through it before you send it. Exit code 4: the gateway did not answer, the rest is"
            + " in it."
      })
  @Example("/tmp/bloomgate-support.tar.gz")
  int dump(
      @Parameters(
              paramLabel = "FILE",
              arity = "0..1",
              description =
                  "the file to write, a tar.gz (default: bloomgate-support-TIME.tar.gz here)")
          @Nullable Path file,
      @Option(names = "--force", description = "replace FILE when it is there") boolean force)
      throws CliException {
    Instant now = in.around().clock().instant();
    Path target =
        file == null ? Path.of("bloomgate-support-" + STAMP.format(now) + ".tar.gz") : file;
    SupportDump dump = new SupportDump(in);
    Map<String, String> texts = dump.collect();
    long octets = write(target, force, texts, now);
    Output out = in.output();
    out.item(
        JsonValue.object()
            .put("file", target.toString())
            .put("octets", octets)
            .put("files", JsonValue.ofStrings(texts.keySet().stream().toList()))
            .put("gateway", dump.unreachable().isEmpty() && !in.options().offline)
            .build(),
        (item, o) -> o.line("written to {file}: {files}", item));
    if (dump.unreachable().isEmpty()) {
      out.note(
          "it holds names of your servers, domains and lists; look through it before you send it");
      return ExitCode.OK;
    }
    out.warn("without the gateway: " + dump.unreachable());
    return ExitCode.PARTLY;
  }

  private static long write(Path target, boolean force, Map<String, String> texts, Instant now)
      throws CliException {
    try (ArchiveWriter archive = new ArchiveWriter(target, force, now)) {
      for (Map.Entry<String, String> text : texts.entrySet()) {
        archive.add(text.getKey(), text.getValue().getBytes(UTF_8));
      }
      return archive.finish();
    } catch (IOException e) {
      throw BackupCommand.failure(target, e);
    }
  }
}
