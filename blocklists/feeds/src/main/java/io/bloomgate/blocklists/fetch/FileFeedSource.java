package io.bloomgate.blocklists.fetch;

import io.bloomgate.blocklists.format.FeedContent;
import io.bloomgate.blocklists.format.FeedLimits;
import io.bloomgate.blocklists.format.Octets;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serial;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;

/**
 * A feed from a file, or from all files that a glob in the last part of the path matches, in name
 * order. The files are copied, so that a later change on disk cannot change what was judged; a file
 * that does not answer in the time of a fetch is this feed's failure.
 *
 * @param mayBePipe true for one that somebody named to read it once: a feed is read again and
 *     again, and a pipe or a device may let it wait each time
 */
record FileFeedSource(String pattern, boolean mayBePipe, TimedReads reads) implements FeedSource {

  @Override
  public String shown() {
    return Octets.escape(pattern);
  }

  @Override
  public FetchResult fetch(Validators known, Path directory) {
    try {
      return reads.fetch(pattern, () -> read(known, directory));
    } catch (RefusedException e) {
      return FetchResult.Failed.of(String.valueOf(e.getMessage()));
    } catch (TimedReads.HangingException e) {
      return FetchResult.Failed.of(
          "%s does not answer (%s): a pipe that nobody writes to, or a disk that hangs"
              .formatted(shown(), e.getMessage()));
    } catch (NoSuchFileException e) {
      return FetchResult.Failed.of("there is no file " + shown() + "; check the path");
    } catch (UnwritableException e) {
      return failed(
          "the copy of " + shown() + " cannot be written; check the space on the disk", e);
    } catch (IOException e) {
      return failed(
          "cannot read " + shown() + "; check that the file is readable for the gateway's user", e);
    }
  }

  private static FetchResult failed(String message, IOException cause) {
    return FetchResult.Failed.of(message, message + ": " + Octets.escape(cause.toString()));
  }

  private FetchResult read(Validators known, Path directory) throws IOException {
    List<Path> files = files();
    if (files.isEmpty()) {
      throw new RefusedException("no file matches " + shown() + "; check the path");
    }
    String state = state(files);
    return !known.files().isEmpty() && known.files().equals(state)
        ? new FetchResult.NotModified()
        : copied(files, state, directory);
  }

  @Override
  public String state() {
    try {
      return reads.look(pattern, () -> state(files()));
    } catch (IOException e) {
      // A file that cannot be looked at is another state than one that can.
      return "unreadable";
    }
  }

  private FetchResult copied(List<Path> files, String state, Path directory) throws IOException {
    List<Path> parts = new ArrayList<>();
    long octets = 0;
    for (Path file : files) {
      if (Files.isDirectory(file)) {
        throw new RefusedException(shown() + " is a directory; name a file or DIRECTORY/*.txt");
      }
      if (!mayBePipe && !Files.isRegularFile(file)) {
        throw new RefusedException(
            shown() + " is a pipe, a socket or a device; name a regular file");
      }
      Path part = directory.resolve(partName(parts.size()));
      try (InputStream in = Files.newInputStream(file)) {
        octets += copy(in, part, FeedLimits.FETCHED_OCTETS - octets, _ -> {});
      }
      if (octets > FeedLimits.FETCHED_OCTETS) {
        throw new RefusedException(shown() + " is larger than 1 GiB; split the feed");
      }
      parts.add(part);
    }
    if (!state.equals(state(files()))) {
      throw new RefusedException(
          shown() + " changed while it was read; it is read again when it rests");
    }
    return new FetchResult.Fetched(new FeedContent(parts), Validators.ofFiles(state));
  }

  /**
   * Copies octets into a file until there are more than the limit.
   *
   * @param taken receives the number of octets so far
   * @return the octets that were copied
   */
  static long copy(InputStream in, Path to, long limit, LongConsumer taken) throws IOException {
    byte[] buffer = new byte[1 << 16];
    long octets = 0;
    try (OutputStream out = created(to)) {
      for (int read = in.read(buffer); read >= 0 && octets <= limit; read = in.read(buffer)) {
        octets += read;
        write(out, buffer, read);
        taken.accept(octets);
      }
    }
    return octets;
  }

  private static OutputStream created(Path file) throws UnwritableException {
    try {
      return Files.newOutputStream(file);
    } catch (IOException e) {
      throw new UnwritableException(e);
    }
  }

  private static void write(OutputStream out, byte[] buffer, int length)
      throws UnwritableException {
    try {
      out.write(buffer, 0, length);
    } catch (IOException e) {
      throw new UnwritableException(e);
    }
  }

  /** Name of a stored part; names sort in reading order. */
  static String partName(int index) {
    return "part-%04d".formatted(index);
  }

  private List<Path> files() throws IOException {
    Path literal = FileSystems.getDefault().getPath(pattern);
    if (Files.exists(literal) || !isGlob(pattern)) {
      return List.of(literal);
    }
    Path parent = literal.toAbsolutePath().getParent();
    Path name = literal.getFileName();
    if (parent == null || name == null || isGlob(parent.toString())) {
      throw new NoSuchFileException(pattern, null, "only the last part may be a glob");
    }
    PathMatcher matcher = matcher(name);
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(parent)) {
      for (Path file : all) {
        if (matcher.matches(file.getFileName()) && Files.isRegularFile(file)) {
          found.add(file);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    if (found.size() > FeedLimits.FILES_PER_SOURCE) {
      throw new IOException("more than " + FeedLimits.FILES_PER_SOURCE + " files");
    }
    Collections.sort(found);
    return found;
  }

  private PathMatcher matcher(Path name) throws RefusedException {
    try {
      return name.getFileSystem().getPathMatcher("glob:" + name);
    } catch (PatternSyntaxException e) {
      // The settings let none through; on the command line there may be one.
      throw new RefusedException(shown() + " is not a pattern of files; close each [ and {");
    }
  }

  /** A refusal of what is there; the message is fit for the operator. */
  private static final class RefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    RefusedException(String message) {
      super(message);
    }
  }

  private static boolean isGlob(String text) {
    return text.chars().anyMatch(c -> c == '*' || c == '?' || c == '[' || c == '{');
  }

  private static String state(List<Path> files) throws IOException {
    List<String> states = new ArrayList<>();
    for (Path file : files) {
      BasicFileAttributes a = Files.readAttributes(file, BasicFileAttributes.class);
      states.add(file + " " + a.size() + " " + a.lastModifiedTime() + " " + a.fileKey());
    }
    return states.stream().collect(Collectors.joining("\n"));
  }

  /** A copy of what was fetched or read cannot be stored: the problem is on our side. */
  static final class UnwritableException extends IOException {

    @Serial private static final long serialVersionUID = 1L;

    UnwritableException(IOException cause) {
      super(cause);
    }
  }
}
