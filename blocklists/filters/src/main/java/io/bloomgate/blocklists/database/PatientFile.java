package io.bloomgate.blocklists.database;

import io.bloomgate.blocklists.database.SqliteFile.Fault;
import io.bloomgate.blocklists.database.SqliteFile.Schema;
import io.bloomgate.blocklists.database.SqliteFile.UnusableException;
import io.bloomgate.config.fault.Faults;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A {@link SqliteFile} whose tables count although they cannot be written now, on a full disk or a
 * read-only one: they are only read until {@link #tryWriting}. Where there are none yet, and where
 * a killed process left a log, they are in memory until then.
 *
 * <p>Used by the operator's lists. Not thread-safe but for {@link #unwritable} and {@link
 * #connected}: its owner holds the lock.
 */
public final class PatientFile {

  private final Path file;
  private final Schema schema;
  private final WriterSizes sizes;
  private final FirstWrites first;
  private final SqliteFile database;
  private final AtomicInteger connected = new AtomicInteger();
  private volatile @Nullable UnusableException unwritable;

  /** True for tables that were never on the disk. */
  private boolean isNew;

  /** The writes of each opening for writing, done again at the first moment when that works. */
  @FunctionalInterface
  public interface FirstWrites {
    /**
     * Writes within the running transaction.
     *
     * @param later true where the file was only read until now
     */
    void run(Statements statements, boolean later) throws SQLException;
  }

  private PatientFile(
      Path file,
      Schema schema,
      WriterSizes sizes,
      FirstWrites first,
      @Nullable UnusableException failure)
      throws IOException {
    this.file = file;
    this.schema = schema;
    this.sizes = sizes;
    this.first = first;
    this.unwritable = failure;
    this.database = failure == null ? openAndWrite(false) : readOrRemember(failure);
  }

  /**
   * Opens or makes a file that no other process writes.
   *
   * @throws UnusableException when it can be neither written nor read
   * @throws IOException when this process may not read it
   */
  public static PatientFile open(Path file, Schema schema, WriterSizes sizes, FirstWrites first)
      throws IOException {
    UnusableException failure;
    try {
      return new PatientFile(file, schema, sizes, first, null);
    } catch (UnusableException e) {
      failure = e;
    } catch (IOException e) {
      failure = new UnusableException(Fault.NO_ACCESS, Faults.words(e));
    }
    if (!mayPass(failure.fault())) {
      throw failure;
    }
    if (Files.exists(file) && !Files.isReadable(file)) {
      throw new AccessDeniedException(file.toString());
    }
    return new PatientFile(file, schema, sizes, first, failure);
  }

  /** True where the file may be whole, and only cannot be written now. */
  private static boolean mayPass(Fault fault) {
    return switch (fault) {
      case FULL_DISK, NO_ACCESS, READ_ONLY, OTHER -> true;
      case DAMAGED, OTHER_PROGRAM, OTHER_RELEASE, EMPTY, BUSY -> false;
    };
  }

  private SqliteFile openAndWrite(boolean later) throws IOException {
    SqliteFile opened = SqliteFile.open(file, schema, sizes);
    opened.orClose(() -> {
      first.run(opened.statements(), later);
      opened.commit();
    });
    return opened;
  }

  /**
   * A log is read by a copy: as long as one connection reads that of a read-only disk, SQLite lets
   * none write it.
   */
  private SqliteFile readOrRemember(UnusableException failure) throws UnusableException {
    boolean hasLog = DatabaseFiles.size(DatabaseFiles.beside(file, "-wal")) > 0;
    try {
      if (Files.exists(file)) {
        return hasLog
            ? SqliteFile.inMemory(file, schema, true)
            : SqliteFile.openReadOnly(file, schema, true);
      }
    } catch (UnusableException e) {
      if (e.fault() != Fault.EMPTY) {
        failure.addSuppressed(e);
        throw failure;
      }
    }
    isNew = true;
    return SqliteFile.inMemory(file, schema, false);
  }

  /** The file, always the same object. */
  public SqliteFile database() {
    return database;
  }

  /**
   * The reason why it is only read, or in memory alone; {@code null} when what is committed is on
   * the disk.
   */
  public @Nullable UnusableException unwritable() {
    return unwritable;
  }

  /**
   * Tries again to write a file that could only be read. Readers that were opened before have to be
   * opened again: {@link #connected} is another number then.
   *
   * @return true when it has become writable
   */
  public boolean tryWriting() {
    if (unwritable == null) {
      return false;
    }
    try {
      if (isNew) {
        writeDown();
        isNew = false;
      }
      database.continueOn(openAndWrite(true));
      connected.incrementAndGet();
      unwritable = null;
      return true;
    } catch (IOException | SQLException e) {
      return false; // unwritable says why
    }
  }

  /** The number of times that {@link #tryWriting} succeeded. */
  public int connected() {
    return connected.get();
  }

  /** Puts what is in memory in the place of a file without tables. */
  private void writeDown() throws IOException, SQLException {
    Path aside = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(aside);
    Files.createFile(aside, PosixFilePermissions.asFileAttribute(DatabaseFiles.OWNER_ONLY));
    try (Statements reader = database.reader()) {
      reader.copyInto(aside);
    }
    DatabaseFiles.deleteLog(file);
    Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
