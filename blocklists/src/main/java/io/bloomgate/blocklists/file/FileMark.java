package io.bloomgate.blocklists.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The kind of a file by its first octets; nothing of the file is verified. Used where a command
 * takes files of several sorts, and before one is overwritten.
 */
public final class FileMark {

  private FileMark() {}

  /**
   * The kind of a paged file, whatever its state; empty for every other file.
   *
   * @throws IOException when it cannot be read
   */
  public static Optional<FileKind> of(Path path) throws IOException {
    byte[] head;
    try (InputStream in = Files.newInputStream(path)) {
      head = in.readNBytes(FileHeader.KIND_OFFSET + Integer.BYTES);
    }
    if (head.length < FileHeader.KIND_OFFSET + Integer.BYTES || !FileHeader.isMarked(head)) {
      return Optional.empty();
    }
    ByteBuffer octets = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
    return FileKind.ofCode(octets.getInt(FileHeader.KIND_OFFSET));
  }
}
