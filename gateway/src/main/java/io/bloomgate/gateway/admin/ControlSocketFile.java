package io.bloomgate.gateway.admin;

import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
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

  /** The socket is bound in here, where nobody else may look, before it gets its name. */
  private static final String PRIVATE_DIRECTORY = ".control-new";

  /**
   * More than the gateways that start at once in one directory, and the folders that killed ones
   * left there.
   */
  private static final int MAX_DIRECTORIES = 100;

  private final Path path;
  private final @Nullable Object identity;

  private ControlSocketFile(Path path, @Nullable Object identity) {
    this.path = path;
    this.identity = identity;
  }

  /** A bound channel and its file. */
  record Bound(ServerSocketChannel channel, ControlSocketFile file) {}

  /**
   * Binds a socket and gives it its permissions and then its name.
   *
   * @param mode POSIX permission bits
   * @throws IOException with a message fit for the operator
   */
  static Bound bind(Path path, int mode, int backlog) throws IOException {
    Path directory = path.toAbsolutePath().getParent();
    if (directory == null || !Files.isDirectory(directory)) {
      throw new IOException("admin.socket: the directory of " + path + " does not exist");
    }
    requireTrusted(directory);
    requireFree(path);
    Path aside = makePrivateDirectory(directory);
    Path bound = aside.resolve("s");
    requireShort(path);
    requireShort(bound);
    ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      channel.bind(UnixDomainSocketAddress.of(bound), backlog);
      Files.setPosixFilePermissions(bound, permissions(mode));
      Files.move(bound, path, StandardCopyOption.ATOMIC_MOVE);
      return new Bound(channel, new ControlSocketFile(path, identityOf(path)));
    } catch (IOException e) {
      channel.close();
      Files.deleteIfExists(bound);
      throw e;
    } finally {
      Files.deleteIfExists(aside);
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
      throw new IOException(
          "admin.socket: " + path + " exists and is not a socket; move it away or name another");
    }
    try (SocketChannel probe = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
      throw new IOException("admin.socket: another gateway answers on " + probe.getRemoteAddress());
    } catch (ConnectException e) {
      // Nobody listens: left behind by a gateway that was killed.
    }
  }

  /** A user who may write there can replace our socket with another one and read every command. */
  private static void requireTrusted(Path directory) throws IOException {
    if (Files.getPosixFilePermissions(directory).contains(PosixFilePermission.OTHERS_WRITE)) {
      throw new IOException(
          "admin.socket: everybody may write to "
              + directory
              + "; name a directory of the gateway's own, or take that right away: chmod o-w "
              + directory);
    }
  }

  /**
   * A folder that nobody else uses: another gateway may start here at the same moment, and the
   * folder that a killed one left behind looks the same.
   */
  private static Path makePrivateDirectory(Path parent) throws IOException {
    var ownerOnly =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    for (int i = 1; i <= MAX_DIRECTORIES; i++) {
      try {
        return Files.createDirectory(parent.resolve(PRIVATE_DIRECTORY + i), ownerOnly);
      } catch (FileAlreadyExistsException e) {
        // Taken: the next one.
      }
    }
    throw new IOException(
        "admin.socket: "
            + parent
            + " is full of directories "
            + PRIVATE_DIRECTORY
            + "N of starts that were killed; remove them");
  }

  private static void requireShort(Path path) throws IOException {
    if (path.toString().getBytes(StandardCharsets.UTF_8).length > MAX_PATH_OCTETS) {
      throw new IOException(
          "admin.socket: "
              + path
              + " is longer than the "
              + MAX_PATH_OCTETS
              + " octets that the system allows for a socket; name a shorter one");
    }
  }

  private static Set<PosixFilePermission> permissions(int mode) {
    // From 0400, reading for the owner, down to 0001; the enum has the same order.
    Set<PosixFilePermission> set = EnumSet.noneOf(PosixFilePermission.class);
    int bit = 0400;
    for (PosixFilePermission permission : PosixFilePermission.values()) {
      if ((mode & bit) != 0) {
        set.add(permission);
      }
      bit >>= 1;
    }
    return set;
  }
}
