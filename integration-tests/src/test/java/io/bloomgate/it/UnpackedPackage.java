package io.bloomgate.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A program of a Debian package that cannot be installed beside Postfix. {@code .ci/run} unpacks it
 * into a cache. It is started in namespaces for mounts and processes, where its files lie over
 * those of this machine, so that its usual paths are there and nothing of this machine is changed.
 * The namespaces, and with them all of its processes, end with {@link #close}.
 */
final class UnpackedPackage implements AutoCloseable {

  private static final Path CACHE =
      Path.of(
          Optional.ofNullable(System.getenv("BLOOMGATE_CI_CACHE"))
              .orElse("/var/cache/bloomgate-ci"));

  private static final Path UNSHARE = Path.of("/usr/bin/unshare");
  private static final int NO_MOUNTS = 99;

  /** Everything is copied into memory first: an upper and a lower folder may not share a tree. */
  private static final String ENTER =
      """
      set -u
      unpacked=$1 world=$2
      mount -t tmpfs tmpfs "$world" || exit 99
      cp -a "$unpacked/." "$world"
      for top in usr etc var; do
        mkdir -p "$world/$top" "$world/new/$top" "$world/work/$top"
        mount -t overlay overlay -o \
      "lowerdir=$world/$top:/$top,upperdir=$world/new/$top,workdir=$world/work/$top" /$top || exit 99
      done
      mount -t tmpfs tmpfs /run || exit 99
      user() {
        echo "$1:x:$2:$2::/var/lib/$1:/usr/sbin/nologin" >> /etc/passwd
        echo "$1:x:$2:" >> /etc/group
      }
      set -e
      cd "$3"
      """;

  private final Process process;
  private final Path output;

  private UnpackedPackage(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  /**
   * Starts it and waits until it listens, or skips the test where that cannot be.
   *
   * @param folder of the test, in which the script runs
   * @param script for sh: prepares the program and starts it in the foreground, without exec: the
   *     shell is the first process of the namespace and ends with this test, and all others with
   *     it; a program that changes its user would lose that. {@code user NAME ID} makes a user
   */
  static UnpackedPackage startOrSkip(
      String name, Path folder, String script, String address, int port)
      throws IOException, InterruptedException {
    Path unpacked = CACHE.resolve(name);
    assumeTrue(Files.isDirectory(unpacked), name + " is not unpacked in " + CACHE);
    assumeTrue(Files.isExecutable(UNSHARE), "unshare is not installed");
    assumeTrue("root".equals(System.getProperty("user.name")), "mounts are made by root only");
    Path world = Files.createDirectory(folder.resolve("world"));
    Path start = Files.writeString(folder.resolve("start.sh"), ENTER + script);
    Path output = folder.resolve("program.out");
    Process process =
        new ProcessBuilder(
                List.of(
                    UNSHARE.toString(),
                    "--mount",
                    "--pid",
                    "--fork",
                    "--kill-child",
                    "--mount-proc",
                    "sh",
                    start.toString(),
                    unpacked.toString(),
                    world.toString(),
                    folder.toString()))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    UnpackedPackage started = new UnpackedPackage(process, output);
    try {
      Conditions.await(name + " listens", () -> !process.isAlive() || listens(address, port));
    } catch (AssertionError e) {
      started.close();
      throw new AssertionError(started.output(), e);
    }
    if (!process.isAlive()) {
      assumeTrue(process.waitFor() != NO_MOUNTS, "this system does not let root mount");
      throw new AssertionError(name + " ended: " + started.output());
    }
    return started;
  }

  /** What it and its script printed. */
  String output() throws IOException {
    return Files.readString(output);
  }

  static boolean listens(String address, int port) {
    try (Socket socket = new Socket(InetAddress.ofLiteral(address), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    ProcessTree.kill(process.toHandle());
  }
}
