package io.bloomgate.blocklists.guard;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.FileKind;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.file.PagedFileWriter;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Since which version a feed lists each entry of one version without a gap. Written by the
 * feed-refresher when a version is judged, from the file of the version that is live and what the
 * new one brings; read by {@code explain} on the thread of the command. Immutable.
 *
 * <p>Only entries that came after the first known version take room: 12 octets each. All others are
 * at least as old as that version, which is where the history begins.
 *
 * @param versions that brought the entries; the first is where the history begins
 * @param keys of the entries, sorted in each part
 * @param brought for each key, part after part, which of the versions brought it
 */
public record FirstListed(List<Version> versions, EntryKeys keys, IntBuffer brought) {

  /** The lines of {@link #versions} need few octets; a file with more is not ours. */
  private static final int MAX_VERSION_OCTETS = 64 << 20;

  private static final Keying KEYING =
      new Keying(KeyHash.VERSION, KeyHash.NORMALISATION_VERSION, 0, EntryNumbers.VERSION);

  /**
   * A version of the feed.
   *
   * @param number as {@code feeds show} names it
   * @param fetched when
   * @param sha256 over its octets, in hexadecimal
   */
  public record Version(long number, Instant fetched, String sha256) {

    private String line() {
      return number + " " + fetched + " " + sha256 + "\n";
    }

    private static Version of(String line) {
      String[] words = line.split(" ", 3);
      return new Version(Long.parseLong(words[0]), Instant.parse(words[1]), words[2]);
    }
  }

  public FirstListed {
    versions = List.copyOf(versions);
  }

  /** The history of a version of which only itself is known. */
  public static FirstListed beginsWith(Version version) {
    return new FirstListed(List.of(version), EntryKeys.NONE, IntBuffer.allocate(0));
  }

  /** The version that brought an entry; empty when the entry is older than the history. */
  public Optional<Version> of(ListEntry entry) {
    int at = keys.position(entry);
    return at < 0 ? Optional.empty() : Optional.of(versions.get(brought.get(at)));
  }

  /** Where the history begins. */
  public Version begin() {
    return versions.getFirst();
  }

  /** Takes a key and the version that brought it, in order. */
  @FunctionalInterface
  private interface Sink {
    void take(long key, int version) throws IOException;
  }

  /**
   * Writes the file of the version that follows this one.
   *
   * @param next that version
   * @param all what it lists
   * @param fresh what of that this version does not list
   * @throws IOException when it cannot be written; nothing is left then
   */
  public void writeNext(Path file, Version next, EntryKeys all, EntryKeys fresh)
      throws IOException {
    List<Version> table = new ArrayList<>(versions);
    table.add(next);
    BitSet used = new BitSet();
    used.set(0);
    used.set(versions.size());
    List<Long> measures = new ArrayList<>();
    try (PagedFileWriter out = PagedFileWriter.create(file)) {
      for (int part = 0; part < EntryKeys.PARTS; part++) {
        long before = out.position();
        merge(
            part,
            all,
            fresh,
            (key, version) -> {
              out.putLong(key);
              used.set(version);
            });
        measures.add((out.position() - before) / Long.BYTES);
      }
      int[] kept = new int[table.size()];
      StringBuilder lines = new StringBuilder();
      int count = 0;
      for (int i = used.nextSetBit(0); i >= 0; i = used.nextSetBit(i + 1)) {
        kept[i] = count++;
        lines.append(table.get(i).line());
      }
      for (int part = 0; part < EntryKeys.PARTS; part++) {
        merge(part, all, fresh, (key, version) -> out.putInt(kept[version]));
      }
      byte[] octets = lines.toString().getBytes(UTF_8);
      out.putBytes(octets, 0, octets.length);
      measures.add((long) octets.length);
      long entries = measures.stream().limit(EntryKeys.PARTS).mapToLong(Long::longValue).sum();
      out.commit(new FileHeader(FileKind.FIRST_LISTED, KEYING, entries, entries, 0, 0, measures));
    }
  }

  /** What is still listed of what is known, and what is new, in one order. */
  private void merge(int part, EntryKeys all, EntryKeys fresh, Sink sink) throws IOException {
    LongBuffer old = keys.part(part);
    int offset = keys.offset(part);
    LongBuffer listed = all.part(part);
    LongBuffer added = fresh.part(part);
    int o = 0;
    int l = 0;
    for (int a = 0; a < added.limit() || o < old.limit(); ) {
      if (a < added.limit() && (o == old.limit() || added.get(a) <= old.get(o))) {
        o += o < old.limit() && added.get(a) == old.get(o) ? 1 : 0;
        sink.take(added.get(a++), versions.size());
      } else {
        while (l < listed.limit() && listed.get(l) < old.get(o)) {
          l++;
        }
        if (l < listed.limit() && listed.get(l) == old.get(o)) {
          sink.take(old.get(o), brought.get(offset + o));
        }
        o++;
      }
    }
  }

  /**
   * Maps a file that {@link #writeNext} made.
   *
   * @throws DamagedFileException when it is not what was written
   */
  public static FirstListed open(Path path) throws IOException {
    PagedFile file = PagedFile.open(path, FileKind.FIRST_LISTED);
    file.verify();
    FileHeader header = file.header();
    if (!header.keying().equals(KEYING)) {
      throw new DamagedFileException(path, "was made by another release");
    }
    long octets = header.measure(EntryKeys.PARTS);
    long entries = header.entries();
    if (octets > MAX_VERSION_OCTETS
        || entries * (Long.BYTES + Integer.BYTES) + octets != file.body().byteSize()) {
      throw new DamagedFileException(path, "has a damaged header (sizes are impossible)");
    }
    ByteBuffer body = file.body().asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    List<Integer> sizes = new ArrayList<>();
    for (int i = 0; i < EntryKeys.PARTS; i++) {
      sizes.add((int) header.measure(i));
    }
    EntryKeys keys = EntryKeys.of(body.asLongBuffer(), sizes);
    int behindKeys = Math.toIntExact(entries * Long.BYTES);
    int behindNumbers = Math.toIntExact(behindKeys + entries * Integer.BYTES);
    IntBuffer brought =
        body.slice(behindKeys, behindNumbers - behindKeys)
            .order(ByteOrder.LITTLE_ENDIAN)
            .asIntBuffer();
    byte[] lines = file.body().asSlice(behindNumbers, octets).toArray(ValueLayout.JAVA_BYTE);
    try {
      List<Version> versions = new String(lines, UTF_8).lines().map(Version::of).toList();
      return new FirstListed(versions, keys, brought);
    } catch (RuntimeException e) {
      throw new DamagedFileException(path, "names a version that cannot be read: " + e);
    }
  }
}
