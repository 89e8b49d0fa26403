package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.database.SqliteFile.Fault;
import io.bloomgate.blocklists.database.SqliteFile.UnusableException;
import io.bloomgate.config.fault.Faults;
import java.io.IOException;
import java.io.Serial;
import java.nio.file.Path;
import java.sql.SQLException;

/**
 * The operator lists could not be read or written; nothing was changed. The message is for the log;
 * {@link #userMessage} and {@link #hint} are for the person who asked.
 */
public final class OperatorListsException extends Exception {

  @Serial private static final long serialVersionUID = 1L;

  private final String userMessage;
  private final String hint;

  /** A failure with both texts and its cause. */
  OperatorListsException(String userMessage, String hint, String log, Throwable cause) {
    super(log, cause);
    this.userMessage = userMessage;
    this.hint = hint;
  }

  /** A failure that our own code found. */
  OperatorListsException(String userMessage, String hint) {
    super(userMessage);
    this.userMessage = userMessage;
    this.hint = hint;
  }

  /** Says what is wrong and where. */
  public String userMessage() {
    return userMessage;
  }

  /** Says how to fix it. */
  public String hint() {
    return hint;
  }

  /** Makes the exception of a failure of SQLite, with what an administrator can do about it. */
  static OperatorListsException of(Path file, String doing, SQLException e) {
    return of(file, doing, Fault.of(e), e);
  }

  /** The same of a file that cannot be opened. */
  static OperatorListsException of(Path file, String doing, UnusableException e) {
    return of(file, doing, e.fault(), e);
  }

  private static OperatorListsException of(Path file, String doing, Fault fault, Exception e) {
    String log = "operator lists: " + doing + " " + file + ": " + e.getMessage();
    return switch (fault) {
      case DAMAGED -> damaged(file, log, e);
      case FULL_DISK ->
          new OperatorListsException(
              "the disk of " + file + " is full; nothing was changed",
              "free space and repeat the command",
              log,
              e);
      case NO_ACCESS ->
          new OperatorListsException(
              "cannot open " + file,
              "check that its directory exists and belongs to the user that Bloomgate runs as",
              log,
              e);
      case READ_ONLY ->
          new OperatorListsException(
              file + " cannot be written; nothing was changed",
              "check owner, permissions and mount of its directory",
              log,
              e);
      case BUSY ->
          new OperatorListsException(
              file + " is held by another process; nothing was changed",
              "end the process that has it open (a backup, sqlite3) and repeat the command",
              log,
              e);
      case OTHER_PROGRAM ->
          new OperatorListsException(
              file + " is a database of another program", "move it aside and start again", log, e);
      case OTHER_RELEASE ->
          new OperatorListsException(
              String.valueOf(e.getMessage()),
              "export the entries with the release that wrote them, move the file and its -wal and"
                  + " -shm files aside, start again, and import them with `bloomgate allow import`"
                  + " and `bloomgate block import`",
              log,
              e);
      case EMPTY ->
          new OperatorListsException(file + " has no tables yet", "start the gateway once", log, e);
      case OTHER ->
          new OperatorListsException(
              "cannot use " + file + "; nothing was changed",
              "look for disk errors in the system log",
              log,
              e);
    };
  }

  /** The same of the file system. */
  static OperatorListsException of(Path file, String doing, IOException e) {
    return new OperatorListsException(
        "cannot open " + file + ": " + e.getMessage(),
        "check that its directory exists and belongs to the user that Bloomgate runs as",
        "operator lists: " + doing + " " + file + ": " + Faults.reason(e),
        e);
  }

  private static OperatorListsException damaged(Path file, String log, Throwable cause) {
    return new OperatorListsException(
        file + " is damaged",
        "move it and its -wal and -shm files aside, start again, and import your last export with"
            + " `bloomgate allow import` and `bloomgate block import`",
        log,
        cause);
  }
}
