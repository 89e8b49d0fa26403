package io.bloomgate.cli.feeds;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.ListRules;
import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.blocklists.guard.MailProviders;
import io.bloomgate.blocklists.guard.ProtectFiles;
import io.bloomgate.blocklists.guard.SpfNetworks;
import io.bloomgate.blocklists.guard.SpfNetworks.TxtRecords;
import io.bloomgate.cli.command.CliCommand;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Example;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.NewFile;
import io.bloomgate.cli.command.Output;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.notation.HostPort;
import io.bloomgate.config.settings.Settings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.ExtendedResolver;
import org.xbill.DNS.Lookup;
import org.xbill.DNS.Name;
import org.xbill.DNS.Resolver;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.TXTRecord;
import org.xbill.DNS.Type;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bloomgate feeds update-protected}: asks the SPF records of large mailbox providers which
 * networks these send from now. What is new is protected beside what the release protects; nothing
 * of that is lifted.
 */
@Command(
    description = {
      "Compare the protected networks of large mailbox providers with what they publish now.",
      "Without --apply nothing is changed. Exit code 0: nothing is new, 4: something is new."
    })
@Example("--apply")
final class FeedsUpdateProtectedCommand extends CliCommand {

  private static final int SHOWN = 8;

  /** The time for one question with its repetitions. */
  private static final Duration TIMEOUT = Duration.ofSeconds(6);

  @Option(names = "--apply", description = "protect what is new, from now on")
  private boolean apply;

  @Option(
      names = "--server",
      paramLabel = "ADDRESS[:PORT]",
      description = "the name server that is asked; default: dns.servers, else the system's")
  private @Nullable HostPort server;

  /**
   * A row of the answer: the networks that a provider publishes now, beside those that are
   * protected.
   *
   * @param published how many there are
   * @param added those that are not protected
   * @param gone those of the release that are not published any more
   * @param problem why all that is not known
   */
  private record Row(
      String provider,
      List<String> records,
      int published,
      List<IpPrefix> added,
      List<IpPrefix> gone,
      @Nullable String problem) {
    static Row of(MailProviders.Provider provider, List<IpPrefix> published, List<IpPrefix> known) {
      return new Row(
          provider.name(),
          provider.records(),
          published.size(),
          published.stream().filter(one -> !isIn(one, known)).toList(),
          provider.networks().stream()
              .filter(one -> published.stream().noneMatch(one::overlaps))
              .toList(),
          null);
    }

    static Row unknown(MailProviders.Provider provider, String problem) {
      return new Row(provider.name(), provider.records(), 0, List.of(), List.of(), problem);
    }

    private static boolean isIn(IpPrefix one, List<IpPrefix> known) {
      return known.stream()
          .anyMatch(other -> other.length() <= one.length() && other.contains(one.network()));
    }
  }

  @Override
  public Integer call() throws CliException {
    Settings settings = in.settings();
    Path file = settings.stateDir().resolve(ListRules.PROVIDER_NETWORKS);
    List<IpPrefix> known = new ArrayList<>(MailProviders.networks());
    known.addAll(stored(file));
    List<Row> rows = rows(settings, known);
    Output out = in.output();
    rows.forEach(row -> out.item(JsonRecords.of(row), FeedsUpdateProtectedCommand::show));
    if (rows.stream().allMatch(row -> row.problem != null)) {
      throw CliException.no("no record could be read", "name a name server with --server ADDRESS");
    }
    if (rows.stream().allMatch(row -> row.added.isEmpty())) {
      out.note("all that is published is protected already");
      return ExitCode.OK;
    }
    if (!apply) {
      out.note("nothing was changed; --apply protects what is new");
      return ExitCode.PARTLY;
    }
    write(file, rows);
    try {
      return in.ask(
          new ControlRequest.ConfigReload(false),
          (item, o) -> o.note("written to " + file + " and in force"));
    } catch (CliException e) {
      if (e.exitCode() != ExitCode.UNREACHABLE) {
        throw e;
      }
      out.note("written to " + file + "; no gateway runs, it counts from the next start on");
      return ExitCode.OK;
    }
  }

