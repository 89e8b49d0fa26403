package io.bloomgate.blocklists.fleet;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A real Redis, where one is installed, and a stage for nodes of its fleet. */
abstract class FleetStories {

  @TempDir Path folder;

  FleetStage stage;
  RealRedis redis;

  @BeforeEach
  final void startRedis() throws Exception {
    assumeTrue(RealRedis.isInstalled(), "no redis-server on this machine");
    stage = new FleetStage(folder);
    redis = RealRedis.start(folder);
  }

  @AfterEach
  final void close() throws Exception {
    if (stage != null) {
      stage.close();
      redis.close();
    }
  }

  /** On the port of the one that was killed, without its data. */
  final void startAgain() throws Exception {
    redis = RealRedis.start(folder, redis.port());
  }
}
