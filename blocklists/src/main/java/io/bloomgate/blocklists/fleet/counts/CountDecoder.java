package io.bloomgate.blocklists.fleet.counts;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.campaign.SharedCopy;
import io.bloomgate.blocklists.fleet.counts.Counted.Accepted;
import io.bloomgate.blocklists.fleet.counts.Counted.Greylisted;
import io.bloomgate.blocklists.fleet.counts.Counted.Mail;
import io.bloomgate.blocklists.fleet.counts.Counted.Recipient;
import io.bloomgate.blocklists.greylist.GreylistedSender;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@link CountEncoder} wrote. Nothing of a batch counts unless all of it has the right
 * form; a count about a domain that is none is left out, because clients choose these names. Used
 * by the thread that reads.
 */
final class CountDecoder {

  /** Octets of a number of varying length. */
  private static final int MOST_VARYING_OCTETS = 9;

  private final ByteBuffer in;
  private final List<String> texts = new ArrayList<>();

  /** True for a count about a domain that is none. */
  private boolean isUnreadable;

  private CountDecoder(ByteBuffer in) {
    this.in = in;
  }

  /** The counts from the place of the buffer to its end. */
  static List<Counted> read(ByteBuffer in) throws DamagedBatchException {
    CountDecoder decoder = new CountDecoder(in);
    List<Counted> counts = new ArrayList<>();
    try {
      while (in.hasRemaining()) {
        decoder.isUnreadable = false;
        Counted next = decoder.next();
        if (!decoder.isUnreadable) {
          counts.add(next);
        }
      }
      return counts;
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw new DamagedBatchException("it ends in a count, or has a count that is none", e);
    }
  }

  private Counted next() throws DamagedBatchException {
    int first = Byte.toUnsignedInt(in.get());
    int kind = first & ~CountEncoder.IS_V6;
    if (kind == CountEncoder.COPIED) {
      return new Counted.Copied(copy());
    }
    IpAddress address =
        (first & CountEncoder.IS_V6) == 0
            ? IpAddress.ofV4(in.getInt())
            : new IpAddress(in.getLong(), in.getLong());
    return switch (kind) {
      case CountEncoder.ACCEPTED -> new Accepted(address, text());
      case CountEncoder.CAME -> new Greylisted(sender(address), false);
      case CountEncoder.CAME_AGAIN -> new Greylisted(sender(address), true);
      case CountEncoder.MAIL -> new Mail(address);
      case CountEncoder.RECIPIENT -> new Recipient(address, domain(), text());
      default ->
          throw new DamagedBatchException(
              "it has a kind of count that this release does not know: " + kind);
    };
  }

  private GreylistedSender sender(IpAddress network) throws DamagedBatchException {
    return new GreylistedSender(network, domain(), text());
  }

  private SharedCopy copy() throws DamagedBatchException {
    int keys = Byte.toUnsignedInt(in.get());
    int bands = Byte.toUnsignedInt(in.get());
    int recipients = Byte.toUnsignedInt(in.get());
    long[] ofMail = longs(keys);
    return new SharedCopy(ofMail, bands, in.getLong(), in.getLong(), longs(recipients));
  }

  private long[] longs(int count) {
    long[] all = new long[count];
    for (int i = 0; i < count; i++) {
      all[i] = in.getLong();
    }
    return all;
  }

  private @Nullable DomainName domain() throws DamagedBatchException {
    String text = text();
    DomainName name = text.isEmpty() ? null : DomainName.asked(text).orElse(null);
    isUnreadable |= name == null && !text.isEmpty();
    return name;
  }

  private String text() throws DamagedBatchException {
    long length = varying(in);
    if ((length & 1) == 1) {
      long known = length >>> 1;
      if (known >= texts.size()) {
        throw new DamagedBatchException("it names a text that it does not have");
      }
      return texts.get((int) known);
    }
    if (length >>> 1 > CountEncoder.MOST_TEXT_OCTETS) {
      throw new DamagedBatchException(
          "it has a text of more than " + CountEncoder.MOST_TEXT_OCTETS + " octets");
    }
    byte[] octets = new byte[(int) (length >>> 1)];
    in.get(octets);
    String text = new String(octets, UTF_8);
    texts.add(text);
    return text;
  }

  /** What {@link CountEncoder#vary} wrote; never negative. */
  static long varying(ByteBuffer in) throws DamagedBatchException {
    long value = 0;
    for (int i = 0; i < MOST_VARYING_OCTETS; i++) {
      byte next = in.get();
      value |= (next & 0x7fL) << (7 * i);
      if (next >= 0) {
        return value;
      }
    }
    throw new DamagedBatchException("it has a number of more than 63 bits");
  }
}
