package io.bloomgate.blocklists.fetch;

import io.bloomgate.blocklists.format.FeedContent;
import io.bloomgate.blocklists.format.octets.FeedLimits;
import io.bloomgate.blocklists.format.octets.Octets;
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
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;

/**
 * A feed from a file, or from all files that a glob in the last part of the path matches, in name
 * order. The files are copied, so that a later change on disk cannot change what was judged; a file
 * that does not answer in the time of a fetch is this feed's failure.
 */
final class FileFeedSource implements FeedSource {

  private final String pattern;
  private final boolean mayBePipe;
  private final TimedReads reads;

  /**
   * Nothing is opened yet.
   *
   * @param mayBePipe true for one that somebody named to read it once: a feed is read again and
   *     again, and a pipe or a device may let it wait each time
   */
  FileFeedSource(String pattern, boolean mayBePipe, TimedReads reads) {
    this.pattern = pattern;
    this.mayBePipe = mayBePipe;
    this.reads = reads;
  }

  @Override
  public String shown() {
    return Octets.escape(pattern);
  }

  @Override
  public FetchResult fetch(Validators known, Path directory) {
    try {
      return reads.fetch(pattern, () -> read(known, directory));
    } catch (TimedReads.HangingException e) {
      return FetchResult.Failed.of(
          shown()
              + " does not answer ("
              + e.getMessage()
              + "): a pipe that nobody writes to, or a disk that hangs",
          "hangs: " + shown());
    } catch (NoPatternException e) {
      return FetchResult.Failed.of(
          shown() + " is not a pattern of files; close each [ and {", "no pattern: " + shown());
    } catch (NoSuchFileException e) {
      return FetchResult.Failed.of(
          "there is no file " + shown() + "; check the path", "no such file: " + shown());
    } catch (UnwritableException e) {
      return FetchResult.Failed.of(
          "the copy of " + shown() + " cannot be written; check the space on the disk",
          "cannot copy " + shown() + ": " + Octets.escape(e.toString()));
    } catch (IOException e) {
      return FetchResult.Failed.of(
          "cannot read " + shown() + "; check that the file is readable for the gateway's user",
          "cannot read " + shown() + ": " + Octets.escape(e.toString()));
    }
  }

  private FetchResult read(Validators known, Path directory) throws IOException {
    List<Path> files = files();
    if (files.isEmpty()) {
      return FetchResult.Failed.of(
          "no file matches " + shown() + "; check the path", "no match: " + shown());
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
        return FetchResult.Failed.of(
            shown() + " is a directory; name a file or DIRECTORY/*.txt", "directory: " + shown());
      }
      if (!mayBePipe && !Files.isRegularFile(file)) {
        return FetchResult.Failed.of(
            shown() + " is a pipe, a socket or a device; name a regular file",
            "no regular file: " + shown());
      }
      Path part = directory.resolve(partName(parts.size()));
      octets += copy(file, part, FeedLimits.FETCHED_OCTETS - octets);
      if (octets > FeedLimits.FETCHED_OCTETS) {
        return FetchResult.Failed.of(
            shown() + " is larger than 1 GiB; split the feed", "too large: " + shown());
      }
      parts.add(part);
    }
    return state.equals(state(files()))
        ? new FetchResult.Fetched(new FeedContent(parts), Validators.ofFiles(state))
        : FetchResult.Failed.of(
            shown() + " changed while it was read; it is read again when it rests",
            shown() + " changed while it was read");
  }

  /** Copies at most up to the limit; the result is larger when there was more. */
  private static long copy(Path from, Path to, long limit) throws IOException {
    byte[] buffer = new byte[1 << 16];
    long octets = 0;
    try (InputStream in = Files.newInputStream(from);
        OutputStream out = Files.newOutputStream(to)) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        octets += read;
        if (octets > limit) {
          return octets;
        }
        write(out, buffer, read);
      }
    }
    return octets;
  }

  private static void write(OutputStream out, byte[] buffer, int length) throws IOException {
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

  private static PathMatcher matcher(Path name) throws IOException {
    try {
      return name.getFileSystem().getPathMatcher("glob:" + name);
    } catch (PatternSyntaxException e) {
      // The settings let none through; on the command line there may be one.
      throw new NoPatternException(e);
    }
  }

  /** Brackets that are not closed. */
  private static final class NoPatternException extends IOException {
    private static final long serialVersionUID = 1L;

    NoPatternException(PatternSyntaxException cause) {
      super(cause);
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