  private List<Row> rows(Settings settings, List<IpPrefix> known) {
    HostPort inSettings = settings.dns().servers().stream().findFirst().orElse(null);
    TxtRecords dns = records(server == null ? inSettings : server);
    List<Row> rows = new ArrayList<>();
    for (MailProviders.Provider provider : MailProviders.providers()) {
      try {
        rows.add(
            provider.records().isEmpty()
                ? Row.unknown(provider, "it publishes no networks")
                : Row.of(provider, SpfNetworks.of(provider.records(), dns), known));
      } catch (IOException e) {
        rows.add(Row.unknown(provider, String.valueOf(e.getMessage())));
      }
    }
    return rows;
  }

  private static List<IpPrefix> stored(Path file) throws CliException {
    try {
      return Files.exists(file) ? ProtectFiles.read(List.of(file)).set().networks() : List.of();
    } catch (IOException e) {
      throw new CliException(
          ExitCode.PERMISSION, file + " cannot be read", "become root or the gateway's user", e);
    }
  }

  /**
   * Writes the networks; those found before stay: a provider may publish less for an hour by
   * mistake.
   */
  private void write(Path file, List<Row> rows) throws CliException {
    StringBuilder text = new StringBuilder();
    text.append("# Networks of large mailbox providers that no feed may list; written by ")
        .append("`bloomgate feeds update-protected`.\n");
    stored(file).forEach(before -> text.append(before).append('\n'));
    for (Row row : rows) {
      if (!row.added.isEmpty()) {
        String records = String.join(", ", row.records);
        text.append(
            "# %s: %s; as of %s\n".formatted(row.provider, records, in.around().clock().instant()));
        row.added.forEach(network -> text.append(network).append('\n'));
      }
    }
    try {
      DurableFiles.replace(file, text.toString().getBytes(UTF_8));
      // Written by root, read by the gateway's user; nothing in it is secret.
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    } catch (IOException e) {
      throw NewFile.failure(file, e, "run it as root or as the gateway's user");
    }
  }

  private static void show(JsonObject row, Output out) {
    if (row.text("problem").isPresent()) {
      out.line("{provider}: not compared: {problem}", row);
      return;
    }
    List<JsonValue> added = row.elements("added");
    List<JsonValue> gone = row.elements("gone");
    String counts = ": {published} networks published, " + added.size() + " new, " + gone.size();
    out.line(
        "{provider}" + counts + " of the release not published any more (these stay protected)",
        row);
    lines("+", added, out);
    lines("-", gone, out);
  }

  private static void lines(String sign, List<JsonValue> networks, Output out) {
    networks.stream()
        .limit(SHOWN)
        .forEach(network -> out.line("  " + sign + " " + HumanText.value(network)));
    if (networks.size() > SHOWN) {
      out.line("  " + sign + " and " + (networks.size() - SHOWN) + " more");
    }
  }

  /**
   * TXT records by dnsjava, which repeats a question by TCP where an answer is too long for UDP.
   *
   * @param asked {@code null} for the name servers of the system
   */
  private static TxtRecords records(@Nullable HostPort asked) {
    Resolver resolver =
        asked == null
            ? new ExtendedResolver()
            : new SimpleResolver(new InetSocketAddress(asked.host(), asked.port()));
    resolver.setTimeout(TIMEOUT);
    return name -> {
      Lookup lookup = new Lookup(Name.fromString(name, Name.root), Type.TXT);
      lookup.setResolver(resolver);
      lookup.setCache(null);
      lookup.run();
      return switch (lookup.getResult()) {
        case Lookup.SUCCESSFUL ->
            Arrays.stream(lookup.getAnswers()).map(record -> joined((TXTRecord) record)).toList();
        case Lookup.HOST_NOT_FOUND, Lookup.TYPE_NOT_FOUND -> List.of();
        default ->
            throw new IOException("no answer about " + name + ": " + lookup.getErrorString());
      };
    };
  }

  /**
   * RFC 7208 section 3.3: the character strings of a record are one text, without spaces between.
   */
  private static String joined(TXTRecord record) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    record.getStringsAsByteArrays().forEach(text::writeBytes);
    return text.toString(UTF_8);
  }
}
