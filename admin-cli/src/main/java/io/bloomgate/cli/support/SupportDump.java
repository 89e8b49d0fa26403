package io.bloomgate.cli.support;

import io.bloomgate.blocklists.file.FreeSpace;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.sessions.SessionQuestion;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.ObjectBuilder;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.SettingsResult;
import io.bloomgate.config.settings.yaml.SettingsText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The texts of a support dump, by the name of their file: what the files of this machine say, then
 * what the running gateway says. Each text goes through {@link Mask} as a whole. Used once, by
 * {@link SupportCommands}.
 */
final class SupportDump {

  private static final int MOST_FILES = 2_000;
  private static final String SESSIONS = "sessions.jsonl";
  private static final Duration SESSIONS_SINCE = Duration.ofDays(7);
  private static final int MOST_SESSIONS = 500;

  /**
   * Members of a kept session that the gateway writes in its own words. No program can see which
   * words of the others are the name of a person.
   */
  private static final Set<String> OWN_WORDS =
      Set.of(
          "time id stage mode generation verdict outcome code count recipients size ms".split(" "));

  private static final String ABOUT =
      """
      What `bloomgate support dump` collected, for somebody who helps with a problem.

      It holds no keys, tokens and passwords, no mail addresses, no entries of yours, and of kept
      sessions only verdicts, outcomes and ids. It holds names and addresses of your own
      servers, domains and lists. Look through it before you send it.
      """;

  private final Invocation in;
  private final Map<String, String> texts = new LinkedHashMap<>();
  private Mask mask = new Mask(List.of());
  private String unreachable = "";

  SupportDump(Invocation in) {
    this.in = in;
  }

  /** The reason why the gateway gave no answer; empty when it did, or was not asked. */
  String unreachable() {
    return unreachable;
  }

  Map<String, String> collect() throws CliException {
    put("README.txt", ABOUT);
    put("versions.json", Json.write(versions()) + "\n");
    ofFiles();
    if (!in.options().offline) {
      ofGateway();
    }
    if (!texts.containsKey(SESSIONS)) {
      sessionsOfFiles();
    }
    return texts;
  }

  private void put(String name, String text) {
    texts.put(name, mask.text(text));
  }

  private JsonObject versions() {
    return JsonValue.object()
        .put("command_line", Invocation.version())
        .put("java", Runtime.version().toString())
        .put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"))
        .put("machine", System.getProperty("os.arch"))
        .put("time", in.around().clock().instant().toString())
        .build();
  }

  // ---- files

  private void ofFiles() throws CliException {
    Path file = in.options().configFile();
    Invocation.requireReadableSettings(file);
    switch (SettingsFile.load(file, in.around().environment())) {
      case SettingsResult.Invalid invalid ->
          put("settings-problems.txt", lines(invalid.problems().stream().map(Object::toString)));
      case SettingsResult.Loaded loaded -> {
        Settings settings = loaded.settings();
        mask = new Mask(KnownSecrets.of(settings));
        put("settings.yaml", SettingsText.render(loaded.values(), true));
        put("settings-problems.txt", lines(loaded.warnings().stream().map(Object::toString)));
        put("state-files.txt", stateFiles(settings.stateDir()));
        put("disk.json", Json.write(FreeSpace.json(settings.stateDir())) + "\n");
      }
    }
  }

  private static String lines(Stream<String> lines) {
    return lines.map(line -> line + "\n").collect(Collectors.joining());
  }

  private static String stateFiles(Path stateDir) {
    List<String> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(stateDir, 3)) {
      files.limit(MOST_FILES).forEach(file -> found.add(stateFile(stateDir, file)));
    } catch (IOException | UncheckedIOException e) {
      found.add("the state directory cannot be read: " + Faults.words(e));
    }
    return lines(found.stream());
  }

  private static String stateFile(Path stateDir, Path file) {
    try {
      PosixFileAttributes attributes =
          Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return "%s %s:%s %12d %s %s"
          .formatted(
              PosixFilePermissions.toString(attributes.permissions()),
              attributes.owner().getName(),
              attributes.group().getName(),
              attributes.size(),
              attributes.lastModifiedTime(),
              stateDir.relativize(file));
    } catch (IOException e) {
      return stateDir.relativize(file) + ": " + Faults.words(e);
    }
  }

  // ---- the running gateway

  private void ofGateway() throws CliException {
    try {
      List<String> sessions = new ArrayList<>();
      in.collect(lastSessions(), session -> sessions.add(shown(session)));
      put(SESSIONS, lines(sessions.stream()));
      ask("process.jsonl", new ControlRequest.Support());
      ask("status.jsonl", new ControlRequest.Status());
      ask("feeds.jsonl", new ControlRequest.FeedsList());
      ask("doctor.jsonl", new ControlRequest.Doctor(false, false, false, false));
      ask("settings-in-effect.jsonl", new ControlRequest.ConfigEffective());
    } catch (CliException e) {
      unreachable = e.line();
      put("gateway.txt", "the gateway gave no answer: " + unreachable + "\n");
    }
  }

  private ControlRequest.SessionsList lastSessions() {
    Instant since = in.around().clock().instant().minus(SESSIONS_SINCE);
    return new ControlRequest.SessionsList(since, null, null, null, null, null, MOST_SESSIONS);
  }

  private void sessionsOfFiles() {
    List<String> sessions = new ArrayList<>();
    try {
      new SessionQuestion(in).read(lastSessions(), session -> sessions.add(shown(session)));
      put(SESSIONS, lines(sessions.stream()));
    } catch (CliException e) {
      put(SESSIONS, e.line() + "\n");
    }
  }

  /** The part of a kept session that may be shown, as a line. */
  private static String shown(JsonObject session) {
    ObjectBuilder shown = JsonValue.object();
    session
        .members()
        .forEach((name, value) -> {
          if (OWN_WORDS.contains(name)) {
            shown.put(name, value);
          }
        });
    session
        .object("listing")
        .flatMap(listing -> listing.text("feed"))
        .ifPresent(list -> shown.put("list", list));
    return Json.write(shown.build());
  }

  private void ask(String name, ControlRequest request) throws CliException {
    List<String> found = new ArrayList<>();
    in.collect(request, item -> found.add(Json.write(withoutNames(item))));
    put(name, lines(found.stream()));
  }

  /** Domains that strangers wrote to are counted; lines of a log are masked one by one. */
  private JsonObject withoutNames(JsonObject item) {
    ObjectBuilder rest = JsonValue.object();
    boolean log = item.text("part").orElse("").equals("log");
    item.members()
        .forEach((name, value) -> {
          if (name.equals("unknown_domains") && value instanceof JsonObject domains) {
            rest.put(name, domains.members().size());
          } else if (log && value instanceof JsonValue.JsonArray lines) {
            rest.put(
                name, JsonValue.ofStrings(lines.elements().stream().map(this::logLine).toList()));
          } else {
            rest.put(name, value);
          }
        });
    return rest.build();
  }

  private String logLine(JsonValue line) {
    return line instanceof JsonValue.JsonString(String text) ? mask.logLine(text) : "";
  }
}
