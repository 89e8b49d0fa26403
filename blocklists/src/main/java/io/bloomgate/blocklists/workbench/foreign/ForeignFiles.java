package io.bloomgate.blocklists.workbench.foreign;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Files of other libraries, known by their first octets and their length. Keeps nothing. */
public final class ForeignFiles {

  private static final int HEAD_OCTETS = 32;

  /** The programs, as messages name them. */
  private enum Program {
    GUAVA("Guava"),
    REDISBLOOM("RedisBloom"),
    PARQUET("Parquet");

    private final String title;

    Program(String title) {
      this.title = title;
    }
  }

  private ForeignFiles() {}

  /**
   * The filter of a file, or nothing when no other library writes such a file.
   *
   * @throws BadForeignFileException when it begins like such a file and is none
   * @throws IOException when it cannot be read
   */
  public static Optional<ForeignFilter> read(Path path) throws IOException {
    if (!Files.isRegularFile(path)) {
      return Optional.empty();
    }
    try (FileChannel file = FileChannel.open(path)) {
      Optional<Program> program = program(file);
      return program.isEmpty()
          ? Optional.empty()
          : Optional.of(
              switch (program.get()) {
                case GUAVA -> GuavaFilter.read(all(file));
                case REDISBLOOM -> RedisBloomFilter.read(all(file));
                case PARQUET -> ParquetFilter.read(all(file));
              });
    }
  }

  /**
   * The name of the program that writes files which begin like this one; its rest is not read.
   *
   * @param path of a regular file
   * @throws IOException when it cannot be read
   */
  public static Optional<String> program(Path path) throws IOException {
    try (FileChannel file = FileChannel.open(path)) {
      return program(file).map(program -> program.title);
    }
  }

  private static Optional<Program> program(FileChannel file) throws IOException {
    ByteBuffer head = ByteBuffer.allocate(HEAD_OCTETS);
    readFully(file, head);
    head.flip();
    if (GuavaFilter.looksLike(head, file.size())) {
      return Optional.of(Program.GUAVA);
    }
    if (RedisBloomFilter.looksLike(head)) {
      return Optional.of(Program.REDISBLOOM);
    }
    return ParquetFilter.looksLike(head) ? Optional.of(Program.PARQUET) : Optional.empty();
  }

  private static ByteBuffer all(FileChannel file) throws IOException {
    if (file.size() > Integer.MAX_VALUE - 8) {
      throw new BadForeignFileException("is larger than 2 GiB, the most that is read");
    }
    ByteBuffer all = ByteBuffer.allocate((int) file.size());
    file.position(0);
    readFully(file, all);
    return all.flip();
  }

  private static void readFully(FileChannel file, ByteBuffer to) throws IOException {
    while (to.hasRemaining() && file.read(to) >= 0) {
      // Goes on until the buffer is full or the file ends.
    }
  }
}
