package io.bloomgate.cli.command;

import io.bloomgate.blocklists.ListRules;
import io.bloomgate.blocklists.OfflineBlocklists;
import io.bloomgate.blocklists.OfflineFeeds;
import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.NoFeed;
import io.bloomgate.config.settings.Settings;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Opens the lists of a state directory as the caller of the command. Names of mail servers are not
 * looked up: a command must not wait for DNS. Addresses of interfaces are protected where the state
 * directory is: elsewhere they are those of another machine.
 */
public final class OfflineLists {

  private OfflineLists() {}

  /** The work on the lists while they are open. */
  @FunctionalInterface
  public interface Work {
    /** The result is the exit code. */
    int with(OfflineBlocklists lists) throws CliException;
  }

  /**
   * Opens, works and closes.
   *
   * @throws CliException when the lists cannot be read, or the work failed
   */
  public static int with(Invocation in, Settings settings, Work work) throws CliException {
    Invocation.requireReadableState(settings.stateDir());
    try (OfflineBlocklists lists = OfflineBlocklists.open(rules(settings), in.around().clock())) {
      return work.with(lists);
    } catch (OfflineBlocklists.UnreadableException e) {
      throw e.reason() instanceof AccessDeniedException
          ? new CliException(
              ExitCode.PERMISSION, "you may not read " + e.place(), "become root or its owner", e)
          : CliException.no(
              "the lists in " + e.place() + " cannot be read: " + e.reason().getMessage(),
              "start the gateway, it falls back to an older generation",
              e);
    } catch (OperatorListsException e) {
      Path file = settings.stateDir().resolve(OperatorLists.FILE_NAME);
      int exitCode = Files.isReadable(file) ? ExitCode.NO : ExitCode.PERMISSION;
      throw new CliException(exitCode, e.userMessage(), e.hint(), e);
    }
  }

  /**
   * Reads the files that {@code feeds.protect} names, and makes the rules.
   *
   * @throws CliException when a file cannot be read, because the answer would be wrong without it
   */
  static ListRules rules(Settings settings) throws CliException {
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
        settings.isPresent() ? rules(settings.get()) : null,
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
