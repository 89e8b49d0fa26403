package io.bloomgate.cli;

import io.bloomgate.blocklists.ListRules;
import io.bloomgate.config.notation.TerminalText;
import io.bloomgate.config.pem.CertificateFacts;
import io.bloomgate.config.pem.PemException;
import io.bloomgate.config.pem.PemFiles;
import io.bloomgate.config.pem.PemPair;
import io.bloomgate.config.settings.FleetSettings;
import io.bloomgate.config.settings.GatewayUser;
import io.bloomgate.config.settings.Location;
import io.bloomgate.config.settings.MemorySettings;
import io.bloomgate.config.settings.SecretFiles;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.SettingsResult;
import io.bloomgate.config.settings.yaml.EffectiveValue;
import io.bloomgate.config.settings.yaml.EffectiveValue.Origin;
import io.bloomgate.config.settings.yaml.Problem;
import io.bloomgate.config.settings.yaml.Problem.Severity;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks for {@code config validate} the files that the settings name, with the rights of the
 * gateway's user where that user is known. Without a list or a key for lists the gateway starts and
 * reads it when it can: a warning. Without a certificate, a key of a fleet or a state directory it
 * does not start: an error.
 */
final class NamedFiles {

  private static final String PATTERN_CHARACTERS = "*?[{";
  private static final String NOT_COUNTED = "nothing of it counts until the gateway can read it";
  private static final String NOT_SHOWN =
      "the gateway starts with the others, and loads it once it can be read";

  private static final String NO_START = "the gateway does not start with it";

  private final SettingsResult.Loaded loaded;
  private final Path file;
  private final @Nullable GatewayUser user;
  private final List<Problem> problems = new ArrayList<>();

  private NamedFiles(SettingsResult.Loaded loaded, Path file) {
    this.loaded = loaded;
    this.file = file;
    this.user = GatewayUser.of(file, loaded.settings().stateDir()).orElse(null);
  }

  /**
   * All of them, in the order of the settings; those that keep the gateway from starting last.
   *
   * @param inUse true for the file that the gateway reads
   */
  static List<Problem> of(SettingsResult.Loaded loaded, Path file, boolean inUse, Instant now) {
    NamedFiles found = new NamedFiles(loaded, file);
    Settings settings = loaded.settings();
    found.problems.addAll(ListRules.badLinesOf(settings));
    settings
        .feeds()
        .sources()
        .forEach((name, source) -> {
          // The gateway writes those of its memory.
          if (source.location() instanceof Location.Files(String place)
              && !MemorySettings.LISTS.contains(name)) {
            found.list(Path.of(place), "feeds.sources." + name + ".file");
          }
        });
    settings
        .domainSources()
        .files()
        .forEach(one -> found.isClosed(List.of(one.path()), "domains", Severity.WARNING));
    settings.feeds().protect().forEach(path -> found.list(path, "feeds.protect"));
    settings.allow().files().forEach(path -> found.list(path, "allow.files"));
    settings.allow().knownGood().forEach(path -> found.list(path, "allow.known_good"));
    settings.block().files().forEach(path -> found.list(path, "block.files"));
    for (SecretFiles.Named secret : SecretFiles.of(settings)) {
      if (!secret.key().startsWith("tls.")) {
        found.isClosed(List.of(secret.file()), secret.key(), Severity.WARNING);
      }
    }
    if (settings.fleet() != null) {
      found.fleet(settings.fleet());
    }
    found.certificates(settings.tls().certificates(), now);
    found.stateDirectory(settings.stateDir());
    if (inUse) {
      found.isClosed(List.of(file), "", Severity.ERROR);
    }
    return found.problems;
  }

  private void fleet(FleetSettings fleet) {
    error("fleet.private_key", fleet.privateKey());
    error("fleet.public_key", fleet.publicKey());
    error("fleet.secret_file", fleet.secret());
    error("fleet.redis_ca", fleet.redis() == null ? null : fleet.redis().authorities());
  }

  private void error(String key, @Nullable Path named) {
    if (named != null) {
      isClosed(List.of(named), key, Severity.ERROR);
    }
  }

  /** Two that are alike: only the first of them is ever shown, while it is valid. */
  private void certificates(List<PemFiles> all, Instant now) {
    boolean starts = all.stream().anyMatch(this::isReadable);
    Map<PemFiles, X509Certificate> read = new LinkedHashMap<>();
    for (PemFiles files : all) {
      X509Certificate leaf = certificate(files, starts).orElse(null);
      if (leaf == null) {
        continue;
      }
      String key = files.certificateSetting();
      CertificateFacts.untimely(leaf, now)
          .ifPresent(text ->
              add(
                  Severity.WARNING,
                  key,
                  key + ": " + files.certificate() + " " + text,
                  "renew it"));
      for (Map.Entry<PemFiles, X509Certificate> before : read.entrySet()) {
        if (CertificateFacts.alike(before.getValue(), leaf)) {
          add(
              Severity.WARNING,
              files.certificateSetting(),
              files.certificateSetting()
                  + ": it is never shown: "
                  + before.getKey().certificate()
                  + " has the same names and an "
                  + CertificateFacts.key(leaf)
                  + " key, too",
              "keep one of them");
        }
      }
      read.put(files, leaf);
    }
  }

