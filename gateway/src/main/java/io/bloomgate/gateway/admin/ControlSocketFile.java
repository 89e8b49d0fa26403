package io.bloomgate.gateway.admin;

import java.io.IOException;
import java.io.Serial;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The file of the control socket. No other user can connect while it is made; a file that a killed
 * gateway left behind is replaced, the file of a running gateway never is.
 *
 * <p>Called by {@link ControlServer} when it opens and closes.
 */
final class ControlSocketFile {

  /** Octets of {@code sun_path} in Linux without its final NUL, unix(7). */
  private static final int MAX_PATH_OCTETS = 107;

  /**
   * The socket is bound in here, where nobody else may look, before it gets its name. The folder
   * stays: on a full disk no other could be made, and a socket needs no room.
   */
  private static final String PRIVATE_DIRECTORY = ".control-new";

  /** The name in it has three digits, as a path of a socket is short. */
  private static final int MOST_ASIDE = 0xfff;

  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");

  private final Path path;
  private final @Nullable Object identity;

  private ControlSocketFile(Path path, @Nullable Object identity) {
    this.path = path;
    this.identity = identity;
  }

  /** Another {@code admin.socket}, or what the message says, helps; waiting does not. */
  static final class WrongPathException extends IOException {
    @Serial private static final long serialVersionUID = 1L;

    WrongPathException(String message) {
      super("admin.socket: " + message);
    }
  }

  /** A bound channel and its file. */
  record Bound(ServerSocketChannel channel, ControlSocketFile file) {}

  /**
   * Binds a socket and gives it its permissions and then its name.
   *
   * @param mode POSIX permission bits
   * @throws WrongPathException with a message fit for the operator
   * @throws IOException when the file system does not take it now
   */
  static Bound bind(Path path, int mode, int backlog) throws IOException {
    Path directory = path.toAbsolutePath().getParent();
    if (directory == null || !Files.isDirectory(directory)) {
      throw new WrongPathException("the directory of " + path + " does not exist");
    }
    requireTrusted(directory);
    requireFree(path);
    requireShort(path);
    Path aside =
        privateDirectory(directory).resolve(Integer.toHexString(path.hashCode() & MOST_ASIDE));
    requireShort(aside);
    Files.deleteIfExists(aside); // of one that was killed
    ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      channel.bind(UnixDomainSocketAddress.of(aside), backlog);
      Files.setPosixFilePermissions(aside, permissions(mode));
      Files.move(aside, path, StandardCopyOption.ATOMIC_MOVE);
      return new Bound(channel, new ControlSocketFile(path, identityOf(path)));
    } catch (IOException e) {
      channel.close();
      Files.deleteIfExists(aside);
      throw e;
    }
  }

  /** Removes the file unless another gateway has put its own there meanwhile. */
  void remove() throws IOException {
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)
        && Objects.equals(identityOf(path), identity)) {
      Files.deleteIfExists(path);
    }
  }

  private static @Nullable Object identityOf(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
        .fileKey();
  }

  /** A stale socket is no hindrance: the rename replaces it. */
  private static void requireFree(Path path) throws IOException {
    if (Files.notExists(path, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    var attributes =
        Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    if (!attributes.isOther()) {
      throw new WrongPathException(
          "" + path + " exists and is not a socket; move it away or name another");
    }
    try (SocketChannel probe = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
      throw new WrongPathException("another gateway answers on " + probe.getRemoteAddress());
    } catch (ConnectException e) {
      // Nobody listens: left behind by a gateway that was killed.
    }
  }

  /** A user who may write there can replace our socket with another one and read every command. */
  private static void requireTrusted(Path directory) throws IOException {
    if (Files.getPosixFilePermissions(directory).contains(PosixFilePermission.OTHERS_WRITE)) {
      throw new WrongPathException(
          "everybody may write to "
              + directory
              + "; name a directory of the gateway's own, or take that right away: chmod o-w "
              + directory);
    }
  }

  private static Path privateDirectory(Path parent) throws IOException {
    Path directory = parent.resolve(PRIVATE_DIRECTORY);
    try {
      return Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
    } catch (FileAlreadyExistsException e) {
      if (!Files.getPosixFilePermissions(directory, LinkOption.NOFOLLOW_LINKS).equals(OWNER_ONLY)) {
        throw new WrongPathException(directory + " is not a folder of its owner alone; remove it");
      }
      return directory;
    } catch (FileSystemException e) {
      if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
        return directory; // the disk said that it is full, or read-only, before it looked
      }
      throw e;
    }
  }

  private static void requireShort(Path path) throws IOException {
    if (path.toString().getBytes(StandardCharsets.UTF_8).length > MAX_PATH_OCTETS) {
      throw new WrongPathException(
          ""
              + path
              + " is longer than the "
              + MAX_PATH_OCTETS
              + " octets that the system allows for a socket; name a shorter one");
    }
  }

  private static Set<PosixFilePermission> permissions(int mode) {
    // From 0400, reading for the owner, down to 0001; the enum has the same order.
    PosixFilePermission[] all = PosixFilePermission.values();
    Set<PosixFilePermission> set = EnumSet.noneOf(PosixFilePermission.class);
    for (int i = 0; i < all.length; i++) {
      if ((mode & 0400 >> i) != 0) {
        set.add(all[i]);
      }
    }
    return set;
  }
}
