package io.bloomgate.blocklists.fetch;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two publishers and a client of theirs, for the tests of fetching by the lines of a settings file.
 */
abstract class FetchCase {

  static final String KEY = "s3cret+Key/9";

  @TempDir Path folder;
  final FetchWorld world =
      new FetchWorld().name("world.example", "203.0.113.1").name("other.example", "203.0.113.2");
  FakeFeedServer server;
  FakeFeedServer other;
  FetchStage stage;

  @BeforeEach
  void start() throws IOException {
    server = new FakeFeedServer();
    other = new FakeFeedServer();
    stage = new FetchStage(world, folder);
  }

  @AfterEach
  void stop() {
    stage.close();
    server.close();
    other.close();
  }

  static FetchResult.Fetched fetched(FetchResult result) {
    return assertInstanceOf(FetchResult.Fetched.class, result, result::toString);
  }

  static FetchResult.Failed failed(FetchResult result) {
    return assertInstanceOf(FetchResult.Failed.class, result);
  }

  /** A failure has this in its words. */
  static FetchResult.Failed failed(String words, FetchResult result) {
    FetchResult.Failed failed = failed(result);
    assertTrue(failed.message().contains(words), failed.log());
    return failed;
  }

  /** Fetches a path of the first publisher. */
  FetchResult fetch(String path, String... more) throws IOException {
    return fetch(Validators.NONE, path, more);
  }

  FetchResult fetch(Validators known, String path, String... more) throws IOException {
    String address = url(server.uri(path));
    return stage.fetch(
        known, Stream.concat(Stream.of(address), Stream.of(more)).toArray(String[]::new));
  }

  static String text(FetchResult result) throws IOException {
    StringBuilder text = new StringBuilder();
    for (Path part : fetched(result).content().parts()) {
      text.append(Files.readString(part));
    }
    return text.toString();
  }

  Path secret(String content, String mode) throws IOException {
    Path file = folder.resolve("key-" + mode + content.hashCode());
    Files.writeString(file, content);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    return file;
  }

  Path key() throws IOException {
    return secret(KEY + "\n", "rw-r-----");
  }

  static String url(Object url) {
    return "url: \"" + url + "\"";
  }
}
