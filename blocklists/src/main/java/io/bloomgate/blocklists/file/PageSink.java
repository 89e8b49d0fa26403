package io.bloomgate.blocklists.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Where {@link PagedFileWriter} puts a file: a new one, or the change of one that is there. Used on
 * the writer's thread; {@link #close} without a commit changes nothing.
 */
interface PageSink extends Closeable {

  /** The next page of the body. */
  void page(ByteBuffer octets) throws IOException;

  /** The file is complete: it has this header, and these page sums after its body. */
  void commit(byte[] head, ByteBuffer sums) throws IOException;
}
