package io.bloomgate.cli.feeds;

import io.bloomgate.cli.command.CliCommand;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Example;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.NewFile;
import io.bloomgate.cli.command.Values;
import io.bloomgate.config.catalogue.Catalogue;
import io.bloomgate.config.catalogue.CatalogueEntry;
import io.bloomgate.config.catalogue.CatalogueEntry.Listed;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonRecords.Rare;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.notation.BadValueException;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.SettingsEdit;
import io.bloomgate.config.settings.SourcesText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code feeds add}: adds a feed to the settings file. Needs no gateway. */
@Command(
    description = {
      "Write a feed into the settings file; comments and all other lines stay as they are.",
      "Without --url, --file and --dns, the feed of that name is taken from the catalogue.",
      "A gateway that runs reads its settings again, fetches the list (one that is asked by DNS: "
          + "tests it) and says what came of it. Exit code 1: the feed is written, but the list was"
          + " refused or its test failed.",
      "A list that you write yourself belongs into the setting block.files: the guards of feeds"
          + " would hold many of your changes."
    })
@Example("mine --url https://lists.example/drop --check client_ip")
final class FeedsAddCommand extends CliCommand {

  static final String RELOAD = "`bloomgate config reload` puts it into force";

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
      description = {"trust, observe, tag, greylist, tempfail or reject", "(default: observe)"})
  private @Nullable Action action;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "the format of the list, see `feeds formats`; default: found from the content")
  private @Nullable String format;

  @Option(
      names = "--insecure",
      description = "take the list by http or rsync, without TLS: others on the way can change it")
  private boolean insecure;

  @Option(
      names = "--dns",
      paramLabel = "ZONE",
      description = "a list that is asked by DNS, in place of --url")
  private @Nullable String zone;

  @Option(
      names = "--every",
      paramLabel = "TIME",
      description = "how often it is fetched, for example 1h")
  private @Nullable String every;

  @Option(names = "--no-reload", description = "only write the settings file")
  private boolean noReload;

  @Override
  public Integer call() throws CliException {
    String lines = lines();
    String key = isOfCatalogue() ? entry().map(FeedsAddCommand::keyNeeded).orElse("") : "";
    write(in, name, "added", key, text -> SourcesText.add(text, name, lines));
    boolean refuses = action == Action.REJECT || action == Action.TEMPFAIL;
    if (file != null && refuses && in.output().human()) {
      in.output()
          .note(
              "guards hold a version that differs much from the one before; a list that you write"
                  + " yourself, one entry a line, belongs into `block: {files: ["
                  + file.toAbsolutePath()
                  + "]}`, which has no guards");
    }
    OptionalInt reloaded = reload(in, noReload || !key.isEmpty());
    // The list is fetched and tested, and its guards judge it.
    return reloaded.isEmpty() || reloaded.getAsInt() != ExitCode.OK
        ? reloaded.orElse(ExitCode.OK)
        : in.askWithBars(
            new ControlRequest.FeedsRefresh(List.of(name), false, false), FeedsText::outcome);
  }

  /**
   * Lets the gateway read its settings; says how to do it later where none runs, or when it is not
   * asked for.
   *
   * @return the exit code; empty when nothing was asked of a gateway
   */
  static OptionalInt reload(Invocation in, boolean later) throws CliException {
    if (!later && !in.options().offline) {
      try {
        return OptionalInt.of(in.collect(new ControlRequest.ConfigReload(false), _ -> {}));
      } catch (CliException e) {
        if (!e.isWithoutGateway()) {
          throw e;
        }
      }
    }
    in.output().note(RELOAD);
    return OptionalInt.empty();
  }

  private String lines() throws CliException {
    if (isOfCatalogue()) {
      CliException.refuseIf(
          !checks.isEmpty() || action != null || format != null || every != null || insecure,
          "--check, --action, --format, --every and --insecure need --url, --file or --dns",
          "change a feed of the catalogue by hand once it is in the file");
      return ofCatalogue();
    }
    CliException.onlyOne("--url, --file and --dns", url != null, file != null, zone != null);
    if (url != null && isPath(url)) {
      throw CliException.usage(
          "--url " + url + " is a file, not a web address",
          "for a file use --file " + url.replaceFirst("^file:(//)?", ""));
    }
    StringBuilder lines = new StringBuilder(quoted(name)).append(":\n");
    put(lines, "url", url);
    put(lines, "file", file == null ? null : file.toAbsolutePath().toString());
    put(lines, "dns", zone);
    put(lines, "every", every);
    put(lines, "insecure", insecure ? "true" : null);
    put(lines, "format", format);
    if (!checks.isEmpty()) {
      String list = String.join(", ", checks.stream().map(FeedsAddCommand::quoted).toList());
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
    return url == null && file == null && zone == null;
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
        .orElseThrow(() -> FeedsCatalogueCommand.unknown(Catalogue.builtIn(), name));
  }

  /** A JSON text is a YAML text. */
  private static String quoted(String value) {
    return value.matches("[A-Za-z0-9_-]+") ? value : Json.write(new JsonValue.JsonString(value));
  }

  private record Done(String feed, String file, String done, @Rare String key) {}

  /** Edits the file; the result is the exit code. */
  static int edit(Invocation in, String name, String done, String key, SettingsEdit.Edit edit)
      throws CliException {
    write(in, name, done, key, edit);
    in.output().note(RELOAD);
    return ExitCode.OK;
  }

  /** Edits the file and says nothing about the gateway. */
  static void write(Invocation in, String name, String done, String key, SettingsEdit.Edit edit)
      throws CliException {
    Path file = in.options().configFile();
    Invocation.requireReadableSettings(file);
    try {
      SettingsEdit.write(file, in.around().environment(), edit);
    } catch (BadValueException e) {
      throw CliException.no(e.problem(), e.hint(), e);
    } catch (IOException e) {
      throw NewFile.failure(file, e, "nothing was changed");
    }
    in.output()
        .item(
            JsonRecords.of(new Done(name, file.toString(), done, key)),
            (item, out) -> {
              out.line("{feed} is {done}", item);
              item.text("key").ifPresent(out::note);
            });
  }
}
