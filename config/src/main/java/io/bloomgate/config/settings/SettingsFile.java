package io.bloomgate.config.settings;

import io.bloomgate.config.notation.BadValueException;
import io.bloomgate.config.settings.yaml.EffectiveValue;
import io.bloomgate.config.settings.yaml.EffectiveValue.Origin;
import io.bloomgate.config.settings.yaml.Environment;
import io.bloomgate.config.settings.yaml.Problem;
import io.bloomgate.config.settings.yaml.Problem.Severity;
import io.bloomgate.config.settings.yaml.Report;
import io.bloomgate.config.settings.yaml.Section;
import io.bloomgate.config.settings.yaml.Surroundings;
import io.bloomgate.config.settings.yaml.Surroundings.Reading;
import io.bloomgate.config.settings.yaml.YamlNode;
import io.bloomgate.config.settings.yaml.YamlNode.Mapping;
import io.bloomgate.config.settings.yaml.YamlNode.Place;
import io.bloomgate.config.settings.yaml.YamlNode.Scalar;
import io.bloomgate.config.settings.yaml.YamlReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The settings file and the environment to {@link Settings}, or to every problem at once. Called by
 * the gateway at start and at each reload, and by the command line; any thread.
 */
public final class SettingsFile {

  /** Largest settings file in octets (1 MiB). */
  public static final int MAX_OCTETS = YamlReader.MAX_OCTETS;

  /** The file that is read when none is named. */
  public static final Path DEFAULT_PATH = Path.of("/etc/bloomgate/bloomgate.yaml");

  /** The control socket for users who may not read the settings: the service has this folder. */
  static final Path SHARED_SOCKET = Path.of("/run/bloomgate/control.sock");

  private SettingsFile() {}

  /**
   * Reads a file, and looks at the files with keys that it names; never throws.
   *
   * @param environment the process environment; {@code BLOOMGATE_*} overrides the file
   */
  public static SettingsResult load(Path file, Map<String, String> environment) {
    return load(file, environment, Reading.GUARDED);
  }

