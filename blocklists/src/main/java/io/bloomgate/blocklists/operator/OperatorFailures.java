package io.bloomgate.blocklists.operator;

import io.bloomgate.config.fault.Faults;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;

/** Turns what SQLite and the file system say into what an administrator can act on. Pure. */
final class OperatorFailures {

  /** SQLite's primary result code is the low octet of the extended one. */
  private static final int PRIMARY_CODE_MASK = 0xff;

  private OperatorFailures() {}

  static OperatorListsException of(Path file, String doing, SQLException e) {
    SQLiteErrorCode code = SQLiteErrorCode.getErrorCode(e.getErrorCode() & PRIMARY_CODE_MASK);
    String log = "operator lists: " + doing + " " + file + ": " + e.getMessage();
    return switch (code) {
      case SQLITE_CORRUPT, SQLITE_NOTADB -> damaged(file, log, e);
      case SQLITE_FULL ->
          failure(
              "the disk of " + file + " is full; nothing was changed",
              "free space and repeat the command",
              log,
              e);
      case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH ->
          failure(
              "cannot open " + file,
              "check that its directory exists and belongs to the user that Bloomgate runs as",
              log,
              e);
      case SQLITE_READONLY ->
          failure(
              file + " cannot be written; nothing was changed",
              "check owner, permissions and mount of its directory",
              log,
              e);
      case SQLITE_BUSY, SQLITE_LOCKED ->
          failure(
              file + " is held by another process; nothing was changed",
              "end the process that has it open (a backup, sqlite3) and repeat the command",
              log,
              e);
      default ->
          failure(
              "cannot use " + file + "; nothing was changed",
              "look for disk errors in the system log",
              log,
              e);
    };
  }

  static OperatorListsException of(Path file, String doing, IOException e) {
    return failure(
        "cannot open " + file + ": " + e.getMessage(),
        "check that its directory exists and belongs to the user that Bloomgate runs as",
        "operator lists: " + doing + " " + file + ": " + Faults.reason(e),
        e);
  }

  static OperatorListsException damaged(Path file, String log, Throwable cause) {
    return failure(
        file + " is damaged",
        "move it and its -wal and -shm files aside, start again, and import your last export with"
            + " `bloomgate allow import` and `bloomgate block import`",
        log,
        cause);
  }

  private static OperatorListsException failure(
      String message, String hint, String log, Throwable cause) {
    return new OperatorListsException(message, hint, log, cause);
  }
}
