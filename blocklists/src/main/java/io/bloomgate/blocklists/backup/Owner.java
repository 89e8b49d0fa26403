package io.bloomgate.blocklists.backup;

import io.bloomgate.blocklists.file.SecureTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** User and group of a state directory. Immutable. */
record Owner(UserPrincipal user, GroupPrincipal group) {

  /** Those of a file; empty when the file system has none, or the file is not there. */
  static Optional<Owner> of(Path file) {
    try {
      PosixFileAttributes attributes =
          Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return Optional.of(new Owner(attributes.owner(), attributes.group()));
    } catch (IOException | UnsupportedOperationException e) {
      return Optional.empty();
    }
  }

  /** Those of this process; empty where the system does not say. */
  static Optional<Owner> ofThisProcess() {
    try {
      return of(Path.of("/proc/self").toRealPath());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** As {@code USER:GROUP}. */
  String text() {
    return user.getName() + ":" + group.getName();
  }

  /** Reads {@link #text}; empty when this system does not know both. */
  static Optional<Owner> named(String text, Path on) {
    int colon = text.indexOf(':');
    if (colon <= 0) {
      return Optional.empty();
    }
    UserPrincipalLookupService names = on.getFileSystem().getUserPrincipalLookupService();
    try {
      return Optional.of(
          new Owner(
              names.lookupPrincipalByName(text.substring(0, colon)),
              names.lookupPrincipalByGroupName(text.substring(colon + 1))));
    } catch (IOException | UnsupportedOperationException e) {
      return Optional.empty();
    }
  }

  /**
   * Gives a folder and all that is in it to this user and group; links are not followed. The folder
   * itself is given last: until then its new owner cannot change what is in it.
   *
   * @param root a folder of mode 0700
   * @throws IOException when the system does not allow it
   */
  void take(Path root) throws IOException {
    boolean done =
        SecureTree.walk(
            root,
            (in, name, _) ->
                give(
                    in.getFileAttributeView(
                        name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)));
    if (!done) {
      takePlainly(root);
    }
  }

  /** The same on systems without such calls. */
  private void takePlainly(Path root) throws IOException {
    List<Path> all;
    try (Stream<Path> found = Files.walk(root)) {
      all = found.toList();
    }
    for (Path path : all.reversed()) {
      give(path);
    }
  }

  /** The same for one file. */
  void give(Path file) throws IOException {
    give(Files.getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS));
  }

  private void give(@Nullable PosixFileAttributeView view) throws IOException {
    if (view == null) {
      return;
    }
    PosixFileAttributes now = view.readAttributes();
    if (!now.owner().equals(user)) {
      view.setOwner(user);
    }
    if (!now.group().equals(group)) {
      view.setGroup(group);
    }
  }
}
