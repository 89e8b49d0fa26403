package io.bloomgate.blocklists.senders;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.FileKind;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.file.PagedFileWriter;
import io.bloomgate.blocklists.key.IpAddress;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * {@link KnownSenders} on disk: networks of IPv4, networks of IPv6 (number, first and last time),
 * samples (address, time, sender). Used by it alone.
 */
final class SendersFile {

  /** Nothing in it is hashed. */
  private static final Keying NO_KEYING = new Keying(0, 0, 0, 0);

  private SendersFile() {}

  /** The tables that are written and filled. */
  record Content(SeenNetworks v4, SeenNetworks v6, SenderSamples samples) {}

  static void write(Path file, Content content) throws IOException {
    try (PagedFileWriter out = PagedFileWriter.create(file)) {
      for (SeenNetworks networks : List.of(content.v4, content.v6)) {
        networks.forEach((network, first, last) -> {
          out.putLong(network);
          out.putInt(first);
          out.putInt(last);
        });
      }
      for (KnownSender sample : content.samples.list()) {
        write(out, sample);
      }
      long networks = (long) content.v4.size() + content.v6.size();
      List<Long> measures =
          List.of(
              (long) content.v4.size(), (long) content.v6.size(), (long) content.samples.size());
      out.commit(
          new FileHeader(FileKind.KNOWN_SENDERS, NO_KEYING, networks, networks, 0, 0, measures));
    }
  }

  private static void write(PagedFileWriter out, KnownSender sample) throws IOException {
    byte[] sender = sample.sender().getBytes(UTF_8);
    out.putLong(sample.client().high());
    out.putLong(sample.client().low());
    out.putInt(KnownSenders.seconds(sample.seen()));
    out.putInt(sender.length);
    out.putBytes(sender, 0, sender.length);
  }

  static void read(Path path, Content content) throws IOException {
    PagedFile file = PagedFile.open(path, FileKind.KNOWN_SENDERS);
    file.verify();
    ByteBuffer in = file.body().asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    try {
      networks(in, file.header().measure(0), content.v4);
      networks(in, file.header().measure(1), content.v6);
      for (long i = file.header().measure(2); i > 0; i--) {
        sample(in, content.samples);
      }
    } catch (BufferUnderflowException e) {
      // The pages are proven, so it is no damage: their numbers mean something else.
      throw new DamagedFileException(path, "was made by another release");
    }
  }

  private static void networks(ByteBuffer in, long count, SeenNetworks into) {
    for (long i = 0; i < count; i++) {
      long network = in.getLong();
      int first = in.getInt();
      int last = in.getInt();
      into.put(network, first, last);
    }
  }

  private static void sample(ByteBuffer in, SenderSamples into) {
    IpAddress client = new IpAddress(in.getLong(), in.getLong());
    int seen = in.getInt();
    byte[] sender = new byte[Math.min(in.getInt(), in.remaining())];
    in.get(sender);
    Instant time = Instant.ofEpochSecond(Integer.toUnsignedLong(seen));
    into.see(client, new String(sender, UTF_8), time);
  }
}
