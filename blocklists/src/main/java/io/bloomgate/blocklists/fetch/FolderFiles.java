package io.bloomgate.blocklists.fetch;

import io.bloomgate.blocklists.fetch.FeedSources.FetchMeter;
import io.bloomgate.blocklists.format.octets.Octets;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** Static files of a folder, of this machine or a network disk. Thread-safe. */
final class FolderFiles implements StaticFiles {

  private static final int BUFFER_OCTETS = 1 << 16;

  private final Path folder;

  FolderFiles(Path folder) {
    this.folder = folder;
  }

  @Override
  public Result take(
      String name, Validators.Stamp known, Path file, long octets, FetchMeter meter) {
    Path from = folder.resolve(name);
    try {
      BasicFileAttributes now = Files.readAttributes(from, BasicFileAttributes.class);
      String mark = now.size() + " " + now.lastModifiedTime() + " " + now.fileKey();
      if (mark.equals(known.etag())) {
        return new Result.NotModified();
      }
      if (!now.isRegularFile() || now.size() > octets) {
        return new Result.Failed(shown(from) + " is no file of at most " + octets + " octets");
      }
      copy(from, file, octets, meter);
      return new Result.Taken(new Validators.Stamp(mark, ""));
    } catch (NoSuchFileException e) {
      return new Result.Failed(
          "there is no " + shown(from) + "; check fleet.generations and that the leader publishes");
    } catch (IOException e) {
      return new Result.Failed("cannot take " + shown(from) + ": " + Octets.escape(e.toString()));
    }
  }

  private static void copy(Path from, Path to, long limit, FetchMeter meter) throws IOException {
    byte[] buffer = new byte[BUFFER_OCTETS];
    long octets = 0;
    try (InputStream in = Files.newInputStream(from);
        OutputStream out = Files.newOutputStream(to)) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        octets += read;
        if (octets > limit) {
          throw new IOException("it grew beyond " + limit + " octets");
        }
        out.write(buffer, 0, read);
        meter.taken(octets, -1);
      }
    }
  }

  private static String shown(Path path) {
    return Octets.escape(path.toString());
  }

  @Override
  public String shown() {
    return shown(folder);
  }
}
