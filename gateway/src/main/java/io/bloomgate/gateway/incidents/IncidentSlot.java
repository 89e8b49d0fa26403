package io.bloomgate.gateway.incidents;

import io.bloomgate.config.name.IpAddress;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The octets of one slot of the incident ring: checksum, sequence number, id, then the incident's
 * fields. A slot that a crash left half written fails its checksum and counts as empty.
 *
 * <p>Pure; called by {@link IncidentRing}. All numbers are big-endian.
 *
 * @param sequence grows by one with every incident ever written; 0 is never used
 * @param idBits the id as a number
 */
record IncidentSlot(long sequence, long idBits, Incident incident) {

  /** Every slot has this size, so that one incident can never push out more than one other. */
  static final int OCTETS = 1024;

  private static final int CRC_OCTETS = 4;

  // The longest texts that are kept, in octets; together with the numbers they fit into a slot.
  private static final int MAX_WORD = 20;
  private static final int MAX_NAME = 64;
  private static final int MAX_ADDRESS = 128;
  private static final int MAX_REPLY = 160;

  /** At the end of a text that was longer. */
  static final String CUT = "...";

  /** The slot's octets, exactly {@link #OCTETS}. */
  byte[] encode() {
    ByteBuffer slot = ByteBuffer.allocate(OCTETS).putInt(0).putLong(sequence).putLong(idBits);
    put(slot, incident);
    return slot.putInt(0, checksum(slot.array())).array();
  }

  /** Reads a slot; empty for an unused, damaged or half-written one. */
  static Optional<IncidentSlot> decode(byte[] octets) {
    ByteBuffer slot = ByteBuffer.wrap(octets);
    if (slot.getInt() != checksum(octets)) {
      return Optional.empty();
    }
    long sequence = slot.getLong();
    long idBits = slot.getLong();
    if (sequence <= 0) {
      return Optional.empty();
    }
    try {
      return Optional.of(new IncidentSlot(sequence, idBits, incident(slot, idBits)));
    } catch (BufferUnderflowException | IndexOutOfBoundsException | DateTimeException e) {
      return Optional.empty(); // a right checksum over another version's fields
    }
  }

  private static int checksum(byte[] slot) {
    CRC32C crc = new CRC32C();
    crc.update(slot, CRC_OCTETS, slot.length - CRC_OCTETS);
    return (int) crc.getValue();
  }

  private static void put(ByteBuffer slot, Incident incident) {
    slot.putLong(incident.time().toEpochMilli());
    slot.putLong(incident.client().high()).putLong(incident.client().low());
    slot.putLong(incident.generation()).putInt(incident.recipients()).putInt(incident.line());
    putText(slot, incident.stage(), MAX_WORD);
    putText(slot, incident.verdict(), MAX_WORD);
    putText(slot, incident.mode(), MAX_WORD);
    putText(slot, incident.outcome(), MAX_WORD);
    putText(slot, incident.check(), MAX_WORD);
    putText(slot, incident.action(), MAX_WORD);
    putText(slot, incident.feed(), MAX_NAME);
    putText(slot, incident.helo(), MAX_NAME);
    putText(slot, incident.from(), MAX_ADDRESS);
    putText(slot, incident.to(), MAX_ADDRESS);
    putText(slot, incident.subject(), MAX_ADDRESS);
    putText(slot, incident.entry(), MAX_ADDRESS);
    putText(slot, incident.reply(), MAX_REPLY);
    slot.putInt(incident.times());
  }

  private static Incident incident(ByteBuffer slot, long idBits) {
    Instant time = Instant.ofEpochMilli(slot.getLong());
    IpAddress client = new IpAddress(slot.getLong(), slot.getLong());
    long generation = slot.getLong();
    int recipients = slot.getInt();
    int line = slot.getInt();
    String stage = text(slot);
    String verdict = text(slot);
    String mode = text(slot);
    String outcome = text(slot);
    String check = text(slot);
    String action = text(slot);
    String feed = text(slot);
    String helo = text(slot);
    String from = nullableText(slot);
    String to = text(slot);
    String subject = text(slot);
    String entry = text(slot);
    String reply = text(slot);
    // Slots of before there was a count hold zero octets here.
    int times = Math.max(1, slot.getInt());
    return new Incident(
        IncidentId.format(idBits),
        time,
        stage,
        verdict,
        mode,
        outcome,
        client,
        helo,
        from,
        to,
        recipients,
        reply,
        generation,
        check,
        subject,
        feed,
        entry,
        line,
        action,
        times);
  }

  /** Length as one octet plus one, 0 for {@code null}; then UTF-8, cut where it is too long. */
  private static void putText(ByteBuffer slot, @Nullable String text, int maxOctets) {
    if (text == null) {
      slot.put((byte) 0);
      return;
    }
    byte[] octets = text.getBytes(StandardCharsets.UTF_8);
    if (octets.length > maxOctets) {
      byte[] cut = Arrays.copyOf(octets, maxOctets);
      System.arraycopy(
          CUT.getBytes(StandardCharsets.US_ASCII), 0, cut, maxOctets - CUT.length(), CUT.length());
      octets = cut;
    }
    slot.put((byte) (octets.length + 1)).put(octets);
  }

  private static String text(ByteBuffer slot) {
    String text = nullableText(slot);
    return text == null ? "" : text;
  }

  private static @Nullable String nullableText(ByteBuffer slot) {
    int length = (slot.get() & 0xff) - 1;
    if (length < 0) {
      return null;
    }
    byte[] octets = new byte[length];
    slot.get(octets);
    return new String(octets, StandardCharsets.UTF_8);
  }
}
