package io.bloomgate.cli.command;

import io.bloomgate.blocklists.ListRules;
import io.bloomgate.blocklists.OfflineFeeds;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.NoFeed;
import io.bloomgate.config.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;

/**
 * The rules that the settings make for the lists, for answers without a gateway. Names of mail
 * servers are not looked up: a command must not wait for DNS. Addresses of interfaces are protected
 * where the state directory is: elsewhere they are those of another machine.
 */
public final class OfflineRules {

  private OfflineRules() {}

  /**
   * Reads the files that {@code feeds.protect} names, and makes the rules.
   *
   * @throws CliException when a file cannot be read, because the answer would be wrong without it
   */
  public static ListRules of(Settings settings) throws CliException {
    try {
      List<IpAddress> interfaces =
          Files.isDirectory(settings.stateDir())
              ? ListRules.ownAddresses(problem -> {})
              : List.of();
      return ListRules.read(settings, List.of(), interfaces, problem -> {});
    } catch (IOException e) {
      throw CliException.no(
          "a file of feeds.protect cannot be read: " + Faults.words(e), "fix the setting", e);
    }
  }

  /** Feeds by the rules of the settings, or by the defaults. */
  public static OfflineFeeds feeds(Invocation in, Optional<Settings> settings) throws CliException {
    return new OfflineFeeds(
        settings.isPresent() ? of(settings.get()) : null,
        in.around().executor(),
        in.around().nanoTime(),
        in.around().clock());
  }

  /** The error about a name that no feed of the settings has. */
  public static CliException noFeed(Settings settings, String name) {
    NoFeed no =
        NoFeed.of(settings, name)
            .orElseGet(() ->
                new NoFeed(
                    "there is no feed " + name + " in the settings" + NoFeed.meant(settings, name),
                    "`bloomgate feeds list` names them"));
    return CliException.usage(no.problem(), no.hint());
  }
}
