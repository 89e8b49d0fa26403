package io.bloomgate.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** An ext4 file system of a test's own, in a file, which can be filled and made read-only. */
final class MountedDisk implements AutoCloseable {

  /** Lists are stored only where 64 MiB stay free, and sessions only where 128 MiB do. */
  private static final long OCTETS = 300L << 20;

  /** Pieces in which a disk is filled: what no larger one fits into takes smaller ones. */
  private static final int[] PIECES = {1 << 20, 1 << 12, 1};

  private final Path root;
  private final Path ballast;

  private MountedDisk(Path root) {
    this.root = root;
    this.ballast = root.resolve("ballast");
  }

  /** Skips the test where this user cannot mount, as everybody but root. */
  static MountedDisk in(Path folder) throws IOException {
    Path image = folder.resolve("disk.img");
    Path root = Files.createDirectories(folder.resolve("disk"));
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(OCTETS);
    }
    assumeTrue(
        said("mkfs.ext4", "-q", "-m", "0", image.toString()).isEmpty()
            && said("mount", "-o", "loop", image.toString(), root.toString()).isEmpty(),
        "no disk image can be mounted here");
    return new MountedDisk(root);
  }

  Path path(String name) {
    return root.resolve(name);
  }

  /** Leaves no block, to root neither. */
  void fill() throws IOException {
    said("fallocate", "-l", String.valueOf(root.toFile().getUsableSpace()), ballast.toString());
    for (int i = 0; i < PIECES.length; i++) {
      try (OutputStream out = Files.newOutputStream(root.resolve("ballast" + i))) {
        byte[] piece = new byte[PIECES[i]];
        while (true) {
          out.write(piece);
        }
      } catch (IOException e) {
        // Full, as far as pieces of this size go.
      }
    }
  }

  /** Gives the room back. */
  void empty() throws IOException {
    Files.deleteIfExists(ballast);
    for (int i = 0; i < PIECES.length; i++) {
      Files.deleteIfExists(root.resolve("ballast" + i));
    }
  }

  void readOnly() throws IOException {
    run("mount", "-o", "remount,ro", root.toString());
  }

  void writable() throws IOException {
    run("mount", "-o", "remount,rw", root.toString());
  }

  @Override
  public void close() throws IOException {
    run("umount", "--lazy", root.toString());
  }

  private static void run(String... words) throws IOException {
    String complaint = said(words);
    if (!complaint.isEmpty()) {
      throw new IOException(complaint);
    }
  }

  /** What a command complains about; empty when it succeeded. */
  private static String said(String... words) {
    List<String> command = new ArrayList<>(List.of(words));
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.waitFor() == 0 ? "" : command + ": " + output;
    } catch (IOException e) {
      return command + ": " + e.getMessage();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return command + ": interrupted";
    }
  }
}
