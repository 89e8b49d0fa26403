package io.bloomgate.gateway.demo;

import io.bloomgate.blocklists.file.DurableFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The temporary directory of the demo and of the training: settings, sample feeds and the gateway's
 * state.
 */
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
    DemoFiles files = create();
    files.writeSettings(
        "bloomgate.yaml",
        Map.of("@PORT@", Integer.toString(port), "@SERVER@", Integer.toString(serverPort)));
    return files;
  }

  /** Writes the sample feeds; settings are still missing. */
  static DemoFiles create() throws IOException {
    DemoFiles files = new DemoFiles(Files.createTempDirectory("bloomgate-demo"));
    for (String sample : SAMPLES) {
      files.write(sample, resource(sample));
    }
    return files;
  }

  /**
   * Writes the settings, also in place of earlier ones.
   *
   * @param template a resource beside this class
   * @param places what replaces its placeholders
   */
  void writeSettings(String template, Map<String, String> places) throws IOException {
    String text = resource(template).replace("@DIR@", directory.toString());
    for (Map.Entry<String, String> place : places.entrySet()) {
      text = text.replace(place.getKey(), place.getValue());
    }
    Files.writeString(settings(), text);
  }

  /** Writes a file into the directory. */
  void write(String name, String text) throws IOException {
    Files.writeString(directory.resolve(name), text);
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
    DurableFiles.deleteTree(directory);
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
