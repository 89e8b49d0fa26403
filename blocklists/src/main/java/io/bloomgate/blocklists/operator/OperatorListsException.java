package io.bloomgate.blocklists.operator;

import io.bloomgate.config.fault.Faults;
import java.io.IOException;
import java.io.Serial;
import java.nio.file.Path;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;

/**
 * The operator lists could not be read or written; nothing was changed. The message is for the log;
 * {@link #userMessage} and {@link #hint} are for the person who asked.
 */
public final class OperatorListsException extends Exception {

  @Serial private static final long serialVersionUID = 1L;

  /** SQLite's primary result code is the low octet of the extended one. */
  private static final int PRIMARY_CODE_MASK = 0xff;

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

  /** What is wrong and where. */
  public String userMessage() {
    return userMessage;
  }

  /** How to fix it. */
  public String hint() {
    return hint;
  }

  /** What an administrator can do about a failure of SQLite. */
  static OperatorListsException of(Path file, String doing, SQLException e) {
    SQLiteErrorCode code = SQLiteErrorCode.getErrorCode(e.getErrorCode() & PRIMARY_CODE_MASK);
    String log = "operator lists: " + doing + " " + file + ": " + e.getMessage();
    return switch (code) {
      case SQLITE_CORRUPT, SQLITE_NOTADB -> damaged(file, log, e);
      case SQLITE_FULL ->
          new OperatorListsException(
              "the disk of " + file + " is full; nothing was changed",
              "free space and repeat the command",
              log,
              e);
      case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH ->
          new OperatorListsException(
              "cannot open " + file,
              "check that its directory exists and belongs to the user that Bloomgate runs as",
              log,
              e);
      case SQLITE_READONLY ->
          new OperatorListsException(
              file + " cannot be written; nothing was changed",
              "check owner, permissions and mount of its directory",
              log,
              e);
      case SQLITE_BUSY, SQLITE_LOCKED ->
          new OperatorListsException(
              file + " is held by another process; nothing was changed",
              "end the process that has it open (a backup, sqlite3) and repeat the command",
              log,
              e);
      default ->
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

  static OperatorListsException damaged(Path file, String log, Throwable cause) {
    return new OperatorListsException(
        file + " is damaged",
        "move it and its -wal and -shm files aside, start again, and import your last export with"
            + " `bloomgate allow import` and `bloomgate block import`",
        log,
        cause);
  }
}
