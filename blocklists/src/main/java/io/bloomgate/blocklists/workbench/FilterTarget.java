package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.file.FileMark;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.workbench.OfflineException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The file that a build writes: nothing but another filter is ever written over. */
final class FilterTarget {

  /** The mode of the file, which only its owner reads: it has the secret seed. */
  static final String MODE = "rw-------";

  private final Path path;

  /**
   * Looks at the place before any work is done.
   *
   * @throws OfflineException when something else is there, or there is no such directory
   */
  FilterTarget(Path path) throws OfflineException {
    this.path = path;
    refuseOther();
  }

  private void refuseOther() throws OfflineException {
    if (Files.isDirectory(path)) {
      throw new OfflineException(Kind.USAGE, path + " is a directory", "name a file with -o");
    }
    InputFiles.requireFolderOf(path, "-o");
    if (Files.exists(path) && !isFilter(path)) {
      throw new OfflineException(
          Kind.USAGE,
          path + " is there, is not a filter file, and is not overwritten",
          "name another file with -o");
    }
  }

  /** The folder where the file will be. */
  Path folder() {
    Path parent = path.toAbsolutePath().getParent();
    return parent == null ? path : parent;
  }

  /**
   * True when the file's first octets are those of a filter; the rest may be damaged. What can be
   * read only once is not looked into.
   *
   * @throws OfflineException when it cannot be read
   */
  static boolean isFilter(Path path) throws OfflineException {
    try {
      return Files.isRegularFile(path) && FileMark.of(path).flatMap(FilterKind::ofFile).isPresent();
    } catch (IOException e) {
      throw InputFiles.unreadable(path, e);
    }
  }

  /**
   * Writes the filter, mode 0600, proves what is on the disk, and gives it its name then.
   *
   * @throws OfflineException when it cannot be written, or something else came there meanwhile
   */
  LoadedFilter write(MembershipFilter filter, Keying keying) throws OfflineException {
    try (FileBeside beside = FileBeside.of(path, MODE)) {
      String digest = FilterFile.write(beside.path(), filter, keying);
      PagedFile written = PagedFile.open(beside.path());
      written.verify();
      long octets = Files.size(beside.path());
      refuseOther();
      beside.replace(Files.exists(path) ? path.toRealPath() : path);
      FilterFile file = new FilterFile(filter, keying, digest);
      return new LoadedFilter(path, file, octets);
    } catch (IOException e) {
      throw InputFiles.unwritable(path, e);
    }
  }
}
