package io.bloomgate.blocklists.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Nodes of a fleet on a real Redis, and a client of it that does not know the fleet's secret. Used
 * by one test's thread.
 */
final class ForgedStage {

  final FleetStage stage;
  final RealRedis redis;
  final RedisServer admin;
  private final Path folder;

  ForgedStage(Path folder) throws IOException, InterruptedException {
    this.folder = folder;
    stage = new FleetStage(folder);
    redis = RealRedis.start(folder);
    admin = RedisServer.at(redis.address());
  }

  /** Nodes that start from now on have a secret. */
  void useSecret() throws IOException {
    useSecret("0123456789abcdef-secret");
  }

  /** The same, of this text. */
  void useSecret(String text) throws IOException {
    stage.secret = Files.writeString(folder.resolve(text), text + "\n");
    Files.setPosixFilePermissions(stage.secret, PosixFilePermissions.fromString("rw-r-----"));
  }

  void close() throws Exception {
    stage.close();
    admin.close();
    redis.close();
  }
}
