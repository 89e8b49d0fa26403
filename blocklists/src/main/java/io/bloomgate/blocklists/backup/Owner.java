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
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** User and group of a state directory. Used by {@link Backup} and {@link Restore}. Immutable. */
record Owner(UserPrincipal user, GroupPrincipal group) {

  /** The owner of a file; empty when the file system has none, or the file does not exist. */
  static Optional<Owner> of(Path file) {
    try {
      PosixFileAttributes attributes =
          Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return Optional.of(new Owner(attributes.owner(), attributes.group()));
    } catch (IOException | UnsupportedOperationException e) {
      return Optional.empty();
    }
  }

  /** The owner as {@code USER:GROUP}. */
  String text() {
    return user.getName() + ":" + group.getName();
  }

  /** Reads {@link #text}; empty when this system does not know both. */
  static Optional<Owner> named(String text, Path on) {
    String[] names = text.split(":", 2);
    UserPrincipalLookupService known = on.getFileSystem().getUserPrincipalLookupService();
    try {
      return names.length < 2
          ? Optional.empty()
          : Optional.of(
              new Owner(
                  known.lookupPrincipalByName(names[0]),
                  known.lookupPrincipalByGroupName(names[1])));
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
    SecureTree.walk(
        root,
        (in, name, _) ->
            give(
                in.getFileAttributeView(
                    name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)));
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
