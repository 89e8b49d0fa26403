package io.bloomgate.gateway;

import io.bloomgate.blocklists.ListRules;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.pem.PemException;
import io.bloomgate.config.pem.PemFiles;
import io.bloomgate.config.settings.DomainSources;
import io.bloomgate.config.settings.GatewayUser;
import io.bloomgate.config.settings.LogSettings;
import io.bloomgate.config.settings.OwnDomains;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.SettingsResult;
import io.bloomgate.config.settings.yaml.EffectiveValue;
import io.bloomgate.config.settings.yaml.Problem;
import io.bloomgate.config.settings.yaml.Surroundings;
import io.bloomgate.gateway.log.DecisionLine;
import io.bloomgate.gateway.log.DecisionLog;
import io.bloomgate.gateway.tls.LoadedPair;
import io.bloomgate.gateway.tls.PemTls;
import io.bloomgate.gateway.tls.ServerCertificates;
import io.bloomgate.gateway.wire.tls.TlsEngine;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One version of the settings with everything that has to be read or resolved for it. Loaded
 * completely or not at all: at start, and at each reload before anything is changed. Immutable.
 *
 * @param lists what the settings mean for the lists
 * @param tls contents of the files of {@code tls}, in their order; one of them at least was read
 * @param warnings of the file
 * @param values every key with its value and origin; what may be a key is not shown in them
 */
