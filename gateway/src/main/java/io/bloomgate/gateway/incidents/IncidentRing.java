package io.bloomgate.gateway.incidents;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The incident file: a header slot, then a fixed number of slots of a fixed size that are written
 * round and round. Which slot holds which id is kept in memory and read from the file at start.
 *
 * <p>Used by {@link Incidents} under its lock; not thread-safe by itself. A slot that a crash left
 * half written fails its checksum.
 */
final class IncidentRing implements Closeable {

  private static final byte[] MAGIC = "BGINCID1".getBytes(StandardCharsets.US_ASCII);
  private static final long EMPTY = -1;
  private static final int SLOTS_PER_READ = 256;

  private final FileChannel file;

  /**
   * The id in each slot, {@link #EMPTY} where there is none; searched from end to end, but rarely.
   */
  private final long[] ids;

  private long lastSequence;
  private int next;

  private IncidentRing(FileChannel file, int slots) {
    this.file = file;
    this.ids = new long[slots];
    Arrays.fill(ids, EMPTY);
  }

  /**
   * Opens or makes the file. One of another size is copied slot by slot, newest last; a file that
   * is not an incident file is renamed, never overwritten.
   *
   * @param slots how many incidents are kept, at least one
   * @throws IOException when it cannot be read or written
   */
  static IncidentRing open(Path path, int slots) throws IOException {
    if (Files.notExists(path)) {
      return create(path, slots);
    }
    Optional<Integer> found = slotsOf(path);
    if (found.isEmpty()) {
      Files.move(
          path,
          path.resolveSibling(path.getFileName() + ".unreadable"),
          StandardCopyOption.REPLACE_EXISTING);
      return create(path, slots);
    }
    if (found.get() != slots) {
      return resize(path, found.get(), slots);
    }
    return load(path, slots);
  }

  /** An incident with its id as a number. */
  record Numbered(long idBits, Incident incident) {}

  /** Writes incidents over the oldest ones, in one write where they are adjacent. */
  void append(List<Numbered> incidents) throws IOException {
    int from = 0;
    while (from < incidents.size()) {
      int together = Math.min(incidents.size() - from, ids.length - next);
      writeTogether(incidents.subList(from, from + together));
      from += together;
    }
  }

  private void writeTogether(List<Numbered> incidents) throws IOException {
    int count = incidents.size();
    ByteBuffer octets = ByteBuffer.allocate(count * IncidentSlot.OCTETS);
    for (Numbered each : incidents) {
      long sequence = lastSequence + 1 + octets.position() / IncidentSlot.OCTETS;
      octets.put(new IncidentSlot(sequence, each.idBits(), each.incident()).encode());
    }
    // If the write fails halfway, the old incidents here are lost.
    Arrays.fill(ids, next, next + count, EMPTY);
    write(octets.array(), position(next));
    for (Numbered each : incidents) {
      ids[next++] = each.idBits();
    }
    lastSequence += count;
    next %= ids.length;
  }

  /** The newest incident of that id. */
  Optional<Incident> find(long idBits) throws IOException {
    for (int back = 1; back <= ids.length; back++) {
      int slot = Math.floorMod(next - back, ids.length);
      if (ids[slot] == idBits) {
        return IncidentSlot.decode(read(slot)).map(IncidentSlot::incident);
      }
    }
    return Optional.empty();
  }

  /** Wipes incidents older than this, so that nothing outlives {@code retain_incidents} on disk. */
  int wipeBefore(Instant oldest) throws IOException {
    int wiped = 0;
    for (int ahead = 0; ahead < ids.length; ahead++) {
      int slot = (next + ahead) % ids.length;
      if (ids[slot] == EMPTY) {
        continue;
      }
      Optional<IncidentSlot> found = IncidentSlot.decode(read(slot));
      if (found.isPresent() && !found.get().incident().time().isBefore(oldest)) {
        return wiped;
      }
      write(new byte[IncidentSlot.OCTETS], position(slot));
      ids[slot] = EMPTY;
      wiped++;
    }
    return wiped;
  }

  /** How many incidents can be found. */
  int size() {
    return (int) Arrays.stream(ids).filter(id -> id != EMPTY).count();
  }

