package io.bloomgate.blocklists.filter;

import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.file.PagedFileWriter;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A filter on disk: a paged file whose body is the filter's words, little-endian. Written by builds
 * and commands; read whole, with every page proven, into the heap, since a mapping costs a lookup
 * twice its time. The kind comes from the header. Immutable.
 *
 * @param filter ready to be asked
 * @param version of the file's format
 * @param keying how keys become hashes
 * @param digest of the file
 */
public record FilterFile(MembershipFilter filter, int version, Keying keying, String digest) {

  /**
   * Writes a filter, mode 0600, whole or not at all.
   *
   * @return the digest of the file
   */
  public static String write(Path target, MembershipFilter filter, Keying keying)
      throws IOException {
    return switch (filter) {
      case SplitBlockFilter splitBlock -> write(target, splitBlock, new SplitBlockCodec(), keying);
      case ClassicFilter classic -> write(target, classic, new ClassicCodec(), keying);
      case CountingFilter counting -> write(target, counting, new CountingCodec(), keying);
      case ScalableFilter scalable -> write(target, scalable, new ScalableCodec(), keying);
      case ScalableCountingFilter scalable ->
          write(target, scalable, new ScalableCountingCodec(), keying);
      case CuckooFilter cuckoo -> write(target, cuckoo, new CuckooCodec(), keying);
      case FuseFilter fuse -> write(target, fuse, new FuseCodec(), keying);
      case CascadeFilter cascade -> write(target, cascade, new CascadeCodec(), keying);
    };
  }

  private static <F extends MembershipFilter> String write(
      Path target, F filter, FilterCodec<F> codec, Keying keying) throws IOException {
    FilterShape shape = filter.shape();
    try (PagedFileWriter out = PagedFileWriter.create(target)) {
      List<Long> measures = codec.write(filter, out);
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
  }

  /**
   * Reads a filter and proves every octet of it.
   *
   * @throws DamagedFileException when it is not what was written, or no filter
   * @throws IOException when it cannot be read
   */
  public static FilterFile read(Path path) throws IOException {
    PagedFile file = PagedFile.open(path);
    FilterKind kind =
        FilterKind.ofFile(file.header().kind())
            .orElseThrow(() ->
                new DamagedFileException(
                    path, "is a " + file.header().kind().title() + ", not a filter"));
    return new FilterFile(
        codec(kind).read(file), file.header().version(), file.header().keying(), file.digest());
  }

  /** What {@code filter inspect} shows of a file that was read, and so proven whole. */
  public JsonObject inspect() {
    return filter.shape().toJson(version);
  }

  private static FilterCodec<?> codec(FilterKind kind) {
    return switch (kind) {
      case SPLIT_BLOCK -> new SplitBlockCodec();
      case CLASSIC -> new ClassicCodec();
      case COUNTING -> new CountingCodec();
      case SCALABLE -> new ScalableCodec();
      case SCALABLE_COUNTING -> new ScalableCountingCodec();
      case CUCKOO -> new CuckooCodec();
      case FUSE8, FUSE16 -> new FuseCodec();
      case CASCADE -> new CascadeCodec();
    };
  }
}
