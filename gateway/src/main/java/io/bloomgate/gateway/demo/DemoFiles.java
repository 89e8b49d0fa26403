package io.bloomgate.gateway.demo;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The demo's temporary directory: settings, sample feeds and the gateway's state. */
final class DemoFiles implements AutoCloseable {

  private static final List<String> SAMPLES =
      List.of(
          "sample-drop.txt",
          "sample-helo.txt",
          "sample-senders.txt",
          "sample-tempfail.txt",
          "sample-throwaway.txt",
          "allow.txt");

  private final Path directory;

  private DemoFiles(Path directory) {
    this.directory = directory;
  }

  /**
   * Writes everything.
   *
   * @param port of the listener, 0 for any
   * @param serverPort where the mail server listens
   */
  static DemoFiles create(int port, int serverPort) throws IOException {
    DemoFiles files = new DemoFiles(Files.createTempDirectory("bloomgate-demo"));
    for (String sample : SAMPLES) {
      Files.writeString(files.directory.resolve(sample), resource(sample));
    }
    Files.writeString(
        files.settings(),
        resource("bloomgate.yaml")
            .replace("@DIR@", files.directory.toString())
            .replace("@PORT@", Integer.toString(port))
            .replace("@SERVER@", Integer.toString(serverPort)));
    return files;
  }

  Path settings() {
    return directory.resolve("bloomgate.yaml");
  }

  Path socket() {
    return directory.resolve("control.sock");
  }

  Path decisions() {
    return directory.resolve("decisions.log");
  }

  /** Removes the directory. */
  @Override
  public void close() throws IOException {
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException problem)
              throws IOException {
            Files.delete(folder);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = DemoFiles.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("the program is incomplete: " + name + " is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