  /** The same with another reading of the files of {@code domains}. */
  public static SettingsResult load(Path file, Map<String, String> environment, Reading reading) {
    String name = file.toString();
    byte[] octets;
    try (InputStream in = Files.newInputStream(file)) {
      octets = in.readNBytes(MAX_OCTETS + 1);
    } catch (IOException e) {
      return unreadable(name, e);
    }
    if (octets.length > MAX_OCTETS) {
      return invalid(
          name,
          Place.START,
          "larger than " + MAX_OCTETS + " octets",
          "this is not a settings file");
    }
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(octets)).toString();
      return parse(
          name,
          text,
          environment,
          new Surroundings(
              folder(name),
              () -> hostname(environment),
              reading,
              FeedUrl::shown,
              SampleKeys::owners));
    } catch (CharacterCodingException e) {
      return invalid(name, firstBadPlace(octets), "not UTF-8", "save the file as UTF-8");
    }
  }

  /**
   * Reads a text; pure but for the supplier.
   *
   * @param name of the file, for messages; relative paths in the text count from its folder
   * @param hostname the machine's name, asked only for {@code hostname: auto}
   */
  public static SettingsResult parse(
      String name, String text, Map<String, String> environment, Supplier<String> hostname) {
    return parse(
        name,
        text,
        environment,
        new Surroundings(folder(name), hostname, Reading.OFF, FeedUrl::shown, SampleKeys::owners));
  }

  private static SettingsResult parse(
      String name, String text, Map<String, String> environment, Surroundings around) {
    try {
      String withoutMark = text.startsWith("\uFEFF") ? text.substring(1) : text;
      Optional<YamlNode> root = YamlReader.read(withoutMark);
      return switch (root.orElse(new Mapping(List.of(), Place.START))) {
        case Mapping m -> bind(name, m, environment, around);
        case Scalar s when s.isNull() -> bind(name, null, environment, around);
        case YamlNode other ->
            invalid(
                name,
                other.place(),
                "this is not a settings file",
                "write `key: value` lines, domains and downstream.host first");
      };
    } catch (YamlReader.YamlException e) {
      return invalid(name, e.place(), String.valueOf(e.getMessage()), e.hint());
    }
  }

  /** The sample of the settings, which is a part of this program. */
  public static String sample() {
    return resource("bloomgate.yaml");
  }

  /** A text that is a part of the program. */
  public static String resource(String name) {
    try (InputStream in =
        Objects.requireNonNull(SettingsFile.class.getResourceAsStream(name), "resource " + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads a text in the form of settings that is a part of this program.
   *
   * @param name of the file, for messages
   * @throws IllegalStateException when it has mistakes, or what a settings file is warned of
   */
  public static <T> T own(String name, String text, Function<Section, T> bind) {
    // Everybody may read the text, and what is copied from it must be whole.
    Report report = new Report(name, Surroundings.elsewhere(Path.of("/")));
    try {
      Mapping root = YamlReader.read(text).orElse(null) instanceof Mapping mapping ? mapping : null;
      T value = bind.apply(Section.root(report, new Environment(Map.of()), root));
      if (report.problems().isEmpty()) {
        return value;
      }
      throw new IllegalStateException(name + " is damaged: " + report.problems());
    } catch (YamlReader.YamlException e) {
      throw new IllegalStateException(name + " is damaged", e);
    }
  }

  /** Every key that has a default, with it, for {@code config show --default}. */
  public static List<EffectiveValue> defaults() {
    return defaultsWithSamples().stream().filter(value -> !value.changed()).toList();
  }

  /** The same with samples of what has no default, as a file that is valid. */
  public static List<EffectiveValue> defaultsWithSamples() {
    String samples = "domains: [example.com]\ndownstream: {host: 192.0.2.25}\n";
    return parse("/default", samples, Map.of(), () -> "localhost.localdomain")
            instanceof SettingsResult.Loaded loaded
        ? loaded.values().stream().map(v -> v.from(new Origin.Default())).toList()
        : List.of();
  }

  /**
   * The path of the control socket in these settings, as far as the file can be understood: an
   * operator needs the running gateway even when the file on disk is broken or not readable.
   */
  public static Path controlSocket(Path file, Map<String, String> environment) {
    if (isShared(file) && !environment.containsKey("BLOOMGATE_ADMIN__SOCKET")) {
      return SHARED_SOCKET;
    }
    Report report = new Report(file.toString(), Surroundings.elsewhere(folder(file.toString())));
    return SettingsBinder.controlSocket(
        Section.root(report, new Environment(environment), aboveTheMistake(file)));
  }

  /** The socket of a gateway whose settings this user may not read, as a member of its groups. */
  private static boolean isShared(Path file) {
    return file.equals(DEFAULT_PATH) && !Files.isReadable(file) && Files.exists(SHARED_SOCKET);
  }

  /** The settings, those below a mistake of YAML left out; {@code null} when there are none. */
  private static @Nullable Mapping aboveTheMistake(Path file) {
    try {
      List<String> lines = Files.readString(file).lines().toList();
      for (int end = lines.size(); end > 0; end--) {
        try {
          String text = String.join("\n", lines.subList(0, end));
          return YamlReader.read(text).orElse(null) instanceof Mapping found ? found : null;
        } catch (YamlReader.YamlException e) {
          // The mistake may begin in a line before the one where it shows.
        }
      }
    } catch (IOException e) {
      // The environment and the defaults are what is left.
    }
    return null;
  }

  private static Path folder(String name) {
    return Optional.ofNullable(Path.of(name).toAbsolutePath().getParent()).orElse(Path.of("/"));
  }

  private static SettingsResult bind(
      String name, @Nullable Mapping node, Map<String, String> variables, Surroundings around) {
    Report report = new Report(name, around);
    Environment environment = new Environment(variables);
    Section root = Section.root(report, environment, node);
    Settings settings = SettingsBinder.bind(root);
    root.finish();
    environment.unknown().forEach(v -> reportUnknown(report, environment, v));
    if (report.hasErrors()) {
      return new SettingsResult.Invalid(report.problems());
    }
    List<Problem> warnings = new ArrayList<>(report.problems());
    settings.domainSources().files().forEach(file -> warnings.addAll(file.badLines()));
    return new SettingsResult.Loaded(settings, warnings, report.values());
  }

  private static void reportUnknown(
      Report report, Environment environment, Environment.Variable variable) {
    report.add(
        Severity.WARNING,
        new Origin.Environment(variable.name()),
        Place.NONE,
        new BadValueException(
            "no setting has this name",
            environment
                .suggestion(variable)
                .map(s -> "did you mean " + s + "?")
                .orElse("it is ignored")));
  }

  private static SettingsResult unreadable(String name, IOException e) {
    String reason =
        switch (e) {
          case NoSuchFileException ignored -> "there is no such file";
          case AccessDeniedException ignored -> "you may not read this file";
          default -> Files.isDirectory(Path.of(name)) ? "this is a folder" : "it cannot be read";
        };
    String hint =
        e instanceof AccessDeniedException
            ? "let the gateway's group read it: `chgrp bloomgate FILE; chmod 640 FILE`, and its"
                + " folder: `chmod 755 FOLDER`"
            : "check the path, or write the file with `bloomgate init`";
    return new SettingsResult.Invalid(
        List.of(new Problem(Severity.ERROR, name, 0, 0, reason, hint)));
  }

  private static SettingsResult invalid(String name, Place place, String message, String hint) {
    return new SettingsResult.Invalid(
        List.of(new Problem(Severity.ERROR, name, place.line(), place.column(), message, hint)));
  }

  private static Place firstBadPlace(byte[] octets) {
    CharBuffer out = CharBuffer.allocate(octets.length);
    var _ = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(octets), out, true);
    return Place.behind(out.flip().toString());
  }

  /**
   * The machine's own name for {@code hostname: auto}, from the environment and files and never
   * from DNS, which would make the start wait. A name with a domain is better than one without.
   */
  private static String hostname(Map<String, String> environment) {
    List<String> names =
        Stream.concat(
                Stream.of(environment.getOrDefault("HOSTNAME", "")),
                Stream.of("/etc/hostname", "/proc/sys/kernel/hostname")
                    .map(SettingsFile::firstLine))
            .map(String::strip)
            .filter(name -> !name.isEmpty())
            .toList();
    return names.stream()
        .filter(name -> name.indexOf('.') > 0)
        .findFirst()
        .or(() -> names.stream().findFirst())
        .orElse("localhost");
  }

  private static String firstLine(String file) {
    try {
      return Files.readString(Path.of(file)).lines().findFirst().orElse("");
    } catch (IOException e) {
      return "";
    }
  }
}
