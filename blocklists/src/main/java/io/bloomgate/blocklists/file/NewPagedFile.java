package io.bloomgate.blocklists.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A paged file that is written under a temporary name and gets its own at the end. Used by {@link
 * PagedFileWriter}, on its thread.
 */
final class NewPagedFile implements Closeable {

  private final Path target;
  private final Path aside;
  private final FileChannel channel;
  private boolean committed;

  private NewPagedFile(Path target, Path aside, FileChannel channel) {
    this.target = target;
    this.aside = aside;
    this.channel = channel;
  }

  /** Starts a file with mode 0600, as it holds the secret seed. */
  static NewPagedFile create(Path target) throws IOException {
    Path aside = DurableFiles.aside(target);
    Files.deleteIfExists(aside);
    FileChannel channel = DurableFiles.createPrivate(aside);
    try {
      channel.position(FileHeader.HEADER_OCTETS);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    return new NewPagedFile(target, aside, channel);
  }

  /** Appends the next page of the body. */
  void page(ByteBuffer octets) throws IOException {
    while (octets.hasRemaining()) {
      channel.write(octets);
    }
  }

  /** Ends the file, which has this header, and these page sums after its body. */
  void commit(byte[] head, ByteBuffer sums) throws IOException {
    page(sums);
    channel.position(0);
    page(ByteBuffer.wrap(head));
    channel.force(true);
    channel.close();
    DurableFiles.rename(aside, target);
    committed = true;
  }

  /** Removes what was not committed. */
  @Override
  public void close() throws IOException {
    channel.close();
    if (!committed) {
      Files.deleteIfExists(aside);
    }
  }
}