  /** True when the gateway can show it, and so starts without the other ones. */
  private boolean isReadable(PemFiles files) {
    List<Path> both = List.of(files.certificate(), files.key());
    if (user != null && user.closed(both).filter(GatewayUser.Closed::certain).isPresent()) {
      return false;
    }
    try {
      PemPair.read(files);
      return true;
    } catch (PemException e) {
      return false;
    }
  }

  /**
   * Reads a certificate and its key as the gateway reads them; one that this user must not read is
   * not checked.
   *
   * @param starts true when the gateway starts without it
   */
  private Optional<X509Certificate> certificate(PemFiles files, boolean starts) {
    Severity severity = starts ? Severity.WARNING : Severity.ERROR;
    if (isClosed(List.of(files.certificate(), files.key()), files.keySetting(), severity)) {
      return Optional.empty();
    }
    try {
      return Optional.of(PemPair.read(files).chain().getFirst());
    } catch (PemException e) {
      boolean isHidden = e.getCause() instanceof AccessDeniedException;
      add(
          isHidden ? Severity.WARNING : severity,
          files.certificateSetting(),
          String.valueOf(e.getMessage()),
          isHidden
              ? "it was not checked; ask as root or as the user of the gateway"
              : starts ? NOT_SHOWN : NO_START);
      return Optional.empty();
    }
  }

  /** Checks a list; for a pattern, which may match nothing yet, its folder is checked. */
  private void list(Path place, String key) {
    Path name = place.getFileName();
    boolean pattern =
        name != null && name.toString().chars().anyMatch(c -> PATTERN_CHARACTERS.indexOf(c) >= 0);
    Path folder = place.toAbsolutePath().getParent();
    Path looked = pattern && folder != null ? folder : place;
    if (Files.isReadable(looked) && Files.isDirectory(looked) == pattern) {
      isClosed(pattern ? matching(looked, name) : List.of(looked), key, Severity.WARNING);
      return;
    }
    String what =
        Files.notExists(looked)
            ? " does not exist"
            : Files.isReadable(looked)
                ? pattern ? " is no folder" : " is a folder"
                : " cannot be read by this user";
    add(Severity.WARNING, key, key + ": " + looked + what, NOT_COUNTED);
  }

  /** The folder and what the pattern matches now. */
  private static List<Path> matching(Path folder, @Nullable Path pattern) {
    List<Path> all = new ArrayList<>(List.of(folder));
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, String.valueOf(pattern))) {
      files.forEach(all::add);
    } catch (IOException e) {
      // Then the folder alone is looked at.
    }
    return all;
  }

  /** Says so when the gateway's user may not read files; the command opens all of them. */
  private boolean isClosed(List<Path> files, String key, Severity severity) {
    if (user == null) {
      return false;
    }
    for (Path one : files) {
      Optional<GatewayUser.Closed> closed = user.closed(List.of(one));
      if (closed.isPresent()) {
        add(
            closed.get().certain() ? severity : Severity.WARNING,
            key,
            (key.isEmpty() ? "" : key + ": ")
                + "the gateway's user "
                + user.name()
                + (closed.get().certain() ? " may not read " : " seems to have no right to read ")
                + one,
            user.closed(files).map(GatewayUser.Closed::remedy).orElse(""));
        return closed.get().certain();
      }
    }
    return false;
  }

  /** The service manager makes the usual one and gives it to the user; the gateway makes others. */
  private void stateDirectory(Path stateDir) {
    String key = "state_dir";
    Path wanted = stateDir.toAbsolutePath().normalize();
    Path place = wanted;
    while (!Files.exists(place) && place.getParent() != null) {
      place = place.getParent();
    }
    String cannot =
        key + ": the gateway cannot " + (place.equals(wanted) ? "write in " : "make ") + wanted;
    if (!Files.isDirectory(place)) {
      add(Severity.ERROR, key, cannot + ": " + place + " is no folder", "name another folder");
    } else if (user != null
        && value(key).filter(value -> !value.changed()).isEmpty()
        && !user.mayWriteIn(place)) {
      add(
          Severity.ERROR,
          key,
          cannot + ": its user " + user.name() + " may not write in " + place,
          "install -d -m 750 -o "
              + user.name()
              + " -g "
              + user.group()
              + " "
              + TerminalText.word(wanted));
    }
  }

  private void add(Severity severity, String key, String message, String hint) {
    int line =
        value(key)
            .map(EffectiveValue::origin)
            .map(origin -> origin instanceof Origin.FileLine(String _, int number) ? number : 0)
            .orElse(0);
    problems.add(new Problem(severity, file.toString(), line, 1, message, hint));
  }

  private Optional<EffectiveValue> value(String key) {
    return loaded.values().stream()
        .filter(value -> String.join(".", value.path()).equals(key))
        .findFirst();
  }
}