  /** False when it was closed, or the thread that used it was interrupted. */
  boolean isOpen() {
    return file.isOpen();
  }

  @Override
  public void close() throws IOException {
    try (file) {
      file.force(false);
    }
  }

  private static IncidentRing create(Path path, int slots) throws IOException {
    FileChannel file =
        FileChannel.open(
            path,
            Set.of(
                StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    IncidentRing ring = new IncidentRing(file, slots);
    ByteBuffer header = ByteBuffer.allocate(IncidentSlot.OCTETS);
    header.put(MAGIC).putInt(IncidentSlot.OCTETS).putInt(slots);
    ring.write(header.array(), 0);
    return ring;
  }

  /** The number of slots that the header names; empty when the file is no incident file. */
  private static Optional<Integer> slotsOf(Path path) throws IOException {
    byte[] start;
    try (var in = Files.newInputStream(path)) {
      start = in.readNBytes(MAGIC.length + 8);
    }
    if (start.length < MAGIC.length + 8
        || !Arrays.equals(start, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
      return Optional.empty();
    }
    ByteBuffer numbers = ByteBuffer.wrap(start, MAGIC.length, 8);
    int octets = numbers.getInt();
    int slots = numbers.getInt();
    return octets == IncidentSlot.OCTETS && slots > 0 ? Optional.of(slots) : Optional.empty();
  }

  /** Opens a file with this number of slots. */
  static IncidentRing load(Path path, int slots) throws IOException {
    FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    IncidentRing ring = new IncidentRing(file, slots);
    ring.scan();
    return ring;
  }

  private static IncidentRing resize(Path path, int from, int to) throws IOException {
    Path fresh = path.resolveSibling(path.getFileName() + ".new");
    Files.deleteIfExists(fresh);
    try (IncidentRing old = load(path, from);
        IncidentRing copy = create(fresh, to)) {
      for (int ahead = 0; ahead < from; ahead++) {
        int slot = (old.next + ahead) % from;
        if (old.ids[slot] == EMPTY) {
          continue;
        }
        Optional<IncidentSlot> kept = IncidentSlot.decode(old.read(slot));
        if (kept.isPresent()) {
          copy.append(List.of(new Numbered(kept.get().idBits(), kept.get().incident())));
        }
      }
    }
    Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    return load(path, to);
  }

  private void scan() throws IOException {
    ByteBuffer block = ByteBuffer.allocate(SLOTS_PER_READ * IncidentSlot.OCTETS);
    byte[] octets = new byte[IncidentSlot.OCTETS];
    for (int first = 0; first < ids.length; first += SLOTS_PER_READ) {
      block.clear();
      fill(block, position(first));
      block.flip();
      for (int slot = first; slot < ids.length && block.remaining() >= octets.length; slot++) {
        block.get(octets);
        learn(slot, octets);
      }
      if (block.limit() < block.capacity()) {
        return; // the file ends here: slots behind it were never written
      }
    }
  }

  private void learn(int slot, byte[] octets) {
    Optional<IncidentSlot> found = IncidentSlot.decode(octets);
    if (found.isEmpty()) {
      return;
    }
    ids[slot] = found.get().idBits();
    if (found.get().sequence() > lastSequence) {
      lastSequence = found.get().sequence();
      next = (slot + 1) % ids.length;
    }
  }

  private byte[] read(int slot) throws IOException {
    ByteBuffer octets = ByteBuffer.allocate(IncidentSlot.OCTETS);
    fill(octets, position(slot));
    return octets.array();
  }

  private void fill(ByteBuffer target, long position) throws IOException {
    long at = position;
    while (target.hasRemaining()) {
      int count = file.read(target, at);
      if (count < 0) {
        return;
      }
      at += count;
    }
  }

  private void write(byte[] octets, long position) throws IOException {
    ByteBuffer source = ByteBuffer.wrap(octets);
    long at = position;
    while (source.hasRemaining()) {
      at += file.write(source, at);
    }
  }

  private static long position(int slot) {
    return (slot + 1L) * IncidentSlot.OCTETS;
  }
}
