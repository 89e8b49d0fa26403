package io.bloomgate.blocklists.history;

import io.bloomgate.blocklists.file.DurableFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The files of the history: {@code STATE_DIR/history/0000000017.deltas}, records one behind the
 * other, a file a day. Written by {@link FeedHistory} on the feed-refresher thread; read by {@link
 * PastSnapshot} at any time. A record that was not finished, and one that was changed on disk, is
 * skipped and named; whether a record is missing between two others is seen by their generations.
 */
final class HistoryFiles {

  /** A file that has as much is followed by another. */
  private static final long FULL_OCTETS = 16L << 20;

  private static final String NAME = "[0-9]{10}\\.deltas";

  private final Path directory;

  /** The file that is written; {@code null} before the first record and after a failure. */
  private @Nullable Path current;

  private Instant currentDay = Instant.MIN;

  HistoryFiles(Path directory) {
    this.directory = directory;
  }

  /** Appends a record durably; after a failure it is missing, and those before it are whole. */
  void append(byte[] record, Instant at) throws IOException {
    Instant day = at.truncatedTo(ChronoUnit.DAYS);
    Path file = current;
    if (file == null || !day.equals(currentDay) || Files.size(file) >= FULL_OCTETS) {
      if (!Files.isDirectory(directory)) {
        DurableFiles.createPrivateDirectory(directory);
      }
      List<Path> files = files();
      long number = files.isEmpty() ? 1 : number(files.getLast()) + 1;
      file = directory.resolve(String.format(Locale.ROOT, "%010d.deltas", number));
    }
    // Behind what is left of a record that failed there is no place for another.
    current = null;
    try (FileChannel channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      ByteBuffer octets = ByteBuffer.wrap(record);
      while (octets.hasRemaining()) {
        channel.write(octets);
      }
      channel.force(true);
    }
    DurableFiles.sync(directory);
    current = file;
    currentDay = day;
  }

  /**
   * All records, the oldest first.
   *
   * @param problem receives a sentence about each file that is damaged
   */
  List<StoredDelta> read(Consumer<String> problem) throws IOException {
    List<StoredDelta> deltas = new ArrayList<>();
    for (Path file : files()) {
      deltas.addAll(read(file, Integer.MAX_VALUE, problem));
    }
    return deltas;
  }

  /** The newest record; empty when there is none. */
  Optional<StoredDelta> last(Consumer<String> problem) throws IOException {
    for (Path file : files().reversed()) {
      List<StoredDelta> deltas = read(file, Integer.MAX_VALUE, problem);
      if (!deltas.isEmpty()) {
        return Optional.of(deltas.getLast());
      }
    }
    return Optional.empty();
  }

  /**
   * Deletes the oldest files: those whose time is over before {@code now - retain}, and those
   * beyond {@code maxSize}. The newest stays.
   */
  void prune(Instant now, Duration retain, long maxSize) throws IOException {
    List<Path> files = files();
    long octets = 0;
    for (Path file : files) {
      octets += Files.size(file);
    }
    for (int i = 0; i + 1 < files.size(); i++) {
      // What was live when the next file begins is known by the files from there on.
      List<StoredDelta> next = read(files.get(i + 1), 1, damaged -> {});
      boolean over = !next.isEmpty() && !next.getFirst().at().isAfter(now.minus(retain));
      if (!over && octets <= maxSize) {
        return;
      }
      octets -= Files.size(files.get(i));
      Files.delete(files.get(i));
    }
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> String.valueOf(file.getFileName()).matches(NAME))
          .sorted(Comparator.comparingLong(HistoryFiles::number))
          .toList();
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }

  private static long number(Path file) {
    String name = String.valueOf(file.getFileName());
    return Long.parseLong(name.substring(0, name.indexOf('.')));
  }

  private static List<StoredDelta> read(Path file, int most, Consumer<String> problem)
      throws IOException {
    List<StoredDelta> deltas = new ArrayList<>();
    ByteBuffer all;
    try (FileChannel channel = FileChannel.open(file)) {
      all = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
    } catch (NoSuchFileException e) {
      return deltas; // it was the oldest one, and its time is over
    }
    int at = 0;
    while (at < all.limit() && deltas.size() < most) {
      int rest = all.limit() - at - DeltaWriter.HEAD_OCTETS;
      int length = rest < 0 ? -1 : all.getInt(at + Integer.BYTES);
      if (length < 0 || length > rest || all.getInt(at) != DeltaWriter.MAGIC) {
        problem.accept(file + " ends in a record that is cut or damaged, at octet " + at);
        break;
      }
      ByteBuffer payload = all.slice(at + DeltaWriter.HEAD_OCTETS, length);
      CRC32C sum = new CRC32C();
      sum.update(payload.duplicate());
      if ((int) sum.getValue() == all.getInt(at + 2 * Integer.BYTES)) {
        deltas.add(new StoredDelta(payload));
      } else {
        problem.accept(file + " has a damaged record at octet " + at);
      }
      at += DeltaWriter.HEAD_OCTETS + length;
    }
    return deltas;
  }
}
