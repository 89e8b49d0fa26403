package io.bloomgate.blocklists.backup;

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

/** User and group of a file or folder. Immutable. */
public record Owner(UserPrincipal user, GroupPrincipal group) {

  /** The owner of a file; empty when the file does not exist. */
  public static Optional<Owner> of(Path file) {
    try {
      PosixFileAttributes attributes = Files.readAttributes(file, PosixFileAttributes.class);
      return Optional.of(new Owner(attributes.owner(), attributes.group()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** The owner as {@code USER:GROUP}. */
  public String text() {
    return user.getName() + ":" + group.getName();
  }

  /** Reads {@link #text}; empty when this system does not know both. */
  static Optional<Owner> named(String text, Path on) {
    String[] names = text.split(":", 2);
    UserPrincipalLookupService known = on.getFileSystem().getUserPrincipalLookupService();
    try {
      return Optional.of(
          new Owner(
              known.lookupPrincipalByName(names[0]),
              known.lookupPrincipalByGroupName(names[names.length - 1])));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * Gives a file to this user and group; a link is not followed.
   *
   * @throws IOException when the system does not allow it
   */
  void give(Path file) throws IOException {
    PosixFileAttributeView view =
        Files.getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    view.setOwner(user);
    view.setGroup(group);
  }
}
