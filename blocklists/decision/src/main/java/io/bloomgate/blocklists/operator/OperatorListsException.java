package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.database.SqliteFile.Fault;
import io.bloomgate.blocklists.database.SqliteFile.UnusableException;
import io.bloomgate.blocklists.operator.StoreWriter.LimitException;
import io.bloomgate.config.fault.Faults;
import java.io.IOException;
import java.io.Serial;
import java.nio.file.Path;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The operator lists could not be read or written; nothing was changed. The message is for the log;
 * {@link #userMessage} and {@link #hint} are for the person who asked.
 */
public final class OperatorListsException extends Exception {

  @Serial private static final long serialVersionUID = 1L;

  private static final String OWNER =
      "check that its directory exists and belongs to the user that Bloomgate runs as";

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
    if (e instanceof LimitException) {
      return new OperatorListsException(
          e.getMessage() + "; nothing was changed",
          "remove some (`list --match pattern:` shows those of addresses), or name whole domains",
          log(file, doing, e.getMessage()),
          e);
    }
    return of(file, doing, Fault.of(e), e);
  }

  /** The same of a file that cannot be opened. */
  static OperatorListsException of(Path file, String doing, UnusableException e) {
    return of(file, doing, e.fault(), e);
  }

  private static OperatorListsException of(Path file, String doing, Fault fault, Exception e) {
    String unchanged = "; nothing was changed";
    String message =
        switch (fault) {
          case DAMAGED -> file + " is damaged";
          case FULL_DISK -> "the disk of " + file + " is full" + unchanged;
          case NO_ACCESS -> "cannot open " + file;
          case READ_ONLY -> file + " cannot be written" + unchanged;
          case BUSY -> file + " is held by another process" + unchanged;
          case OTHER_PROGRAM -> file + " is a database of another program";
          case OTHER_RELEASE -> String.valueOf(e.getMessage());
          case EMPTY -> file + " has no tables yet";
          case OTHER -> "cannot use " + file + unchanged;
        };
    return new OperatorListsException(message, hint(fault), log(file, doing, e.getMessage()), e);
  }

  private static String hint(Fault fault) {
    return switch (fault) {
      case DAMAGED ->
          "move it and its -wal and -shm files aside, start again, and import your last export with"
              + " `bloomgate allow import`, `bloomgate block import` and `bloomgate recipient"
              + " import`";
      case FULL_DISK -> "free space and repeat the command";
      case NO_ACCESS -> OWNER;
      case READ_ONLY -> "check owner, permissions and mount of its directory";
      case BUSY -> "end the process that has it open (a backup, sqlite3) and repeat the command";
      case OTHER_PROGRAM -> "move it aside and start again";
      case OTHER_RELEASE ->
          "export the entries with the release that wrote them, move the file and its -wal and"
              + " -shm files aside, start again, and import them with `bloomgate allow import`,"
              + " `bloomgate block import` and `bloomgate recipient import`";
      case EMPTY -> "start the gateway once";
      case OTHER -> "look for disk errors in the system log";
    };
  }

  private static String log(Path file, String doing, @Nullable String why) {
    return "operator lists: " + doing + " " + file + ": " + why;
  }

  /** The same of the file system. */
  static OperatorListsException of(Path file, String doing, IOException e) {
    return new OperatorListsException(
        "cannot open " + file + ": " + Faults.reason(e),
        OWNER,
        log(file, doing, Faults.reason(e)),
        e);
  }
}
