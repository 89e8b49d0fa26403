package io.bloomgate.blocklists.sessions;

import io.bloomgate.blocklists.database.SqliteFile.UnusableException;
import io.bloomgate.blocklists.sessions.SessionDays.Day;
import java.nio.file.Path;

/** Describes what is wrong with the file of a day, as a sentence for the operator. Pure. */
public final class DayProblem {

  private DayProblem() {}

  /** The sentence about what is no regular file ({@link Day#oddFile}). */
  public static String odd(Path file) {
    return file + " is no regular file: it is left alone, and no session of it is shown; delete it";
  }

  /** The sentence; it names the file and what to do. */
  public static String sentence(Day day, UnusableException why) {
    return switch (why.fault()) {
      case DAMAGED ->
          day.file()
              + " is damaged: sessions of "
              + day.date()
              + " in it cannot be read; delete it, or move it away";
      case OTHER_PROGRAM, OTHER_RELEASE, EMPTY ->
          why.getMessage() + "; it is left alone, and its sessions are not shown";
      case NO_ACCESS, READ_ONLY ->
          day.file() + " cannot be opened; run this as root or as the user of the gateway";
      case FULL_DISK -> "the disk of " + day.file() + " is full";
      case BUSY -> day.file() + " is held by another process (a backup, sqlite3)";
      case OTHER -> day.file() + " cannot be read: " + why.getMessage();
    };
  }
}
