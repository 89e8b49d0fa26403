package io.bloomgate.blocklists.backup;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** A new file with mode 0600 that is on the disk when it is closed. Used by {@link Restore}. */
final class DurableOutput extends OutputStream {

  private final FileChannel channel;

  DurableOutput(Path file) throws IOException {
    this.channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
  }

  @Override
  public void write(int octet) throws IOException {
    write(new byte[] {(byte) octet}, 0, 1);
  }

  @Override
  public void write(byte[] octets, int from, int count) throws IOException {
    ByteBuffer content = ByteBuffer.wrap(octets, from, count);
    while (content.hasRemaining()) {
      channel.write(content);
    }
  }

  @Override
  public void close() throws IOException {
    if (channel.isOpen()) {
      channel.force(true);
      channel.close();
    }
  }
}
