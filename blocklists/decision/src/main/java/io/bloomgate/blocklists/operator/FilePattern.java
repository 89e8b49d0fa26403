package io.bloomgate.blocklists.operator;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.PatternSyntaxException;

/**
 * A path whose last part is a pattern, as {@code /etc/bloomgate/allow.d/*.list}. Immutable; used by
 * {@link ListFiles} and {@link KnownGoodFiles}.
 */
record FilePattern(Path directory, String glob) {

  private static final String PATTERN_CHARACTERS = "*?[{";

  /** The pattern of a configured path; empty when it names one file. */
  static Optional<FilePattern> of(Path path) {
    Path name = path.getFileName();
    Path directory = path.toAbsolutePath().getParent();
    if (name == null
        || directory == null
        || name.toString().chars().noneMatch(c -> PATTERN_CHARACTERS.indexOf(c) >= 0)) {
      return Optional.empty();
    }
    return Optional.of(new FilePattern(directory, name.toString()));
  }

  /** The last part of the path is no pattern; the message says why. */
  static final class MalformedException extends IOException {
    private static final long serialVersionUID = 1L;

    MalformedException(PatternSyntaxException cause) {
      super(cause.getDescription(), cause);
    }
  }

  /**
   * The files that match now, in name order.
   *
   * @throws MalformedException when there can be none, as a bracket is left open
   */
  List<Path> files() throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory, glob)) {
      stream.forEach(found::add);
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    } catch (PatternSyntaxException e) {
      throw new MalformedException(e);
    }
    found.sort(null);
    return found;
  }

  /** Returns the identity of the folder: a mount or a rename changes it, what is in it does not. */
  Object folder() throws IOException {
    Object key = Files.readAttributes(directory, BasicFileAttributes.class).fileKey();
    return key == null ? directory : key;
  }

  /** True when the path would be found if it existed. */
  boolean matches(Path path) {
    Path name = path.getFileName();
    try {
      return name != null
          && directory.equals(path.getParent())
          && directory.getFileSystem().getPathMatcher("glob:" + glob).matches(name);
    } catch (PatternSyntaxException e) {
      return false;
    }
  }
}
