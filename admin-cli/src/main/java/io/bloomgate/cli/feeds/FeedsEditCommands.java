package io.bloomgate.cli.feeds;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.TerminalText;
import io.bloomgate.cli.command.Values;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.BadValueException;
import io.bloomgate.config.settings.Catalogue;
import io.bloomgate.config.settings.CatalogueEntry;
import io.bloomgate.config.settings.CatalogueEntry.Listed;
import io.bloomgate.config.settings.Problem;
import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.SettingsResult;
import io.bloomgate.config.settings.SourcesText;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code feeds add} and {@code feeds remove}: add a feed to the settings file or remove one; {@code
 * feeds promote} changes its action. A file that would not be valid is not written, and a file with
 * mistakes is not touched. Need no gateway.
 */
final class FeedsEditCommands {

  private FeedsEditCommands() {}

  /** A change of the text of a settings file. */
  @FunctionalInterface
  interface Edit {
    String of(String text) throws BadValueException;
  }

  /** {@code feeds add}. */
  @Command(
      description = {
        "Write a feed into the settings file; comments and all other lines stay as they are.",
        "Without --url and --file, the feed of that name is taken from the catalogue.",
        "A list that you write yourself belongs into the setting block.files: the guards of feeds"
            + " would hold many of your changes."
      },
      footer = {
        "",
        "Example:",
        "  ${COMMAND-FULL-NAME} mine --url https://lists.example/drop --check client_ip"
      })
  static final class Add implements Callable<Integer> {
    private final Invocation in;

    @Parameters(paramLabel = "NAME", description = "the new name of the feed")
    private String name = "";

    @Option(
        names = "--url",
        paramLabel = "URL",
        description = "the web address from which the feed is fetched")
    private @Nullable String url;

    @Option(
        names = "--file",
        paramLabel = "FILE",
        description = "a file or a pattern of files, in place of --url")
    private @Nullable Path file;

    @Option(
        names = "--check",
        split = ",",
        paramLabel = "CHECK",
        converter = Values.CheckWord.class,
        completionCandidates = Values.CheckWord.class,
        description = "what is looked up in it: ${COMPLETION-CANDIDATES}")
    private List<String> checks = new ArrayList<>();

    @Option(
        names = "--action",
        paramLabel = "ACTION",
        converter = Values.ActionWord.class,
        completionCandidates = Values.ActionWord.class,
        description = {"trust, observe, tag, greylist, tempfail or reject", "(default: observe)"})
    private @Nullable Action action;

    @Option(
        names = "--format",
        paramLabel = "FORMAT",
        description =
            "the format of the list, see `feeds formats`; default: found from the content")
    private @Nullable String format;

    @Option(
        names = "--insecure",
        description =
            "take the list by http or rsync, without TLS: others on the way can change it")
    private boolean insecure;

    Add(Invocation in) {
      this.in = in;
    }

    @Override
    public Integer call() throws CliException {
      String lines = lines();
      Optional<CatalogueEntry> known = isOfCatalogue() ? entry() : Optional.empty();
      int code =
          edit(
              in,
              name,
              "added",
              known.map(Add::keyNeeded).orElse(""),
              text -> SourcesText.add(text, name, lines));
      if (file != null && in.output().human()) {
        in.output()
            .note(
                "guards hold a version that differs much from the one before; a list that you write"
                    + " yourself belongs into `block: {files: ["
                    + file.toAbsolutePath()
                    + "]}`, which has no guards");
      }
      return code;
    }

    private String lines() throws CliException {
      if (isOfCatalogue()) {
        if (!checks.isEmpty() || action != null || format != null || insecure) {
          throw new CliException(
              ExitCode.USAGE,
              "--check, --action, --format and --insecure need --url or --file",
              "change a feed of the catalogue by hand once it is in the file");
        }
        return ofCatalogue();
      }
      if (url != null && file != null) {
        throw new CliException(
            ExitCode.USAGE, "--url and --file exclude each other", "give only one of them");
      }
      if (url != null && isPath(url)) {
        throw new CliException(
            ExitCode.USAGE,
            "--url " + url + " is a file, not a web address",
            "for a file use --file " + url.replaceFirst("^file:(//)?", ""));
      }
      StringBuilder lines = new StringBuilder(quoted(name)).append(":\n");
      put(lines, "url", url);
      put(lines, "file", file == null ? null : file.toAbsolutePath().toString());
      put(lines, "insecure", insecure ? "true" : null);
      put(lines, "format", format);
      if (!checks.isEmpty()) {
        String list = String.join(", ", checks.stream().map(FeedsEditCommands::quoted).toList());
        lines.append("  checks: [").append(list).append("]\n");
      }
      put(lines, "action", action == null ? null : action.key());
      return lines.toString();
    }

    private static boolean isPath(String url) {
      return url.startsWith("/") || url.startsWith(".") || url.startsWith("file:");
    }

