package io.bloomgate.blocklists.fleet.counts;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.campaign.SharedCopy;
import io.bloomgate.blocklists.fleet.counts.Counted.Accepted;
import io.bloomgate.blocklists.fleet.counts.Counted.Copied;
import io.bloomgate.blocklists.fleet.counts.Counted.Greylisted;
import io.bloomgate.blocklists.fleet.counts.Counted.Mail;
import io.bloomgate.blocklists.fleet.counts.Counted.Recipient;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes counts as the octets of one batch, which {@link CountDecoder} reads. A count begins with
 * an octet that says what it is; a text that was written before is only its number. Used by the
 * thread that sends.
 */
final class CountEncoder {

  static final int ACCEPTED = 1;
  static final int CAME = 2;
  static final int CAME_AGAIN = 3;
  static final int MAIL = 4;
  static final int RECIPIENT = 5;
  static final int COPIED = 6;

  /** Added to these where the address is of IPv6, and has 16 octets in place of 4. */
  static final int IS_V6 = 0x80;

  /** Octets of a text, longer than any mail address; a longer one is cut. */
  static final int MOST_TEXT_OCTETS = 1_024;

  /** Octets from which on a batch takes no more counts. */
  private static final int FULL_OCTETS = 48 << 10;

  /** Octets of a batch: it is full, and has one more count of the largest kind. */
  static final int MOST_OCTETS = FULL_OCTETS + (4 << 10);

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final Map<String, Integer> texts = new HashMap<>();
  private int counts;

  /** True when the next batch takes what follows. */
  boolean isFull() {
    return out.size() >= FULL_OCTETS;
  }

  /** How many were added. */
  int counts() {
    return counts;
  }

  /** All of them. */
  byte[] octets() {
    return out.toByteArray();
  }

  void add(Counted counted) {
    counts++;
    switch (counted) {
      case Accepted(IpAddress client, String sender) -> {
        begin(ACCEPTED, client);
        text(sender);
      }
      case Greylisted(var sender, boolean cameAgain) -> {
        begin(cameAgain ? CAME_AGAIN : CAME, sender.network());
        domain(sender.domain());
        text(sender.recipient());
      }
      case Mail(IpAddress account) -> begin(MAIL, account);
      case Recipient(IpAddress network, var domain, String recipient) -> {
        begin(RECIPIENT, network);
        domain(domain);
        text(recipient);
      }
      case Copied(SharedCopy copy) -> copied(copy);
    }
  }

  private void begin(int kind, IpAddress address) {
    if (address.isV4()) {
      out.write(kind);
      number(address.v4Bits(), Integer.BYTES);
    } else {
      out.write(kind | IS_V6);
      number(address.high(), Long.BYTES);
      number(address.low(), Long.BYTES);
    }
  }

  private void copied(SharedCopy copy) {
    out.write(COPIED);
    out.write(copy.keys().length);
    out.write(copy.bands());
    out.write(copy.recipients().length);
    for (long key : copy.keys()) {
      number(key, Long.BYTES);
    }
    number(copy.network(), Long.BYTES);
    number(copy.sender(), Long.BYTES);
    for (long recipient : copy.recipients()) {
      number(recipient, Long.BYTES);
    }
  }

  private void domain(@Nullable DomainName name) {
    text(name == null ? "" : name.toString());
  }

  /** Twice its length and the octets, or one more than twice the number of an equal text. */
  private void text(String text) {
    Integer known = texts.putIfAbsent(text, texts.size());
    if (known != null) {
      vary(out, 2L * known + 1);
      return;
    }
    byte[] octets = text.getBytes(UTF_8);
    int length = Math.min(octets.length, MOST_TEXT_OCTETS);
    vary(out, 2L * length);
    out.writeBytes(length == octets.length ? octets : Arrays.copyOf(octets, length));
  }

  /** High octet first. */
  private void number(long value, int octets) {
    for (int shift = Byte.SIZE * (octets - 1); shift >= 0; shift -= Byte.SIZE) {
      out.write((int) (value >>> shift));
    }
  }

  /** Seven bits an octet, the lowest first; the highest bit says that another octet follows. */
  static void vary(ByteArrayOutputStream out, long value) {
    long rest = value;
    while (rest > 0x7f) {
      out.write((int) (rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    out.write((int) rest);
  }
}
