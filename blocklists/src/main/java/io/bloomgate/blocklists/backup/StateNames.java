package io.bloomgate.blocklists.backup;

import io.bloomgate.blocklists.ListRules;
import io.bloomgate.blocklists.database.FeedStates;
import io.bloomgate.blocklists.file.StateLock;
import io.bloomgate.blocklists.greylist.Greylist;
import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.blocklists.sessions.SessionDays;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The one table of names in a state directory: which a backup writes and a restore takes, and which
 * a gateway makes beside them. An archive may come from anywhere, so a restore takes no other name.
 * Used by {@link Backup}, {@link MemberName} and {@link Restore}. Pure but for {@link #require}.
 */
final class StateNames {

  /** Small files; each may be missing. */
  static final List<String> SINGLE =
      List.of(
          ListRules.PROVIDER_NETWORKS,
          "senders.known",
          "xclient.servers",
          "answers",
          "recent.figures",
          "report.sent");

  private static final List<String> DATABASES =
      List.of(FeedStates.FILE_NAME, OperatorLists.FILE_NAME, Greylist.FILE_NAME);

  private static final String SELF_SIGNED = "self-signed.pem";

  /** Of a name of a feed in the settings. */
  private static final String FEED = "feeds/(?!\\.{1,2}/)[a-z0-9._-]{1,64}/";

  private static final String PLAIN = "[A-Za-z0-9_][A-Za-z0-9._-]{0,99}";

  /** What a backup may hold, relative to the state directory. */
  private static final Pattern SAVED =
      Pattern.compile(
          Stream.of(
                  quoted(SINGLE),
                  quoted(DATABASES),
                  Pattern.quote(SELF_SIGNED),
                  "snapshots/CURRENT",
                  "snapshots/[0-9]{10,18}/" + PLAIN,
                  FEED + "versions/[1-9][0-9]{0,18}/" + PLAIN,
                  FEED + "good/[0-9]{1,19}\\.entries",
                  "history/[0-9]{10}\\.deltas",
                  SessionDays.DIRECTORY + "/[0-9]{4}-[0-9]{2}-[0-9]{2}[0-9.]{0,4}\\.(?:db|bloom)")
              .collect(Collectors.joining("|")));

  /** What else a gateway, a restore or a file system puts into a state directory itself. */
  private static final Pattern BESIDE =
      Pattern.compile(
          Stream.of(
                  "snapshots|feeds|history|native|control\\.sock|\\.control-new|lost\\+found",
                  quoted(List.of(SessionDays.DIRECTORY, StateLock.FILE_NAME, StateLock.CUT_OFF)),
                  "restoring|\\.restoring|restored-files",
                  "operator-[a-z]{1,20}\\.filter",
                  "(?:" + quoted(DATABASES) + ")[.-][A-Za-z0-9._-]{1,60}",
                  "(?:" + quoted(SINGLE) + "|operator-[a-z]{1,20}\\.filter)\\.(?:tmp|new)")
              .collect(Collectors.joining("|")));

  private StateNames() {}

  private static String quoted(List<String> names) {
    return names.stream().map(Pattern::quote).collect(Collectors.joining("|"));
  }

  /** True for a name that a backup writes and a restore takes. */
  static boolean isSaved(String relative) {
    return SAVED.matcher(relative).matches();
  }

  /** As {@link Restore#requireOurs}. */
  static void require(Path stateDir) throws IOException {
    if (!areIn(stateDir)) {
      throw new ArchiveException(
          "the archive names "
              + stateDir
              + " as its state directory, and that is no state directory: it holds other files;"
              + " write a settings file with the state_dir that you want, name it with -c, and"
              + " restore without --force");
    }
  }

  /**
   * True when a directory is missing, is empty, or holds only what a state directory holds; false
   * for the home of a user.
   */
  private static boolean areIn(Path folder) throws IOException {
    if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
      return true;
    }
    if (!Files.isDirectory(folder)) {
      return false;
    }
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(path -> String.valueOf(path.getFileName()))
          .allMatch(name -> isSaved(name) || BESIDE.matcher(name).matches());
    }
  }
}
