package io.bloomgate.blocklists.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.exceptions.JedisException;

/** The client against a real server. */
class RedisServerTest {

  @Test
  void aCommandIsAnsweredAndALostServerIsAnError(@TempDir Path folder) throws Exception {
    assumeTrue(RealRedis.isInstalled(), "no redis-server on this machine");
    try (RealRedis real = RealRedis.start(folder);
        RedisServer server = RedisServer.at(real.address())) {
      assertEquals("OK", server.commands().set("bloomgate:test", "1"));
      assertEquals("1", server.commands().get("bloomgate:test"));
      real.kill();
      assertThrows(JedisException.class, () -> server.commands().get("bloomgate:test"));
    }
  }
}
