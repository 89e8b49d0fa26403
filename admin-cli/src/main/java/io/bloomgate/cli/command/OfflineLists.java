package io.bloomgate.cli.command;

import io.bloomgate.blocklists.OfflineBlocklists;
import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.config.settings.Settings;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Opens the lists of a state directory as the caller of the command. */
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
    try (OfflineBlocklists lists =
        OfflineBlocklists.open(OfflineRules.of(settings), in.around().clock())) {
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
}