record Configuration(
    Settings settings,
    OwnDomains domains,
    ListRules lists,
    List<LoadedPair> tls,
    List<Problem> warnings,
    List<EffectiveValue> values) {

  private static final Logger LOG = LoggerFactory.getLogger(Configuration.class);

  /** The settings cannot be used. */
  static final class UnusableException extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient List<Problem> problems;

    UnusableException(String message, List<Problem> problems) {
      super(message);
      this.problems = List.copyOf(problems);
    }

    /** Everything that is wrong with the file; empty when something else is wrong. */
    List<Problem> problems() {
      return problems;
    }

    String reason() {
      return String.valueOf(getMessage());
    }
  }

  /**
   * Reads the file and all files that it names.
   *
   * @throws UnusableException when a part of it cannot be used
   */
  static Configuration load(Platform platform) throws UnusableException {
    return load(platform, Surroundings.Reading.GUARDED);
  }

  /** The same with another reading of the files of {@code domains}. */
  static Configuration load(Platform platform, Surroundings.Reading reading)
      throws UnusableException {
    Path file = platform.settingsFile();
    return switch (SettingsFile.load(file, platform.environment(), reading)) {
      case SettingsResult.Invalid(List<Problem> problems) ->
          throw new UnusableException(file + " has errors", problems);
      case SettingsResult.Loaded loaded -> complete(file, loaded);
    };
  }

  private static Configuration complete(Path file, SettingsResult.Loaded loaded)
      throws UnusableException {
    Settings settings = loaded.settings();
    try {
      requireWritableLog(settings.log().target());
      TlsEngine.unpackBelow(settings.stateDir());
      List<LoadedPair> pairs = tls(settings.tls());
      List<Problem> warnings = new ArrayList<>(loaded.warnings());
      pairs.stream()
          .filter(pair -> !pair.problem().isEmpty())
          .map(pair -> unread(file, pair.problem()))
          .forEach(warnings::add);
      return new Configuration(
          settings,
          OwnDomains.of(settings.domains()),
          lists(settings),
          pairs,
          warnings,
          loaded.values());
    } catch (PemException | IOException e) {
      throw new UnusableException(String.valueOf(e.getMessage()), loaded.warnings());
    }
  }

  /** The same after files of {@code domains} were read again. */
  Configuration with(DomainSources fresh) {
    Settings now = settings.with(fresh);
    return new Configuration(
        now, OwnDomains.of(now.domains()), lists.with(now), tls, warnings, values);
  }

  /** Returns the place of a setting's value and its key, as messages begin. */
  String place(String key) {
    return values.stream()
            .filter(value -> value.path().equals(List.of(key)))
            .map(EffectiveValue::origin)
            .filter(origin -> !(origin instanceof EffectiveValue.Origin.Default))
            .map(origin -> origin + ": ")
            .findFirst()
            .orElse("")
        + key
        + ": ";
  }

  /** Makes sessions use the certificates of these settings from the next handshake on. */
  void show(ServerCertificates certificates) {
    if (!tls.isEmpty()) {
      certificates.use(tls);
    } else if (offersTls()) {
      certificates.useSelfSigned(settings.hostname());
    } else {
      certificates.useNone();
    }
  }

  /** True when a listener offers STARTTLS. */
  boolean offersTls() {
    return settings.listeners().values().stream()
        .anyMatch(listener -> listener.tls() != Settings.Listener.StartTls.NONE);
  }

  /** Makes the decision log's setup from these settings. */
  DecisionLog.Setup decisionLog(Platform platform) {
    LogSettings log = settings.log();
    // systemd sets JOURNAL_STREAM when standard output goes to the journal (systemd.exec(5)).
    boolean journald =
        log.target() instanceof LogSettings.Target.Stdout
            && platform.environment().containsKey("JOURNAL_STREAM");
    DecisionLine line =
        new DecisionLine(
            log.format(),
            log.privacy(),
            shortName(settings.hostname()),
            log.tag(),
            platform.pid(),
            journald,
            platform.zone(),
            log.connections() == LogSettings.Connections.ON);
    return new DecisionLog.Setup(line, log.target());
  }

  /** Returns the name without its domain, as syslog writes it. */
  private static String shortName(String hostname) {
    int dot = hostname.indexOf('.');
    return dot > 0 ? hostname.substring(0, dot) : hostname;
  }

  private static List<LoadedPair> tls(Settings.Tls tls) throws PemException {
    List<LoadedPair> pairs = new ArrayList<>();
    PemException first = null;
    for (PemFiles files : tls.certificates()) {
      try {
        pairs.add(new LoadedPair(files, PemTls.load(files), ""));
      } catch (PemException e) {
        String problem = e.getMessage() + remedy(e.getCause());
        pairs.add(new LoadedPair(files, null, problem));
        first = first == null ? new PemException(problem, e) : first;
      }
    }
    if (first != null && pairs.stream().allMatch(pair -> pair.tls() == null)) {
      throw first;
    }
    return pairs;
  }

  private static Problem unread(Path file, String problem) {
    return new Problem(
        Problem.Severity.WARNING,
        file.toString(),
        0,
        0,
        problem,
        "it is loaded as soon as it can be read");
  }

  /** The command that lets this process read a file; empty when that is not what is wrong. */
  private static String remedy(@Nullable Throwable fault) {
    return fault instanceof AccessDeniedException denied && denied.getFile() != null
        ? GatewayUser.ofProcess()
            .flatMap(user -> user.closed(List.of(Path.of(denied.getFile()))))
            .map(closed -> "; " + closed.remedy())
            .orElse("; let the gateway's user read it")
        : "";
  }

  /** A name that does not resolve now is no error: mail servers are resolved at each connect. */
  private static List<IpAddress> addresses(List<String> hosts) {
    List<IpAddress> addresses = new ArrayList<>();
    for (String host : hosts) {
      try {
        Arrays.stream(InetAddress.getAllByName(host)).map(IpAddress::of).forEach(addresses::add);
      } catch (UnknownHostException e) {
        LOG.debug("{} has no address now", host);
      }
    }
    return addresses;
  }

  private static ListRules lists(Settings settings) throws IOException {
    try {
      return ListRules.read(
          settings,
          addresses(settings.downstream().hosts()),
          ListRules.ownAddresses(problem -> LOG.warn("{}", problem)),
          problem -> LOG.warn("feeds.protect: {}", problem));
    } catch (IOException e) {
      throw new IOException(
          "feeds.protect: cannot be read (" + Faults.words(e) + ")" + remedy(e), e);
    }
  }

  private static void requireWritableLog(LogSettings.Target target) throws IOException {
    if (!(target instanceof LogSettings.Target.File(Path path))) {
      return;
    }
    try {
      Path folder = path.toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      try (OutputStream probe = DecisionLog.open(path)) {
        probe.flush();
      }
    } catch (IOException e) {
      throw new IOException(
          "log.target: cannot write "
              + path
              + ": "
              + Faults.words(e)
              + "; make its folder, and let the user of the gateway write there",
          e);
    }
  }
}
