package io.bloomgate.cli.impact;

import io.bloomgate.blocklists.OfflineFeeds;
import io.bloomgate.blocklists.impact.Candidate;
import io.bloomgate.blocklists.impact.CandidateLists;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lists that are tried, as {@code impact} and {@code replay} name and build them. */
final class Candidates {

  private static final String NAME = "candidate";

  private Candidates() {}

  /**
   * A list that the settings do not have, under a name that is free there.
   *
   * @param checks keys of {@link Check}; empty for those of every feed
   */
  static Candidate of(
      String place, @Nullable String format, List<String> checks, Action action, Settings settings)
      throws CliException {
    Invocation.requireReadable(place);
    Set<String> taken = settings.feeds().names();
    String name = NAME;
    for (int i = 2; taken.contains(name); i++) {
      name = NAME + "-" + i;
    }
    Set<Check> asked = EnumSet.noneOf(Check.class);
    for (Check check : Check.values()) {
      if (checks.contains(check.key()) || (checks.isEmpty() && usual(check))) {
        asked.add(check);
      }
    }
    return Candidate.named(name, place, format == null ? "" : format, asked, action);
  }

  private static boolean usual(Check check) {
    return Check.WITHOUT_LOOK_UP.contains(check);
  }

  /** Fetches and builds them; what the guard said is printed. */
  static CandidateLists build(Invocation in, OfflineFeeds feeds, List<Candidate> wanted)
      throws CliException, IOException {
    try {
      CandidateLists built =
          feeds.candidates(wanted, temporary(), in.around().means().randomness().get());
      built.notes().forEach(note -> in.output().warn("warning: " + note));
      return built;
    } catch (CandidateLists.UnusableException e) {
      throw CliException.no(
          String.valueOf(e.getMessage()),
          "`bloomgate feeds test FILE|URL` says what is wrong with a list",
          e);
    }
  }

  private static Path temporary() {
    return Path.of(System.getProperty("java.io.tmpdir", "/tmp"));
  }

  /** The lists cannot be built. */
  static CliException noRoom(IOException e) {
    return CliException.no(
        "working files cannot be written in " + temporary(), "free some disk space there", e);
  }
}
