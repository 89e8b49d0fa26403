package io.bloomgate.blocklists.filter;

import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.file.PagedFileWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A filter on disk: a paged file whose body is the filter's words, little-endian. Written by builds
 * and commands; read whole, with every page proven, into the heap, since a mapping costs a lookup
 * twice its time. The kind comes from the header. Immutable.
 *
 * @param filter ready to be asked
 * @param keying how keys become hashes
 * @param digest of the file
 */
public record FilterFile(MembershipFilter filter, Keying keying, String digest) {

  /**
   * Writes a filter, mode 0600, whole or not at all.
   *
   * @return the digest of the file
   */
  public static String write(Path target, MembershipFilter filter, Keying keying)
      throws IOException {
    try (PagedFileWriter out = PagedFileWriter.create(target)) {
      return write(out, filter, keying);
    }
  }

  /** Writes a filter to where the writer puts it, and commits it. */
  public static String write(PagedFileWriter out, MembershipFilter filter, Keying keying)
      throws IOException {
    List<Long> measures = filter.write(out);
    FilterShape shape = filter.shape();
    return out.commit(
        new FileHeader(
            shape.kind().file(),
            keying,
            shape.entries(),
            shape.capacity(),
            shape.askedRate(),
            shape.expectedRate(),
            measures));
  }

  /**
   * Reads a filter of a kind that a gateway uses and proves every octet of it.
   *
   * @throws DamagedFileException when it is not what was written, or no such filter
   * @throws IOException when it cannot be read
   */
  public static FilterFile read(Path path) throws IOException {
    PagedFile file = PagedFile.open(path);
    return new FilterFile(body(kind(file), file), file.header().keying(), file.digest());
  }

  /**
   * The kind of a file whose header is proven.
   *
   * @throws DamagedFileException when it is no filter, or has numbers that none has
   */
  public static FilterKind kind(PagedFile file) throws DamagedFileException {
    FileHeader header = file.header();
    FilterKind kind =
        FilterKind.ofFile(header.kind())
            .orElseThrow(() ->
                new DamagedFileException(
                    file.path(), "is a " + header.kind().title() + ", not a filter"));
    if (header.entries() < 0
        || header.capacity() < 0
        || !isRatio(header.askedRate())
        || !isRatio(header.expectedRate())) {
      throw new DamagedFileException(file.path(), "has numbers that no filter has");
    }
    return kind;
  }

  /**
   * Refuses a file whose header or body describes no filter of its kind.
   *
   * @throws DamagedFileException when it is not possible
   */
  public static void check(PagedFile file, boolean possible) throws DamagedFileException {
    if (!possible) {
      throw new DamagedFileException(
          file.path(), "has a shape that no " + file.header().kind().title() + " has");
    }
  }

  /** False also for what is no number. */
  private static boolean isRatio(double rate) {
    return rate >= 0 && rate <= 1;
  }

  /** Reads the body of the kinds that a gateway uses. */
  public static MembershipFilter body(FilterKind kind, PagedFile file) throws IOException {
    return switch (kind) {
      case SPLIT_BLOCK -> SplitBlockFilter.read(file);
      case COUNTING -> CountingFilter.read(file);
      case CLASSIC, SCALABLE, SCALABLE_COUNTING, CUCKOO, FUSE8, FUSE16, CASCADE ->
          throw new DamagedFileException(
              file.path(),
              "is a " + file.header().kind().title() + ", which a gateway does not use");
    };
  }
}
