package io.bloomgate.blocklists.file;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.Set;

/**
 * Exchanges two folders in one step, so that at every moment one whole folder has the name: {@code
 * renameat2} with {@code RENAME_EXCHANGE} of Linux, which Java does not offer. Where the system or
 * the file system has no such call, two renames do it, and between them nothing has the name. Used
 * by {@code bloomgate restore}; blocking.
 */
public final class FolderSwap {

  private static final int AT_FDCWD = -100;
  private static final int RENAME_EXCHANGE = 2;

  /** EXDEV, EINVAL, ENOSYS, EOPNOTSUPP: it cannot be done in this way here. */
  private static final Set<Integer> NOT_HERE = Set.of(18, 22, 38, 95);

  private static final StructLayout ERRNO = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO_VALUE =
      ERRNO.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private FolderSwap() {}

  /**
   * Gives each folder the name of the other; both are in one parent.
   *
   * @param aside a name in the same parent that is free, for systems that need it
   * @throws IOException when nothing was changed
   */
  public static void exchange(Path live, Path fresh, Path aside) throws IOException {
    if (!atOnce(live, fresh)) {
      Files.move(live, aside, StandardCopyOption.ATOMIC_MOVE);
      try {
        Files.move(fresh, live, StandardCopyOption.ATOMIC_MOVE);
      } catch (IOException e) {
        Files.move(aside, live, StandardCopyOption.ATOMIC_MOVE);
        throw e;
      }
      Files.move(aside, fresh, StandardCopyOption.ATOMIC_MOVE);
    }
    Path parent = live.toAbsolutePath().getParent();
    if (parent != null) {
      DurableFiles.sync(parent);
    }
  }

  /** False when the system cannot do it in one step; nothing was changed then. */
  @SuppressWarnings("restricted") // the launcher allows native access; the signature is libc's
  private static boolean atOnce(Path one, Path other) throws IOException {
    Linker linker = Linker.nativeLinker();
    Optional<MemorySegment> function = linker.defaultLookup().find("renameat2");
    if (function.isEmpty()) {
      return false;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(ERRNO);
      int result =
          (int)
              linker
                  .downcallHandle(
                      function.get(),
                      FunctionDescriptor.of(
                          JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT),
                      Linker.Option.captureCallState("errno"))
                  .invokeExact(
                      state,
                      AT_FDCWD,
                      arena.allocateFrom(one.toAbsolutePath().toString()),
                      AT_FDCWD,
                      arena.allocateFrom(other.toAbsolutePath().toString()),
                      RENAME_EXCHANGE);
      int errno = (int) ERRNO_VALUE.get(state, 0L);
      if (result != 0 && !NOT_HERE.contains(errno)) {
        throw new FileSystemException(
            one.toString(), other.toString(), "cannot be exchanged (error " + errno + ")");
      }
      return result == 0;
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IOException("renameat2 failed", e);
    }
  }
}
