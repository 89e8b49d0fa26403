package io.bloomgate.blocklists.backup;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.Optional;
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
   * Gives a folder and all that is in it to this user and group; links are not followed.
   *
   * @throws IOException when the system does not allow it
   */
  void take(Path root) throws IOException {
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
              throws IOException {
            give(folder);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            give(file);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** The same for one file. */
  void give(Path file) throws IOException {
    @Nullable PosixFileAttributeView view =
        Files.getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
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
