package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.workbench.OfflineException.Kind;
import io.bloomgate.blocklists.workbench.foreign.ForeignFilter;
import io.bloomgate.blocklists.workbench.foreign.ForeignFormat;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * {@code bloomgate filter export}: lines of files become a filter of another library. A line is a
 * key, octet for octet without its LF or CR LF; empty lines are none. Used for one export.
 */
public final class ForeignExport {

  /** Octets of a key; what is longer is no key. */
  public static final int MAX_KEY_OCTETS = 4096;

  /** Other programs read it; it holds no secret. */
  private static final String MODE = "rw-rw-rw-";

  /**
   * What is written.
   *
   * @param name the key of the Redis server that will hold it
   */
  public record Request(
      List<Path> files, Path target, ForeignFormat format, double rate, String name) {
    public Request {
      files = List.copyOf(files);
    }
  }

  private final WorkbenchTools tools;

  /** An export with these tools. */
  public ForeignExport(WorkbenchTools tools) {
    this.tools = tools;
  }

  /**
   * Writes the filter, whole or not at all, and asks the written file for every key.
   *
   * @throws OfflineException when it cannot be made; then nothing was written
   */
  public JsonObject run(Request request) throws OfflineException {
    Path target = request.target();
    if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      throw taken(target);
    }
    InputFiles.requireFolderOf(target, "--to");
    for (Path file : request.files()) {
      InputFiles.requireReadable(file);
      if (!Files.isRegularFile(file)) {
        throw new OfflineException(
            Kind.USAGE,
            file + " is a pipe or a device, and `filter export` reads its keys more than once",
            "name a file");
      }
    }
    long[] count = {0};
    readAll(request.files(), key -> count[0]++);
    if (count[0] == 0) {
      throw new OfflineException(Kind.FAILED, "there is no key in these files", "");
    }
    if (!tools.canHold(request.format().octets(count[0], request.rate()))) {
      throw tools.tooLarge("a filter of " + count[0] + " keys");
    }
    ForeignFormat.Builder builder = request.format().create(count[0], request.rate());
    readAll(request.files(), builder::add);
    try (FileBeside beside = FileBeside.of(target, MODE)) {
      write(beside.path(), builder.write(request.name()));
      ForeignFilter written = InputFiles.foreign(beside.path(), tools).orElseThrow();
      readAll(request.files(), key -> count[0] -= written.mightContain(key) ? 1 : 0);
      if (count[0] != 0) {
        throw new OfflineException(
            Kind.FAILED,
            "the filter lacks keys and was not written",
            "the files may have changed meanwhile; try again");
      }
      beside.place(target);
      return FilterInspection.of(written, target);
    } catch (FileAlreadyExistsException e) {
      throw taken(target);
    } catch (IOException e) {
      throw InputFiles.unwritable(target, e);
    }
  }

  private static OfflineException taken(Path target) {
    return new OfflineException(
        Kind.USAGE, target + " is there and is not overwritten", "name another file with --to");
  }

  private static void write(Path path, ByteBuffer octets) throws IOException {
    try (FileChannel out = FileChannel.open(path, StandardOpenOption.WRITE)) {
      while (octets.hasRemaining()) {
        out.write(octets);
      }
      out.force(true);
    }
  }

  private static void readAll(List<Path> files, Consumer<byte[]> keys) throws OfflineException {
    for (Path file : files) {
      InputFiles.requireLines(file);
      try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
        read(file, in, keys);
      } catch (IOException e) {
        throw InputFiles.unreadable(file, e);
      }
    }
  }

  private static void read(Path file, InputStream in, Consumer<byte[]> keys)
      throws IOException, OfflineException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    long number = 1;
    int octet;
    do {
      octet = in.read();
      if (octet == '\n' || octet < 0) {
        give(line.toByteArray(), keys);
        line.reset();
        number++;
      } else if (line.size() == MAX_KEY_OCTETS) {
        throw new OfflineException(
            Kind.FAILED,
            "line " + number + " of " + file + " is longer than " + MAX_KEY_OCTETS + " octets",
            "a key is a line");
      } else {
        line.write(octet);
      }
    } while (octet >= 0);
  }

  private static void give(byte[] line, Consumer<byte[]> keys) {
    boolean carriageReturn = line.length > 0 && line[line.length - 1] == '\r';
    byte[] key = carriageReturn ? Arrays.copyOf(line, line.length - 1) : line;
    if (key.length > 0) {
      keys.accept(key);
    }
  }
}