    private static void put(StringBuilder lines, String key, @Nullable String value) {
      if (value != null) {
        lines.append("  ").append(key).append(": ").append(quoted(value)).append('\n');
      }
    }

    private boolean isOfCatalogue() {
      return url == null && file == null;
    }

    private Optional<CatalogueEntry> entry() {
      return Catalogue.builtIn().entry(name);
    }

    /** The key that the feed needs, and where it belongs; empty for none. */
    private static String keyNeeded(CatalogueEntry entry) {
      if (entry.key().isEmpty()) {
        return "";
      }
      String where =
          entry.listed() instanceof Listed.ByDns dns && dns.list().keyFile() != null
              ? "; write it into " + dns.list().keyFile() + ", for the gateway's group, chmod 640"
              : "";
      return "it needs a key: " + entry.key() + where;
    }

    private String ofCatalogue() throws CliException {
      return entry()
          .map(feed -> feed.yaml().stripTrailing().stripIndent())
          .orElseThrow(() ->
              new CliException(
                  ExitCode.USAGE,
                  "there is no feed " + TerminalText.safe(name) + " in the catalogue",
                  "name it as `bloomgate feeds catalogue` does, or give --url"));
    }
  }

  /** {@code feeds remove}. */
  @Command(
      description = {
        "Take a feed out of the settings file.",
        "The comment that `feeds add` wrote above it goes with it; all other lines stay as they"
            + " are."
      },
      footer = {"", "Example:", "  ${COMMAND-FULL-NAME} mine"})
  static final class Remove implements Callable<Integer> {
    private final Invocation in;

    @Mixin private FeedName feed = new FeedName();

    Remove(Invocation in) {
      this.in = in;
    }

    @Override
    public Integer call() throws CliException {
      List<String> comments =
          Catalogue.builtIn().entry(feed.name()).map(CatalogueEntry::comments).orElse(List.of());
      return edit(
          in, feed.name(), "removed", "", text -> SourcesText.remove(text, feed.name(), comments));
    }
  }

  /** A JSON text is a YAML text. */
  private static String quoted(String value) {
    return value.matches("[A-Za-z0-9_-]+") ? value : Json.write(new JsonValue.JsonString(value));
  }

  static int edit(Invocation in, String name, String done, String key, Edit edit)
      throws CliException {
    Path file = in.options().configFile();
    Invocation.requireReadableSettings(file);
    try {
      Path target = file.toRealPath();
      String before = Files.readString(target);
      requireValid(in, target, before, "the file has mistakes, so it is left as it is");
      String after = edit.of(before);
      requireValid(in, target, after, "with this the file would not be valid");
      replace(target, after);
    } catch (BadValueException e) {
      throw new CliException(ExitCode.NO, e.problem(), e.hint(), e);
    } catch (AccessDeniedException e) {
      throw new CliException(
          ExitCode.PERMISSION, "you may not write " + file, "become root, or name another file", e);
    } catch (IOException e) {
      throw new CliException(
          ExitCode.NO, file + " cannot be changed: " + Faults.reason(e), "nothing was changed", e);
    }
    JsonValue.ObjectBuilder answer =
        JsonValue.object().put("feed", name).put("file", file.toString()).put("done", done);
    if (!key.isEmpty()) {
      answer.put("key", key);
    }
    in.output()
        .item(
            answer.build(),
            (item, out) -> {
              out.line(HumanText.value(item, "feed") + " is " + done);
              item.text("key").ifPresent(out::note);
              out.note("`bloomgate config reload` puts it into force");
            });
    return ExitCode.OK;
  }

  private static void requireValid(Invocation in, Path file, String text, String problem)
      throws CliException {
    SettingsResult read =
        SettingsFile.parse(
            file.toString(), text, in.around().environment(), () -> "mx.example.com");
    if (read instanceof SettingsResult.Invalid invalid) {
      Problem first = // warnings are among them
          invalid.problems().stream()
              .filter(found -> found.severity() == Problem.Severity.ERROR)
              .findFirst()
              .orElseGet(invalid.problems()::getFirst);
      throw new CliException(ExitCode.NO, problem + ": " + first.message(), first.hint());
    }
  }

  /** Replaces the file whole or not at all, with the owner, the group and the mode that it had. */
  private static void replace(Path target, String text) throws IOException {
    PosixFileAttributes old = Files.readAttributes(target, PosixFileAttributes.class);
    Path fresh = target.resolveSibling("." + target.getFileName() + ".new");
    try {
      Files.deleteIfExists(fresh);
      Files.createFile(fresh, PosixFilePermissions.asFileAttribute(old.permissions()));
      PosixFileAttributeView view = Files.getFileAttributeView(fresh, PosixFileAttributeView.class);
      view.setPermissions(old.permissions());
      view.setOwner(old.owner());
      view.setGroup(old.group());
      Files.writeString(fresh, text);
      Files.move(
          fresh, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }
}
