package io.bloomgate.blocklists.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;

/**
 * Answers who could put a file into a folder, or another folder in its place. {@link SqliteLibrary}
 * asks before it takes code from there: else root, who makes a backup, would run what the service's
 * user put there.
 *
 * <p>A process of another user than root trusts the owner of the folder alone: the volume of a
 * container is often open to all, and the gateway is alone there. Immutable.
 */
final class FolderTrust {

  private static final int ROOT = 0;

  /** Right to write of the group and of all others. */
  private static final int WRITE_OF_OTHERS = 0022;

  /** The mode bit of a folder in which only the owner of a file can rename or remove it. */
  private static final int STICKY = 01000;

  private final int self;

  private FolderTrust(int self) {
    this.self = self;
  }

  /**
   * Reads the user of this process.
   *
   * @throws IOException when the system does not say who the process is
   */
  static FolderTrust ofThisProcess() throws IOException {
    // Made by the kernel: a file that we make in order to look at its owner could be exchanged.
    return new FolderTrust(Attributes.of(Path.of("/proc/self").toRealPath()).user);
  }

  /**
   * True when only this process's user (and root) can make or rename what is in the folder.
   *
   * @param folder in one that {@link #keepsOurs}
   */
  boolean holdsOurs(Path folder) throws IOException {
    Attributes attributes = Attributes.of(folder);
    return attributes.folder && attributes.user == self && (attributes.mode & WRITE_OF_OTHERS) == 0;
  }

  /**
   * True when nobody else can exchange a folder of ours in this one.
   *
   * @param folder without links in its path
   */
  boolean keepsOurs(Path folder) throws IOException {
    if (self != ROOT) {
      int user = Attributes.of(folder).user;
      return user == self || user == ROOT;
    }
    for (Path each = folder; each != null; each = each.getParent()) {
      Attributes attributes = Attributes.of(each);
      boolean closed = (attributes.mode & WRITE_OF_OTHERS) == 0 || (attributes.mode & STICKY) != 0;
      if (!attributes.folder || attributes.user != ROOT || !closed) {
        return false;
      }
    }
    return true;
  }

  private record Attributes(int user, int mode, boolean folder) {
    static Attributes of(Path file) throws IOException {
      Map<String, Object> read =
          Files.readAttributes(file, "unix:uid,mode,isDirectory", LinkOption.NOFOLLOW_LINKS);
      if (read.get("uid") instanceof Integer user
          && read.get("mode") instanceof Integer mode
          && read.get("isDirectory") instanceof Boolean folder) {
        return new Attributes(user, mode, folder);
      }
      throw new IOException(file + ": the system does not say whose it is");
    }
  }
}
