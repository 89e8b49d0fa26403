package io.bloomgate.blocklists.senders;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.FileKind;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.file.PagedFileWriter;
import io.bloomgate.blocklists.senders.SeenDays.SenderSamples;
import io.bloomgate.config.name.IpAddress;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * {@link KnownSenders} on disk: hosts of IPv4, hosts of IPv6 (number, last time, days), samples
 * (address, time, days, sender, HELO name). Used by it alone.
 */
final class SendersFile {

  /** Grows when a number in the file begins to mean something else. */
  private static final long VERSION = 1;

  /** Nothing in it is hashed. */
  private static final Keying KEYING = new Keying(0, 0, 0, VERSION);

  private SendersFile() {}

  /** The tables that are written and filled. */
  record Content(SeenDays<Long> v4, SeenDays<Long> v6, SenderSamples samples) {}

  static void write(Path file, Content content) throws IOException {
    try (PagedFileWriter out = PagedFileWriter.create(file)) {
      for (SeenDays<Long> hosts : List.of(content.v4, content.v6)) {
        for (Map.Entry<Long, SeenDays.Seen> host : hosts.all().entrySet()) {
          out.putLong(host.getKey());
          write(out, host.getValue());
        }
      }
      for (Map.Entry<SenderSamples.Sample, SeenDays.Seen> one : content.samples.all().entrySet()) {
        write(out, one.getKey(), one.getValue());
      }
      long hosts = (long) content.v4.size() + content.v6.size();
      List<Long> measures =
          List.of(
              (long) content.v4.size(), (long) content.v6.size(), (long) content.samples.size());
      out.commit(new FileHeader(FileKind.KNOWN_SENDERS, KEYING, hosts, hosts, 0, 0, measures));
    }
  }

  /** Seconds are unsigned, so good until 2106. */
  private static void write(PagedFileWriter out, SeenDays.Seen seen) throws IOException {
    out.putInt((int) seen.last());
    out.putInt(seen.days());
  }

  private static void write(PagedFileWriter out, SenderSamples.Sample sample, SeenDays.Seen seen)
      throws IOException {
    out.putLong(sample.client().high());
    out.putLong(sample.client().low());
    write(out, seen);
    for (String text : List.of(sample.sender(), sample.helo())) {
      byte[] octets = text.getBytes(UTF_8);
      out.putInt(octets.length);
      out.putBytes(octets, 0, octets.length);
    }
  }

  static void read(Path path, Content content) throws IOException {
    PagedFile file = PagedFile.open(path, FileKind.KNOWN_SENDERS);
    file.verify();
    if (!file.header().keying().equals(KEYING)) {
      throw new DamagedFileException(path, "was made by another release");
    }
    ByteBuffer in = file.body().asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    try {
      hosts(in, file.header().measure(0), content.v4);
      hosts(in, file.header().measure(1), content.v6);
      for (long i = file.header().measure(2); i > 0; i--) {
        sample(in, content.samples);
      }
    } catch (BufferUnderflowException e) {
      // The pages are proven, so it is no damage: their numbers mean something else.
      throw new DamagedFileException(path, "was made by another release");
    }
  }

  private static void hosts(ByteBuffer in, long count, SeenDays<Long> into) {
    for (long i = 0; i < count; i++) {
      into.see(in.getLong(), seen(in));
    }
  }

  private static void sample(ByteBuffer in, SenderSamples into) {
    IpAddress client = new IpAddress(in.getLong(), in.getLong());
    SeenDays.Seen seen = seen(in);
    into.see(new SenderSamples.Sample(client, text(in), text(in)), seen);
  }

  private static SeenDays.Seen seen(ByteBuffer in) {
    return new SeenDays.Seen(Integer.toUnsignedLong(in.getInt()), in.getInt());
  }

  private static String text(ByteBuffer in) {
    byte[] octets = new byte[Math.clamp(in.getInt(), 0, in.remaining())];
    in.get(octets);
    return new String(octets, UTF_8);
  }
}
