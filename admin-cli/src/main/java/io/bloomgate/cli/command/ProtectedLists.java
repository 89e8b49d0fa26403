package io.bloomgate.cli.command;

import io.bloomgate.blocklists.guard.ProtectFiles;
import io.bloomgate.blocklists.guard.ProtectedSet;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.settings.Settings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What no feed may list beside {@code never_block}, for answers without a gateway. The addresses of
 * its interfaces are not among them: the command may run on another machine.
 */
public final class ProtectedLists {

  private ProtectedLists() {}

  /**
   * The gateway's own names and addresses, and what {@code feeds.protect} lists.
   *
   * @throws CliException when a file cannot be read, as the answer would be wrong without it
   */
  public static List<ProtectedSet> of(Settings settings) throws CliException {
    List<ProtectedSet> sets = new ArrayList<>();
    sets.add(ProtectedSet.own(settings, List.of()));
    try {
      sets.add(ProtectFiles.read(settings.feeds().protect()).set());
    } catch (IOException e) {
      throw new CliException(
          ExitCode.NO,
          "a file of feeds.protect cannot be read: " + Faults.words(e),
          "mend the setting",
          e);
    }
    return sets;
  }
}
